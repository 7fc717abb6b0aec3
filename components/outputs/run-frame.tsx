"use client";
import { Button } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { useDelayed } from "#components/ui/use-delayed.ts";
import { useHref } from "#components/ui/use-href.ts";
import type { RunHead } from "#lib/planning-engine/runs/schema.ts";
import { Bones } from "./bones.tsx";
import classes from "./outputs.module.css";
import type { RunChoice } from "./use-run-choice.ts";

type Props = {
  choice: RunChoice;
  /** Shows what the newest run says of itself where it is not the one shown; without it there is a link to the page that does. */
  onNewest?: (() => void) | undefined;
  /** What a run without an output shows. */
  failed: (run: RunHead) => ReactNode;
  children: (run: RunHead) => ReactNode;
};

/** What all output screens have around what they show: no version, not calculated, a run under way, one that failed; then the run itself. */
export function RunFrame({ choice, onNewest, failed, children }: Props) {
  const t = useTranslations("outputs");
  const href = useHref();
  const slow = useDelayed(choice.isPending);
  const { version, run, newest } = choice;
  if (choice.error) return <ErrorPanel title={t("failed")} failed={choice.error} onRetry={choice.retry} />;
  if (choice.isPending) return slow ? <Bones /> : null;
  if (!version || !run)
    return (
      <EmptyState
        icon={<IconRoute size={28} stroke={1} aria-hidden="true" />}
        title={t(version ? "empty.noRun" : "empty.noVersion", { version: version?.versionName ?? "" })}
        text={t(version ? "empty.noRunText" : "empty.noVersionText")}
      >
        <LinkButton primary href={href("planningEngine", version ? { query: { versionId: String(version.id) } } : {})}>
          {t("empty.home")}
        </LinkButton>
      </EmptyState>
    );
  return (
    <>
      {newest && newest !== run && newest.status !== "success" ? (
        <div className={classes.notice} data-tone={newest.status === "executing" ? "info" : "warn"} role="status">
          <span>
            {newest.status === "executing"
              ? t("notice.executing", { percent: Math.round(newest.percent) })
              : t(`notice.${newest.status as "failed" | "no_feasible" | "terminated"}`, { run: newest.id })}
            {newest.message ? ` ${newest.message}` : ""}
          </span>
          {newest.status === "executing" || newest.status === "terminated" ? null : onNewest ? (
            <Button size="compact-xs" onClick={onNewest}>
              {t("notice.why")}
            </Button>
          ) : (
            <Link href={href("engineOutput", { query: { versionId: newest.versionId, runId: newest.id } })} prefetch={false}>
              {t("notice.why")}
            </Link>
          )}
        </div>
      ) : null}
      {run.hasOutput ? (
        children(run)
      ) : run.status === "executing" ? (
        <EmptyState title={t("notice.executing", { percent: Math.round(run.percent) })} text={t("empty.executingText")}>
          <LinkButton href={href("planningEngine", { query: { versionId: String(run.versionId) } })}>{t("empty.home")}</LinkButton>
        </EmptyState>
      ) : run.status === "success" ? (
        <EmptyState title={t("empty.cleared")} text={t("empty.clearedText")}>
          <LinkButton href={href("planningEngine", { query: { versionId: String(run.versionId) } })}>{t("empty.home")}</LinkButton>
        </EmptyState>
      ) : (
        failed(run)
      )}
    </>
  );
}

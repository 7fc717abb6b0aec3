"use client";
import { Button } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment, formatNumber } from "#lib/core/format.ts";
import { revertPlanRun } from "#lib/plan-rules/reverts/actions.ts";
import type { RunRow } from "#lib/plan-rules/runs/queries.ts";
import classes from "./plan-rules.module.css";
import { RunResult } from "./run-result.tsx";

const lookMs = 3_000;
const tones = { DONE: "ok", RUNNING: "info", QUEUED: "info", FAILED: "danger" } as const;

/** Runs of the rules: what started them, what they changed, and the way to take one back. */
export function RunsTable({ first }: { first: number | null }) {
  const t = useTranslations("plan-rules");
  const { can, offset } = useSession();
  const [open, setOpen] = useState<number | null>(first);
  const [asked, setAsked] = useState<RunRow | null>(null);
  const [revert] = useAction(revertPlanRun);
  const columns: Column<RunRow>[] = [
    {
      key: "startedAt",
      label: t("column.at"),
      width: 160,
      render: ({ id, startedAt }) => (
        <button type="button" className={classes.name} onClick={() => setOpen(id)}>
          {formatMoment(startedAt, offset)}
        </button>
      ),
    },
    { key: "mode", label: t("column.mode"), width: 110, render: ({ mode }) => t(`mode.${mode}`) },
    { key: "startedByName", label: t("column.startedBy"), width: 130, render: ({ startedByName }) => startedByName ?? t("nobody") },
    {
      key: "status",
      label: t("column.status"),
      width: 100,
      render: ({ status }) => <Tag tone={tones[status]}>{t(`runStatus.${status}`)}</Tag>,
    },
    {
      key: "changedCount",
      label: t("result.changed"),
      width: 80,
      align: "right",
      render: ({ changedCount }) => formatNumber(changedCount),
    },
    {
      key: "skippedCount",
      label: t("result.skipped"),
      width: 80,
      align: "right",
      render: ({ skippedCount }) => formatNumber(skippedCount),
    },
    {
      key: "rules",
      label: t("tab.rules"),
      wrap: true,
      render: ({ rules }) => rules.map(({ name, changed }) => `${name}: ${formatNumber(changed)}`).join(" · "),
    },
  ];
  const back = async () => {
    if (!asked) return;
    const answer = await revert({ runId: asked.id });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else {
      toast.done(t("revertStarted"));
      setOpen(answer.data?.runId ?? null);
    }
  };
  const mayRevert = (row: RunRow) =>
    can("rule.run") &&
    row.status === "DONE" &&
    row.mode !== "REVERT" &&
    row.changedCount > 0 &&
    row.rules.some(({ reverted }) => !reverted);
  return (
    <div className={classes.split} style={open === null ? { gridTemplateColumns: "minmax(0, 1fr)" } : undefined}>
      <DataTable<RunRow>
        label={t("tab.runs")}
        address="planAutoRule/run/list"
        rowKey={({ id }) => id}
        columns={[
          ...columns,
          {
            key: "revert",
            label: t("column.revert"),
            width: 110,
            render: (row) =>
              mayRevert(row) ? (
                <Button size="compact-xs" onClick={() => setAsked(row)}>
                  {t("revert")}
                </Button>
              ) : row.rules.length > 0 && row.rules.every(({ reverted }) => reverted) ? (
                t("isReverted")
              ) : null,
          },
        ]}
        refetchInterval={lookMs}
        empty={<EmptyState icon={<IconHistory size={28} stroke={1} aria-hidden="true" />} title={t("noRuns")} text={t("noRunsText")} />}
      />
      {open === null ? null : (
        <aside className={classes.side} aria-label={t("result.title")}>
          <RunResult key={open} runId={open} narrow />
        </aside>
      )}
      <Confirm opened={asked !== null} verb={t("revert")} title={t("revertTitle")} onConfirm={back} onClose={() => setAsked(null)}>
        {t("revertText", { names: asked?.rules.map(({ name }) => name).join(", ") ?? "" })}
      </Confirm>
    </div>
  );
}

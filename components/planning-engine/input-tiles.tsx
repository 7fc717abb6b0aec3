"use client";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconRefresh } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute } from "#lib/core/format.ts";
import type { InputState } from "#lib/planning-engine/input-check/limits.ts";
import type { BlockStatus } from "#lib/planning-engine/input-check/queries.ts";
import type { SyncStatus } from "#lib/planning-engine/inventory-sync/queries.ts";
import { inputOf } from "./engine-blocks.ts";
import classes from "./home.module.css";

const icon = { size: 16, stroke: 1.4, "aria-hidden": true } as const;
const glyphs: Record<InputState, ReactNode> = {
  configured: <IconCircleCheck {...icon} />,
  configuring: <IconAlertTriangle {...icon} />,
  not_configured: <IconCircleDashed {...icon} />,
};

type Props = {
  versionId: number;
  blocks: readonly BlockStatus[];
  sync: SyncStatus | undefined;
  /** Reads how far the synchronisation is again, where that failed. */
  onReadSync: (() => void) | undefined;
  mayEdit: boolean;
  onSettings: () => void;
  onSync: () => void;
  syncing: boolean;
};

/** The eight inputs of a version: how far each is, its rows and problems, its last upload; the settings open in place, the others as rows. [ENG-17] [ENG-20] */
export function InputTiles({ versionId, blocks, sync, onReadSync, mayEdit, onSettings, onSync, syncing }: Props) {
  const t = useTranslations("engine-home");
  const href = useHref();
  const { offset } = useSession();
  return (
    <ul className={classes.tiles} aria-label={t("tiles.label")}>
      {blocks.map(({ block, state, rows, problems, uploadStatus, uploadedAt }) => {
        const input = inputOf[block];
        const inside = (
          <>
            <span className={classes.state}>
              {glyphs[state]}
              <b>{t(`blocks.${input ?? "setting"}`)}</b>
              <span className={classes.word}>{t(`state.${state}`)}</span>
            </span>
            <span className={classes.figures}>
              {input ? <span>{t("tiles.rows", { count: rows })}</span> : null}
              {problems > 0 ? <span className={classes.wrong}>{t("tiles.problems", { count: problems })}</span> : null}
              {uploadStatus ? (
                <span data-upload={uploadStatus}>
                  {t(`upload.${uploadStatus}`)}
                  {uploadedAt ? ` ${formatMinute(uploadedAt, offset)}` : ""}
                </span>
              ) : null}
            </span>
          </>
        );
        return (
          <li key={block} className={classes.tile} data-state={state}>
            {input ? (
              <Link className={classes.face} href={href("engineInputs", { query: { block: input, versionId } })} prefetch={false}>
                {inside}
              </Link>
            ) : (
              <button type="button" className={classes.face} onClick={onSettings}>
                {inside}
              </button>
            )}
            {block === "inventory" && sync ? (
              <div className={classes.sync} aria-live="polite">
                {sync.state === "failed" ? (
                  <span className={classes.problem}>
                    <MarkGlyph mark="refused" /> {sync.reason ?? t("sync.failed")}
                  </span>
                ) : (
                  <span className={classes.quiet}>
                    {t(`sync.${sync.state}`)}
                    {sync.state === "success" && sync.finishedAt ? ` ${formatMinute(sync.finishedAt, offset)}` : ""}
                    {sync.state === "success" && sync.rows !== null ? ` · ${t("tiles.rows", { count: sync.rows })}` : ""}
                  </span>
                )}
                {mayEdit ? (
                  <Button
                    size="compact-xs"
                    leftSection={<IconRefresh size={14} stroke={1.4} aria-hidden="true" />}
                    loading={syncing}
                    disabled={sync.state === "syncing"}
                    onClick={onSync}
                  >
                    {t(sync.state === "failed" ? "sync.retry" : "sync.verb")}
                  </Button>
                ) : null}
              </div>
            ) : null}
            {block === "inventory" && onReadSync ? (
              <div className={classes.sync} role="alert">
                <span className={classes.problem}>{t("sync.unread")}</span>
                <Button size="compact-xs" onClick={onReadSync}>
                  {t("sync.retry")}
                </Button>
              </div>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

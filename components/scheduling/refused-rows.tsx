"use client";
import { useTranslations } from "next-intl";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import type { RefusedRow } from "#lib/scheduling/queries.ts";
import { FindingTable } from "./preview-result.tsx";
import classes from "./schedule.module.css";

/** Refused DUs, or warnings, with the activity at fault and the reason, in pages. */
export function RefusedRows({ rows, label }: { rows: readonly RefusedRow[]; label?: string }) {
  const t = useTranslations("scheduling.release");
  return (
    <PagedRows rows={rows} startSize={100} label={label ?? t("refused")} className={classes.rows}>
      {(shown) => (rows.length === 0 ? <EmptyState title={t("noneRefused")} /> : <FindingTable rows={shown} />)}
    </PagedRows>
  );
}

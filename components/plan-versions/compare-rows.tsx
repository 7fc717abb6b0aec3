"use client";
import { IconArrowLeft, IconArrowRight, IconEqual, IconMinus, IconPlus } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ComponentType } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { ChangeKind } from "#lib/plan-versions/comparison/limits.ts";
import type { CompareRow } from "#lib/plan-versions/comparison/queries.ts";
import classes from "./versions.module.css";

/** What became of a date, as a sign besides its word and colour. */
export const kindIcons: Record<ChangeKind, ComponentType<{ size: number; stroke: number; "aria-hidden": boolean }>> = {
  later: IconArrowRight,
  earlier: IconArrowLeft,
  same: IconEqual,
  added: IconPlus,
  removed: IconMinus,
};

/** A number of days with its sign. */
export function signed(days: number): string {
  return days > 0 ? `+${formatNumber(days)}` : formatNumber(days);
}

/** Dates that differ, old and new, with the way to the DU in the plan. */
export function CompareRows({ rows, busy }: { rows: readonly CompareRow[]; busy: boolean }) {
  const t = useTranslations("plan-versions.compare");
  const common = useTranslations("common");
  const href = useHref();
  if (rows.length === 0) return <EmptyState title={t("nothing")} />;
  return (
    <ScrollRegion className={classes.rows} label={t("rows")} busy={busy}>
      <table className={classes.table} aria-label={t("rows")}>
        <thead>
          <tr>
            <th scope="col">{common("du")}</th>
            <th scope="col">{common("name")}</th>
            <th scope="col">{common("region")}</th>
            <th scope="col">{common("activity")}</th>
            <th scope="col">{t("change")}</th>
            <th scope="col">{t("old")}</th>
            <th scope="col">{t("new")}</th>
            <th scope="col" data-align="right">
              {t("days")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const Icon = kindIcons[row.kind];
            return (
              <tr key={`${row.duId} ${row.activityId} ${row.field}`} data-kind={row.kind}>
                <td>
                  <Link href={href("rolloutPlan", { query: { du: row.duCode } })} prefetch={false}>
                    {row.duCode}
                  </Link>
                </td>
                <td title={row.duName}>{row.duName}</td>
                <td>{row.regionName ?? emptyText}</td>
                <td title={row.activityName}>{row.activityName}</td>
                <td>
                  <span className={classes.kind}>
                    <Icon size={12} stroke={1.7} aria-hidden />
                    {t(`kind.${row.kind}`)}
                  </span>
                </td>
                <td className={classes.old}>{row.old ?? emptyText}</td>
                <td>{row.now ?? emptyText}</td>
                <td data-align="right">{row.days === null ? emptyText : signed(row.days)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

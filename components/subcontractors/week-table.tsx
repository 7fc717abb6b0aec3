"use client";
import { useTranslations } from "next-intl";
import plain from "#components/ui/plain-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { formatNumber } from "#lib/core/format.ts";
import type { CapacityWeek } from "#lib/resources/capacity/logic.ts";
import classes from "./subcontractors.module.css";

/** The weeks of a capacity in figures; a star marks what was set by hand. */
export function WeekTable({ weeks: rows }: { weeks: readonly CapacityWeek[] }) {
  const t = useTranslations("subcontractors.capacity");
  return (
    <ScrollRegion label={t("weeks")} className={plain.scroll}>
      <table className={`${plain.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">{t("week")}</th>
            {(["can", "planned", "needed"] as const).map((key) => (
              <th key={key} scope="col" data-align="right">
                {t(key)}
              </th>
            ))}
            <th scope="col">{t("state")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ week, capacity, planned, needed, over, manual }) => (
            <tr key={week} data-over={over || undefined}>
              <td>{week}</td>
              <td data-align="right">{`${formatNumber(capacity)}${manual ? "*" : ""}`}</td>
              <td data-align="right">{formatNumber(planned)}</td>
              <td data-align="right">{formatNumber(needed)}</td>
              <td>
                <Tag tone={over ? "danger" : "ok"}>{t(over ? "over" : "enough")}</Tag>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

"use client";
import { useTranslations } from "next-intl";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import { formatNumber, formatShare } from "#lib/core/format.ts";
import type { GapTotal } from "#lib/planning-engine/outputs/schema.ts";
import classes from "./outputs.module.css";

type Props = { totals: readonly GapTotal[]; by: "shortQty" | "dus"; onItem: (itemCode: string) => void };

/** Items by how much is short of them, the worst first, each with the share of all that it and those before it make up. An item leads to its DUs. */
export function GapPareto({ totals, by, onItem }: Props) {
  const t = useTranslations("outputs.gaps.pareto");
  const sorted = [...totals].sort((a, b) => b[by] - a[by] || (a.itemCode < b.itemCode ? -1 : 1));
  const all = sorted.reduce((sum, one) => sum + one[by], 0);
  const most = Math.max(1, sorted[0]?.[by] ?? 1);
  let before = 0;
  const rows = sorted.map((one) => {
    before += one[by];
    return { ...one, upTo: before };
  });
  return (
    <PagedRows rows={rows} startSize={50} label={t("label")} className={classes.paretoScroll}>
      {(shown) => (
        <table className={classes.pareto} aria-label={t("label")}>
          <thead>
            <tr>
              <th scope="col">{t("item")}</th>
              <th scope="col">{t(by)}</th>
              <th scope="col" data-align="right">
                {t("upTo")}
              </th>
              <th scope="col" data-align="right">
                {t("dusOf")}
              </th>
              <th scope="col">{t("first")}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.itemCode}>
                <th scope="row">
                  <button type="button" className={classes.link} onClick={() => onItem(row.itemCode)}>
                    {row.itemCode}
                  </button>
                </th>
                <td>
                  <span className={classes.paretoBar}>
                    <span className={classes.track}>
                      <span style={{ width: `${(row[by] / most) * 100}%` }} />
                    </span>
                    <b>{formatNumber(row[by])}</b>
                  </span>
                </td>
                <td data-align="right">{formatShare(row.upTo, all, 1)}</td>
                <td data-align="right">{formatNumber(row.dus)}</td>
                <td>{row.firstNeed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </PagedRows>
  );
}

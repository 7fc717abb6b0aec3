"use client";

import { useTranslations } from "next-intl";
import { StatusGlyph } from "#components/ui/status-glyph.tsx";
import { formatNumber } from "#lib/core/format.ts";
import { type PointStatus, pointStatuses } from "#lib/rollout-plan/map-points/limits.ts";
import styles from "./map-page.module.css";
import { statusTone } from "./plan-cells.ts";

/** Order of the legend: what needs somebody first. */
const order: readonly PointStatus[] = [
  "delayed",
  "within7",
  "after7",
  "approving",
  "completed",
  "closed",
  "notPlanned",
  "na",
  "inv",
  "notApplicable",
  "noFlow",
];

/** What the glyphs on the map mean, with how many points have each; only statuses that occur. */
export function MapLegend({ statuses, counts }: { statuses: Uint8Array; counts: boolean }) {
  const t = useTranslations("plan-map");
  const words = useTranslations("plan-grid.status");
  const found = new Array<number>(pointStatuses.length).fill(0);
  for (const status of statuses) found[status] = (found[status] ?? 0) + 1;
  const shown = order.filter((status) => found[pointStatuses.indexOf(status)]);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.legend} aria-label={t("legend")}>
      {shown.map((status) => (
        <li key={status}>
          <StatusGlyph status={statusTone(status)} />
          {words(status)}
          {counts ? <span className={styles.count}>{formatNumber(found[pointStatuses.indexOf(status)] ?? 0)}</span> : null}
        </li>
      ))}
    </ul>
  );
}

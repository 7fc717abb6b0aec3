"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { formatNumber } from "#lib/core/format.ts";
import type { CurvePoint } from "#lib/dimension-views/clusters/logic.ts";
import classes from "./clusters.module.css";

const width = 360;
const height = 180;
const edge = { left: 36, right: 8, top: 8, bottom: 22 };

type Props = {
  curve: readonly CurvePoint[];
  /** DUs of the cluster: the top of the chart. */
  total: number;
  /** Done DUs that make it ready. */
  wanted: number;
};

/** The cutover of a cluster day by day: DUs planned and done up to then. The same as a table on request. */
export function ClusterCurve({ curve, total, wanted }: Props) {
  const t = useTranslations("clusters.curve");
  const [asTable, setAsTable] = useState(false);
  const [first, last] = [curve[0], curve.at(-1)];
  if (!first || !last) return <p className={classes.help}>{t("empty")}</p>;
  const most = Math.max(1, total);
  const [from, to] = [Date.parse(first.day), Math.max(Date.parse(first.day) + 1, Date.parse(last.day))];
  const x = (day: string) => edge.left + ((Date.parse(day) - from) / (to - from)) * (width - edge.left - edge.right);
  const y = (value: number) => height - edge.bottom - (value / most) * (height - edge.top - edge.bottom);
  // A number holds until the next day changes it.
  const steps = (of: "planned" | "actual", points: readonly CurvePoint[]) =>
    points.reduce((path, point, at) => `${path}${at === 0 ? `M${x(point.day)} ${y(0)}` : `H${x(point.day)}`}V${y(point[of])}`, "");
  const lastActual = curve.findLastIndex((point, at) => point.actual > (curve[at - 1]?.actual ?? 0));
  const done = curve.slice(0, lastActual + 1);
  return (
    <figure className={classes.curve}>
      <figcaption>
        <span className={classes.key} data-line="planned">
          {t("planned")}
        </span>
        <span className={classes.key} data-line="actual">
          {t("actual")}
        </span>
        <span className={classes.key} data-line="wanted">
          {t("wanted")}
        </span>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setAsTable(!asTable)}>
          {t(asTable ? "asChart" : "asTable")}
        </Button>
      </figcaption>
      {asTable ? (
        <ScrollRegion className={classes.curveTable} label={t("label")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("day")}</th>
                <th scope="col">{t("planned")}</th>
                <th scope="col">{t("actual")}</th>
              </tr>
            </thead>
            <tbody>
              {curve.map((point) => (
                <tr key={point.day}>
                  <td>{point.day}</td>
                  <td>{formatNumber(point.planned)}</td>
                  <td>{formatNumber(point.actual)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      ) : (
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={t("ends", { planned: formatNumber(last.planned), actual: formatNumber(last.actual), total: formatNumber(total) })}
        >
          {[0, 0.5, 1].map((share) => (
            <g key={share}>
              <line x1={edge.left} x2={width - edge.right} y1={y(most * share)} y2={y(most * share)} stroke="var(--c-grid)" />
              <text x={edge.left - 6} y={y(most * share) + 4} textAnchor="end">
                {formatNumber(Math.round(most * share))}
              </text>
            </g>
          ))}
          <line
            x1={edge.left}
            x2={width - edge.right}
            y1={y(Math.min(wanted, most))}
            y2={y(Math.min(wanted, most))}
            stroke="var(--warn)"
            strokeDasharray="2 3"
          />
          <path d={steps("planned", curve)} fill="none" stroke="var(--c-plan)" strokeWidth={1.5} strokeDasharray="5 3" />
          <path d={steps("actual", done)} fill="none" stroke="var(--ok)" strokeWidth={2} />
          <text x={edge.left} y={height - 6}>
            {first.day}
          </text>
          <text x={width - edge.right} y={height - 6} textAnchor="end">
            {last.day}
          </text>
        </svg>
      )}
    </figure>
  );
}

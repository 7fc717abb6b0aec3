"use client";
import { useTranslations } from "next-intl";
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatNumber } from "#lib/core/format.ts";
import type { SupplyPoint } from "./material-fill.ts";
import classes from "./outputs.module.css";

/** What is needed is dashed, what there is is solid. */
const looks = {
  needed: { stroke: "var(--fg-1)", strokeWidth: 1.5, strokeDasharray: "6 4" },
  supply: { stroke: "var(--c1)", strokeWidth: 2 },
} as const;
const lines = ["needed", "supply"] as const;
const height = 190;

/** Needs of an item against its supply, both added up over time: where the dashed line is above, it is short. */
export function SupplyChart({ itemCode, points }: { itemCode: string; points: readonly SupplyPoint[] }) {
  const t = useTranslations("outputs.material.chart");
  const last = points.at(-1);
  const short = points.find(({ needed, supply }) => needed > supply);
  const said = t(short ? "saidShort" : "said", {
    item: itemCode,
    needed: formatNumber(last?.needed),
    supply: formatNumber(last?.supply),
    day: short?.from ?? "",
  });
  return (
    <figure className={classes.chart} aria-label={t("label", { item: itemCode })}>
      <ul className={classes.chartLegend}>
        <li>
          <b>{itemCode}</b>
        </li>
        {lines.map((line) => (
          <li key={line}>
            <svg width="24" height="8" aria-hidden="true">
              <line x1="0" x2="24" y1="4" y2="4" {...looks[line]} />
            </svg>
            {t(line)}
          </li>
        ))}
        <li className={short ? classes.bad : undefined}>{said}</li>
      </ul>
      <div role="img" aria-label={said}>
        <ResponsiveContainer width="100%" height={height}>
          <LineChart data={points as SupplyPoint[]} accessibilityLayer={false} margin={{ left: 8, right: 24, top: 8, bottom: 0 }}>
            <CartesianGrid vertical={false} stroke="var(--c-grid)" />
            <XAxis dataKey="from" minTickGap={48} axisLine={{ stroke: "var(--line-3)" }} tickLine={false} />
            <YAxis axisLine={false} tickLine={false} width={64} tickFormatter={(value: number) => formatNumber(value)} />
            <Tooltip
              isAnimationActive={false}
              content={({ active, payload }) => {
                const point = payload?.[0]?.payload as SupplyPoint | undefined;
                if (!active || !point) return null;
                return (
                  <div className={classes.readOut}>
                    <strong>{point.from}</strong>
                    {lines.map((line) => (
                      <p key={line}>
                        <span>{t(line)}</span>
                        <span>{formatNumber(point[line])}</span>
                      </p>
                    ))}
                  </div>
                );
              }}
            />
            {lines.map((line) => (
              <Line key={line} dataKey={line} type="stepAfter" dot={false} isAnimationActive={false} {...looks[line]} />
            ))}
          </LineChart>
        </ResponsiveContainer>
      </div>
    </figure>
  );
}

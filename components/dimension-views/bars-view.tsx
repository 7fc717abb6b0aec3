"use client";
import { Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { formatNumber } from "#lib/core/format.ts";
import type { Figures, ViewRow } from "#lib/dimension-views/counts/logic.ts";
import type { View } from "#lib/dimension-views/counts/queries.ts";
import { type Drill, rateText } from "./view-table.tsx";
import classes from "./views.module.css";

/** What of a bar is drawn how: done, late, and the rest that is still to do. */
const parts = [
  { key: "done", fill: "var(--st-completed)" },
  { key: "delayed", fill: "var(--st-delayed)" },
  { key: "open", fill: "var(--c-plan)" },
] as const;
const rowHeight = 28;
const frameHeight = 48;

type Point = { row: ViewRow; name: string; done: number; delayed: number; open: number; rate: number | null };

/** The shown values as bars of one activity: done, delayed, still to do; where amounts are hidden, the rate. A click opens the DUs. */
export function BarsView({ view, onDrill }: { view: View; onDrill: (drill: Drill) => void }) {
  const t = useTranslations("dimension-views");
  const common = useTranslations("common");
  const [chosen, setChosen] = useState(view.activities[0]?.id ?? null);
  const place = Math.max(
    0,
    view.activities.findIndex(({ id }) => id === chosen),
  );
  const activity = view.activities[place];
  const points = view.rows.map((row): Point => {
    const { done, delayed, applicable, rate } = row.figures[place] as Figures;
    const name = row.kind === "value" ? (row.title ?? "") : t(`rows.${row.kind}`);
    return { row, name, done: done ?? 0, delayed: delayed ?? 0, open: (applicable ?? 0) - (done ?? 0) - (delayed ?? 0), rate };
  });
  const shown = view.hidden ? ([{ key: "rate", fill: "var(--c1)" }] as const) : parts;
  const open = (bucket: "done" | "delayed" | "applicable", { row }: Point) =>
    onDrill({ row: row.kind, value: row.value, bucket, ...(activity ? { activityId: activity.id } : {}) });
  const said = points
    .map(({ name, done, delayed, rate }) =>
      view.hidden ? `${name} ${rateText(rate)}` : t("bars.said", { name, done, delayed, rate: rateText(rate) }),
    )
    .join("; ");
  return (
    <>
      <div className={classes.pickers}>
        <Select
          size="xs"
          w={220}
          searchable
          allowDeselect={false}
          aria-label={common("activity")}
          data={view.activities.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={activity ? String(activity.id) : null}
          onChange={(value) => setChosen(Number(value))}
        />
        <ul className={classes.legend}>
          {shown.map(({ key, fill }) => (
            <li key={key}>
              <span className={classes.swatch} style={{ background: fill }} aria-hidden="true" />
              {t(`bars.${key}`)}
            </li>
          ))}
        </ul>
      </div>
      <ScrollRegion className={classes.figure} label={t("look.bars")}>
        <div role="img" aria-label={said}>
          <ResponsiveContainer width="100%" height={points.length * rowHeight + frameHeight}>
            <BarChart
              data={points}
              layout="vertical"
              barCategoryGap={4}
              accessibilityLayer={false}
              margin={{ left: 8, right: 24, top: 8, bottom: 0 }}
            >
              <CartesianGrid horizontal={false} stroke="var(--c-grid)" />
              <XAxis
                type="number"
                allowDecimals={view.hidden}
                {...(view.hidden ? { domain: [0, 100], unit: " %" } : {})}
                axisLine={false}
                tickLine={false}
              />
              <YAxis type="category" dataKey="name" width={180} interval={0} axisLine={{ stroke: "var(--line-3)" }} tickLine={false} />
              <Tooltip
                cursor={{ fill: "var(--bg-hover)" }}
                isAnimationActive={false}
                content={({ active, payload }) => {
                  const point = payload?.[0]?.payload as Point | undefined;
                  if (!active || !point) return null;
                  return (
                    <div className={classes.readOut}>
                      <strong>{point.name}</strong>
                      {view.hidden
                        ? null
                        : parts.map(({ key }) => (
                            <p key={key}>
                              <span>{t(`bars.${key}`)}</span>
                              <span>{formatNumber(point[key])}</span>
                            </p>
                          ))}
                      <p>
                        <span>{t("parts.rate")}</span>
                        <span>{rateText(point.rate)}</span>
                      </p>
                    </div>
                  );
                }}
              />
              {shown.map(({ key, fill }) => (
                <Bar
                  key={key}
                  dataKey={key}
                  stackId="all"
                  fill={fill}
                  isAnimationActive={false}
                  cursor="pointer"
                  onClick={(_, at) => {
                    const point = points[at];
                    if (point) open(key === "done" || key === "delayed" ? key : "applicable", point);
                  }}
                />
              ))}
            </BarChart>
          </ResponsiveContainer>
        </div>
      </ScrollRegion>
    </>
  );
}

"use client";
import { SegmentedControl, Select, Switch } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import { type TrendGrain, type TrendLine, trendGrains, trendLines } from "#lib/dimension-views/counts/limits.ts";
import type { Trend, View } from "#lib/dimension-views/counts/queries.ts";
import classes from "./views.module.css";

/** What is done is solid, what was planned dashed, what was promised dotted. */
const looks: Record<TrendLine, { stroke: string; strokeWidth: number; strokeDasharray?: string }> = {
  plan: { stroke: "var(--c-plan)", strokeWidth: 1.5, strokeDasharray: "6 4" },
  actual: { stroke: "var(--c1)", strokeWidth: 2 },
  baseline: { stroke: "var(--fg-3)", strokeWidth: 1.5, strokeDasharray: "2 3" },
};
const height = 420;
const dayMs = 86_400_000;
/** Longest step of each grain: over more than it nothing ended, and the lines stay level. */
const stepMs: Record<TrendGrain, number> = { day: dayMs, week: 7 * dayMs, month: 31 * dayMs };
const everyRow = "all";

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** How many DUs were to be done by when, were promised to be, and are: of one activity, of all values or one. */
export function CurveView({ tab, view, filters }: { tab: { id: number }; view: View; filters: readonly object[] }) {
  const t = useTranslations("dimension-views");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const [activityId, setActivityId] = useState(view.activities[0]?.id ?? null);
  const [row, setRow] = useState(everyRow);
  const [grain, setGrain] = useState<TrendGrain>("week");
  const [asTable, setAsTable] = useState(false);
  const rows = view.rows.map(({ kind, value, title }) => ({
    key: kind === "value" ? `= ${value}` : kind,
    input: { row: kind, ...(value === null ? {} : { value }) },
    label: kind === "value" ? (title ?? "") : t(`rows.${kind}`),
  }));
  const chosen = rows.find(({ key }) => key === row);
  const asked = { tabId: tab.id, filters, activityId, grain, ...chosen?.input };
  const found = useQuery({
    queryKey: ["dimension trend", project, asked, view.seq],
    queryFn: async ({ signal }) => dataOf(await callDoor<Trend>("multiDim/trend", asked, { signal })),
    enabled: activityId !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const trend = found.data;
  const unit = trend?.percent ? "\u00a0%" : "";
  const points = (trend?.steps ?? []).map((step, at) => ({
    at: Date.parse(step),
    step,
    ...(Object.fromEntries(trendLines.map((line) => [line, trend?.lines[line][at] ?? 0])) as Record<TrendLine, number>),
  }));
  const last = points.at(-1);
  const drawn = points.flatMap((point, place) => {
    const before = points[place - 1] ?? { ...point, at: Number.NEGATIVE_INFINITY, plan: 0, actual: 0, baseline: 0 };
    return point.at - before.at > stepMs[grain] ? [{ ...before, at: point.at - stepMs[grain] }, point] : [point];
  });
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
          value={activityId === null ? null : String(activityId)}
          onChange={(value) => setActivityId(Number(value))}
        />
        <Select
          size="xs"
          w={200}
          searchable
          allowDeselect={false}
          aria-label={common("value")}
          data={[{ value: everyRow, label: t("rows.all") }, ...rows.map(({ key, label }) => ({ value: key, label }))]}
          value={chosen ? row : everyRow}
          onChange={(value) => setRow(value ?? everyRow)}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("curve.grain")}
          data={trendGrains.map((value) => ({ value, label: t(`curve.${value}`) }))}
          value={grain}
          onChange={(value) => setGrain(value as TrendGrain)}
        />
        <Switch size="xs" label={t("curve.asTable")} checked={asTable} onChange={(event) => setAsTable(event.currentTarget.checked)} />
      </div>
      {found.isError ? <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => void found.refetch()} /> : null}
      {trend && points.length === 0 ? <EmptyState title={t("curve.empty")} /> : null}
      {points.length > 0 && asTable ? (
        <ScrollRegion className={classes.scroll} label={t("look.curve")} busy={found.isFetching}>
          <table className={classes.list} aria-label={t("look.curve")}>
            <thead>
              <tr>
                <th scope="col">{t("curve.until")}</th>
                {trendLines.map((line) => (
                  <th key={line} scope="col">
                    {t(`curve.${line}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map((point) => (
                <tr key={point.step}>
                  <th scope="row">{point.step}</th>
                  {trendLines.map((line) => (
                    <td key={line}>
                      {formatNumber(point[line])}
                      {unit}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      ) : null}
      {last && !asTable ? (
        <figure className={classes.figure}>
          <ul className={classes.legend}>
            {trendLines.map((line) => (
              <li key={line}>
                <svg width="24" height="8" aria-hidden="true">
                  <line x1="0" x2="24" y1="4" y2="4" {...looks[line]} />
                </svg>
                {t(`curve.${line}`)}
              </li>
            ))}
          </ul>
          <div
            role="img"
            aria-label={trendLines
              .map((line) => t("curve.said", { line: t(`curve.${line}`), count: `${formatNumber(last[line])}${unit}` }))
              .join("; ")}
          >
            <ResponsiveContainer width="100%" height={height}>
              <LineChart data={drawn} accessibilityLayer={false} margin={{ left: 8, right: 24, top: 8, bottom: 0 }}>
                <CartesianGrid vertical={false} stroke="var(--c-grid)" />
                <XAxis
                  dataKey="at"
                  type="number"
                  scale="time"
                  domain={["dataMin", "dataMax"]}
                  tickFormatter={dayOf}
                  minTickGap={48}
                  axisLine={{ stroke: "var(--line-3)" }}
                  tickLine={false}
                />
                <YAxis allowDecimals={false} unit={unit} axisLine={false} tickLine={false} width={56} />
                <Tooltip
                  isAnimationActive={false}
                  content={({ active, payload }) => {
                    const point = payload?.[0]?.payload as (typeof points)[number] | undefined;
                    if (!active || !point) return null;
                    return (
                      <div className={classes.readOut}>
                        <strong>{dayOf(point.at)}</strong>
                        {trendLines.map((line) => (
                          <p key={line}>
                            <span>{t(`curve.${line}`)}</span>
                            <span>
                              {formatNumber(point[line])}
                              {unit}
                            </span>
                          </p>
                        ))}
                      </div>
                    );
                  }}
                />
                {trendLines.map((line) => (
                  <Line key={line} dataKey={line} type="linear" dot={false} isAnimationActive={false} {...looks[line]} />
                ))}
              </LineChart>
            </ResponsiveContainer>
          </div>
        </figure>
      ) : null}
    </>
  );
}

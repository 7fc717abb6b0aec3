"use client";
import { useTranslations } from "next-intl";
import { formatNumber } from "#lib/core/format.ts";
import type { CapacityWeek } from "#lib/resources/capacity/logic.ts";
import classes from "./subcontractors.module.css";

const width = 1_000;
const height = 260;
const edge = { left: 56, right: 16, top: 12, bottom: 28 };
const lines = [
  { key: "capacity", color: "var(--c1)", dash: undefined },
  { key: "needed", color: "var(--fg-1)", dash: "6 4" },
] as const;

/** What can be done a week and what the plan needs; weeks with too much are red, and marked at the foot. */
export function CapacityChart({ label, weeks }: { label: string; weeks: readonly CapacityWeek[] }) {
  const t = useTranslations("subcontractors.capacity");
  const most = Math.max(1, ...weeks.flatMap(({ capacity, needed }) => [capacity, needed]));
  const step = (width - edge.left - edge.right) / Math.max(1, weeks.length - 1);
  const x = (at: number) => edge.left + at * step;
  const y = (value: number) => height - edge.bottom - (value / most) * (height - edge.top - edge.bottom);
  const over = weeks.filter((week) => week.over).map(({ week }) => week);
  const every = Math.max(1, Math.ceil(weeks.length / 8));
  return (
    <figure className={classes.chart}>
      <ul className={classes.legend}>
        <li>{label}</li>
        {lines.map(({ key, color, dash }) => (
          <li key={key}>
            <svg width={24} height={8} aria-hidden="true">
              <line x1={0} x2={24} y1={4} y2={4} stroke={color} strokeWidth={2} strokeDasharray={dash} />
            </svg>
            {t(key === "capacity" ? "can" : "needed")}
          </li>
        ))}
        <li>{t("overWeeks", { count: over.length })}</li>
      </ul>
      <svg
        className={classes.lines}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${label}: ${t("overWeeks", { count: over.length })} ${over.join(", ")}`}
      >
        {weeks.map(({ week, over: red }, at) =>
          red ? (
            <rect
              key={week}
              x={x(at) - step / 2}
              y={edge.top}
              width={step}
              height={height - edge.bottom - edge.top}
              fill="var(--danger)"
              opacity={0.18}
            />
          ) : null,
        )}
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line x1={edge.left} x2={width - edge.right} y1={y(most * share)} y2={y(most * share)} stroke="var(--c-grid)" />
            <text x={edge.left - 8} y={y(most * share) + 4} textAnchor="end">
              {formatNumber(Math.round(most * share * 10) / 10)}
            </text>
          </g>
        ))}
        {weeks.map(({ week, over: red }, at) => (
          <g key={week}>
            {at % every === 0 ? (
              <text x={x(at)} y={height - 8} textAnchor={at === 0 ? "start" : "middle"}>
                {week}
              </text>
            ) : null}
            {red ? <path d={`M${x(at)},${edge.top + 2} l5,9 l-10,0 z`} fill="var(--danger)" /> : null}
          </g>
        ))}
        {lines.map(({ key, color, dash }) => (
          <polyline
            key={key}
            points={weeks.map((week, at) => `${x(at)},${y(week[key])}`).join(" ")}
            fill="none"
            stroke={color}
            strokeWidth={2}
            strokeDasharray={dash}
          />
        ))}
      </svg>
    </figure>
  );
}

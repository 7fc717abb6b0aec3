"use client";
import { useTranslations } from "next-intl";
import { formatNumber } from "#lib/core/format.ts";
import type { Progress, ProgressLine } from "#lib/plan-versions/progress/queries.ts";
import classes from "./versions.module.css";

const colours = ["var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"] as const;
const dashes = ["6 4", "2 3", "10 4", "6 3 2 3"] as const;

/** Colour and dash of a line: what is done is solid, what was planned is dashed, versions differ in both. */
export function lineLook(line: ProgressLine, at: number): { color: string; dash: string | undefined } {
  if (line.kind === "actual") return { color: "var(--ok)", dash: undefined };
  if (line.versionId === null) return { color: "var(--fg-1)", dash: "2 4" };
  return { color: colours[at % colours.length]!, dash: dashes[Math.floor(at / colours.length) % dashes.length]! };
}

const width = 1_000;
const height = 360;
const edge = { left: 56, right: 16, top: 12, bottom: 28 };

/** Cumulative lines over time, with today among them. */
export function ProgressChart({ progress, name }: { progress: Progress; name: (line: ProgressLine) => string }) {
  const t = useTranslations("plan-versions.progress");
  const common = useTranslations("common");
  const { steps, lines, today } = progress;
  const most = Math.max(1, ...lines.flatMap(({ values }) => values));
  const first = Date.parse(steps[0]!);
  const last = Math.max(first + 1, Date.parse(steps.at(-1)!));
  const x = (step: string) => edge.left + ((Date.parse(step) - first) / (last - first)) * (width - edge.left - edge.right);
  const y = (value: number) => height - edge.bottom - (value / most) * (height - edge.top - edge.bottom);
  const todayX = x(today);
  const isLate = todayX > width * 0.9;
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(most * share));
  const every = Math.max(1, Math.ceil(steps.length / 8));
  const label = lines.map((line) => t("lineEnds", { name: name(line), count: formatNumber(line.values.at(-1) ?? 0) })).join("; ");
  return (
    <svg className={classes.lines} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {marks.map((mark) => (
        <g key={mark}>
          <line x1={edge.left} x2={width - edge.right} y1={y(mark)} y2={y(mark)} stroke="var(--c-grid)" />
          <text x={edge.left - 8} y={y(mark) + 4} textAnchor="end">
            {formatNumber(mark)}
          </text>
        </g>
      ))}
      {steps.map((step, at) =>
        at % every === 0 ? (
          <text key={step} x={x(step)} y={height - 8} textAnchor={at === 0 ? "start" : at === steps.length - 1 ? "end" : "middle"}>
            {step}
          </text>
        ) : null,
      )}
      {today >= steps[0]! && today <= steps.at(-1)! ? (
        <g className={classes.today}>
          <line x1={todayX} x2={todayX} y1={edge.top} y2={height - edge.bottom} />
          <text x={todayX + (isLate ? -6 : 6)} y={edge.top + 10} textAnchor={isLate ? "end" : "start"}>
            {common("today")}
          </text>
        </g>
      ) : null}
      {lines.map((line, at) => {
        const { color, dash } = lineLook(line, at);
        return (
          <polyline
            key={name(line)}
            points={line.values.map((value, step) => `${x(steps[step]!)},${y(value)}`).join(" ")}
            fill="none"
            stroke={color}
            strokeWidth={2}
            strokeDasharray={dash}
          />
        );
      })}
    </svg>
  );
}

"use client";

import { useTranslations } from "next-intl";
import chart from "#components/ui/time-chart.module.css";
import { isoDay } from "#lib/core/clock.ts";
import { formatRange } from "#lib/core/format.ts";
import styles from "./gantt.module.css";
import type { Binding } from "./gantt-binding.ts";
import type { ActivityBar } from "./gantt-model.ts";

type Props = {
  name: string;
  state: string;
  bar: ActivityBar;
  binding: Binding | null;
  /** Name of the activity that binds it. */
  boundBy: string;
  place: { left: number; top: number; isAbove: boolean };
};

/** What a bar stands for and what holds it where it is; stands below or above the bar, never over it. */
export function GanttTip({ name, state, bar, binding, boundBy, place }: Props) {
  const t = useTranslations("plan-timeline.tip");
  const range = (from: number, to: number) => (from || to ? formatRange(isoDay(from), isoDay(to)) : "-");
  const lines: [label: string, value: string, className?: string | undefined][] = [
    [t("plan"), range(bar.planStart, bar.planEnd)],
    ...(bar.actualStart || bar.actualEnd ? [[t("actual"), range(bar.actualStart, bar.actualEnd)] as [string, string]] : []),
    ...(bar.baselineStart || bar.baselineEnd ? [[t("baseline"), range(bar.baselineStart, bar.baselineEnd)] as [string, string]] : []),
    ...(bar.slip
      ? [
          [t("slip"), t("days", { days: bar.slip > 0 ? `+${bar.slip}` : String(bar.slip) }), bar.slip > 0 ? styles.over : styles.under] as [
            string,
            string,
            string | undefined,
          ],
        ]
      : []),
    ...(binding
      ? [[t("bound"), `${boundBy} ${binding.type}${binding.offset > 0 ? `+${binding.offset}` : binding.offset || ""}`] as [string, string]]
      : []),
  ];
  return (
    <div
      className={`${chart.tip} ${styles.tip} ${place.isAbove ? styles.above : ""}`}
      style={{ left: place.left, top: place.top }}
      role="tooltip"
    >
      <p>
        <b>{name}</b>
        <span>{state}</span>
      </p>
      <dl>
        {lines.map(([label, value, className]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={className}>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

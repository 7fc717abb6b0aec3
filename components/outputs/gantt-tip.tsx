"use client";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import chart from "#components/ui/time-chart.module.css";
import { isoDay } from "#lib/core/clock.ts";
import { formatRange } from "#lib/core/format.ts";
import { teamText } from "#lib/planning-engine/outputs/logic.ts";
import type { Gantt, GanttBar, OutputDetails } from "#lib/planning-engine/outputs/schema.ts";
import { useBindingWords } from "./binding-words.ts";
import { useOutput } from "./use-output.ts";

const tipWidth = 320;
const tipRoom = 150;
const lineHeight = 28;
/** Milliseconds one looks at a bar before its DU is read for the whole sentence. */
const restMs = 150;

type Props = {
  runId: number;
  bar: GanttBar;
  gantt: Gantt;
  box: HTMLElement;
  /** Place of the bar in the scrolled content. */
  left: number;
  top: number;
  isLate: number;
};

/** What a bar stands for and what holds it where it is; stands below or above the bar, never over it. */
export function GanttTip({ runId, bar, gantt, box, left, top, isLate }: Props) {
  const t = useTranslations("outputs.gantt.tip");
  const words = useBindingWords();
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), restMs);
    return () => clearTimeout(timer);
  }, []);
  const detail = useOutput<OutputDetails>("engine/output/find/outputPlan/details", { runId, duId: bar.duId }, { enabled: rested });
  const whole = detail.isPlaceholderData
    ? undefined
    : detail.data?.activities.find(({ position }) => position === bar.position)?.binding?.text;
  const flow = gantt.flows[bar.workflow];
  const pool = bar.pool > 0 ? gantt.pools[bar.pool - 1] : undefined;
  const named = bar.binding === "predecessor" || bar.binding === "successor" ? (flow?.activities[bar.bindingRef] ?? null) : null;
  const [x, y] = [left - box.scrollLeft, top - box.scrollTop];
  const isAbove = y + lineHeight + tipRoom > box.clientHeight;
  const facts: [string, string][] = [
    [t("dates"), formatRange(isoDay(bar.startDay), isoDay(bar.endDay))],
    ...(pool ? [[t("team"), teamText(pool, bar.team)] as [string, string]] : []),
    [t("bound"), whole ?? words(bar.binding, named)],
    ...(isLate > 0 ? [[t("late"), t("lateDays", { count: isLate })] as [string, string]] : []),
  ];
  return (
    <div
      className={chart.tip}
      role="tooltip"
      aria-live="polite"
      style={{
        width: tipWidth,
        left: box.offsetLeft + Math.max(8, Math.min(x, box.clientWidth - tipWidth - 8)),
        top: box.offsetTop + (isAbove ? y - 4 : y + lineHeight + 2),
        transform: isAbove ? "translateY(-100%)" : undefined,
      }}
    >
      <p>
        <b>{flow?.activities[bar.position]}</b>
        <span>{bar.duCode}</span>
      </p>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

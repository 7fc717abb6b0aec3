import { dayLeft } from "#components/ui/time-axis.ts";
import { isoDay } from "#lib/core/clock.ts";
import type { GanttContent, LineLook } from "./gantt-content.ts";

/** A milestone's half width, and the gap between a bar and its label. */
export const diamond = 7;
const labelGap = 13;

/** Where a part of a line lies on the axis, in pixels. */
export type Span = { left: number; width: number };

/** What of a line is drawn on the axis, each part by the name of its class; null where there is none. */
export type LineShapes = {
  base: Span | null;
  plan: (Span & { kind: "plan" | "diamond" | "solid" | "span" }) | null;
  actual: (Span & { kind: "actual" | "spanDone" }) | null;
  /** The dots from a bar to today. */
  late: Span | null;
  label: { left: number; day: string; slip: string } | null;
};

const none: LineShapes = { base: null, plan: null, actual: null, late: null, label: null };
const span = (left: number, width: number): Span => ({ left, width: Math.max(1, width) });

/** Where the parts of a line lie: a DU from its first to its last day, an activity by its dates. */
export function lineShapes(look: LineLook, { axis, today, options }: Pick<GanttContent, "axis" | "today" | "options">): LineShapes {
  const x = (day: number) => dayLeft(axis, day);
  const { du, bar } = look;
  if (du) {
    if (du.from === 0) return none;
    const width = x(du.to + 1) - x(du.from);
    const done = (width * du.done) / Math.max(1, du.applicable);
    return {
      ...none,
      plan: { ...span(x(du.from), width), kind: "span" },
      actual: du.done === 0 ? null : { ...span(x(du.from), done), kind: "spanDone" },
    };
  }
  if (!bar) return none;
  const middle = (day: number) => x(day) + axis.dayWidth / 2;
  const [planStart, planEnd] = [bar.planStart || bar.planEnd, bar.planEnd || bar.planStart];
  const [baseStart, baseEnd] = [bar.baselineStart || bar.baselineEnd, bar.baselineEnd || bar.baselineStart];
  const shapes = { ...none };
  let right = 0;
  if (options.baseline && baseEnd !== 0)
    shapes.base = bar.milestone ? span(middle(baseEnd) - diamond / 2, diamond) : span(x(baseStart), x(baseEnd + 1) - x(baseStart));
  if (bar.milestone) {
    const at = bar.actualEnd || planEnd;
    if (at !== 0) {
      shapes.plan = { ...span(middle(at) - diamond + 2, 2 * diamond - 4), kind: bar.actualEnd ? "solid" : "diamond" };
      right = middle(at) + diamond;
    }
  } else {
    if (planEnd !== 0) {
      shapes.plan = { ...span(x(planStart), x(planEnd + 1) - x(planStart)), kind: "plan" };
      right = x(planEnd + 1);
    }
    const begun = bar.actualStart || bar.actualEnd;
    const done = bar.actualEnd || Math.max(begun, today);
    if (begun !== 0) {
      shapes.actual = { ...span(x(begun), x(done + 1) - x(begun) - 1), kind: "actual" };
      right = Math.max(right, x(done + 1));
    }
  }
  if (bar.late) {
    shapes.late = span(right, Math.max(0, x(today) - right));
    right = Math.max(right, x(today));
  }
  const end = bar.actualEnd || planEnd;
  if (end !== 0) shapes.label = { left: right + labelGap, day: isoDay(end)?.slice(5) ?? "", slip: bar.slip ? look.slip : "" };
  return shapes;
}

import type { Status } from "#components/ui/glyph-paths.ts";
import { dayNumber } from "#lib/core/clock.ts";
import type { GanttFlow, GanttRelation } from "#lib/rollout-plan/gantt/queries.ts";
import { type ActivityStatus, activityStatus, hiddenDay, isApplicable, tileDates } from "#lib/rollout-plan/plan-rows/logic.ts";
import { type PlanCells, statusTone, type WantedValues } from "./plan-cells.ts";
import type { PlanHead } from "./plan-columns.ts";
import { columnKey } from "./plan-keys.ts";
import type { PlanRow } from "./plan-tile.ts";

/** A line of the Gantt: a DU, or one of its activities. */
export type GanttLine = { duId: number; activityId: number | null };

/** Days of an activity as they are drawn, 0 for none, unsaved ones in place of saved ones. */
export type BarDays = Record<(typeof tileDates)[number], number>;

/** What a bar of an activity shows. */
export type ActivityBar = BarDays & {
  status: ActivityStatus;
  tone: Status;
  milestone: boolean;
  /** Days behind (or, below 0, ahead of) the end of the baseline; null without one. */
  slip: number | null;
  /** Plan end is past and nothing is done. */
  late: boolean;
};

/** What the bar of a DU shows: its first and last day, the part of its activities that is done, and how far its end has slipped. */
export type DuBar = { from: number; to: number; done: number; applicable: number; planEnd: number; slip: number | null };

/** Activities by flow: their order, and what a Gantt knows of them. */
export class GanttFlows {
  private readonly order = new Map<number, readonly number[]>();
  private readonly milestones = new Map<number, ReadonlySet<number>>();
  private readonly relations = new Map<number, readonly GanttRelation[]>();

  constructor(head: PlanHead, flows: readonly GanttFlow[]) {
    for (const { flowId, activityIds } of head.flows) this.order.set(flowId, activityIds);
    for (const { flowId, nodes, relations } of flows) {
      this.milestones.set(flowId, new Set(nodes.filter(([, , milestone]) => milestone).map(([id]) => id)));
      this.relations.set(flowId, relations);
    }
  }

  activitiesOf(row: PlanRow): readonly number[] {
    return this.order.get(row.plan.flowId) ?? [];
  }

  isMilestone(row: PlanRow, activityId: number): boolean {
    return this.milestones.get(row.plan.flowId)?.has(activityId) ?? false;
  }

  relationsOf(row: PlanRow): readonly GanttRelation[] {
    return this.relations.get(row.plan.flowId) ?? [];
  }
}

/** Lines in the order of the rows; a folded DU shows itself alone. */
export function ganttLines(rows: readonly PlanRow[], cells: PlanCells, flows: GanttFlows, folded: ReadonlySet<number>): GanttLine[] {
  const lines: GanttLine[] = [];
  for (const row of rows) {
    lines.push({ duId: row.duId, activityId: null });
    if (folded.has(row.duId)) continue;
    for (const activityId of flows.activitiesOf(row)) if (cells.stateOf(row, activityId) & 1) lines.push({ duId: row.duId, activityId });
  }
  return lines;
}

function barDays(cells: PlanCells, row: PlanRow, activityId: number, wanted: WantedValues | undefined): BarDays {
  const at = cells.placeOf(row, activityId) * tileDates.length;
  const days = {} as BarDays;
  tileDates.forEach((field, index) => {
    const own = wanted?.(columnKey(field, activityId));
    const day = own === undefined ? (row.plan.dates[at + index] ?? 0) : typeof own === "string" ? dayNumber(own) : 0;
    days[field] = day === hiddenDay ? 0 : day;
  });
  return days;
}

/** The bar of an activity. */
export function activityBar(
  cells: PlanCells,
  flows: GanttFlows,
  row: PlanRow,
  activityId: number,
  wanted: WantedValues | undefined,
): ActivityBar {
  const days = barDays(cells, row, activityId, wanted);
  const status = activityStatus(cells.stateOf(row, activityId), days.planEnd, days.actualEnd, cells.today);
  const late = status === "delayed";
  const end = days.actualEnd || (late ? cells.today : days.planEnd);
  return {
    ...days,
    status,
    tone: statusTone(status),
    milestone: flows.isMilestone(row, activityId),
    late,
    slip: days.baselineEnd !== 0 && end !== 0 ? end - days.baselineEnd : null,
  };
}

/** The bar of a DU over its applicable activities. */
export function duBar(cells: PlanCells, flows: GanttFlows, row: PlanRow, wanted: WantedValues | undefined): DuBar {
  const bar: DuBar = { from: 0, to: 0, done: 0, applicable: 0, planEnd: 0, slip: null };
  let baseline = 0;
  let end = 0;
  for (const activityId of flows.activitiesOf(row)) {
    const state = cells.stateOf(row, activityId);
    if (!isApplicable(state)) continue;
    const days = barDays(cells, row, activityId, wanted);
    const first = days.actualStart || days.planStart || days.actualEnd || days.planEnd;
    const last = Math.max(days.actualEnd, days.planEnd, first);
    bar.applicable++;
    if (days.actualEnd) bar.done++;
    if (first !== 0 && (bar.from === 0 || first < bar.from)) bar.from = first;
    bar.to = Math.max(bar.to, last);
    bar.planEnd = Math.max(bar.planEnd, days.planEnd);
    baseline = Math.max(baseline, days.baselineEnd);
    end = Math.max(end, days.actualEnd || days.planEnd);
  }
  if (baseline !== 0 && end !== 0) bar.slip = end - baseline;
  return bar;
}

/** First and last day that rows have anything on, today among them. */
export function ganttSpan(rows: readonly PlanRow[], today: number): { first: number; last: number } {
  let first = today;
  let last = today;
  for (const { plan } of rows)
    for (const day of plan.dates) {
      if (day === 0 || day === hiddenDay) continue;
      if (day < first) first = day;
      if (day > last) last = day;
    }
  return { first, last };
}

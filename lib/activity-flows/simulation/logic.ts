import { addMonths, dayNumber } from "#lib/core/clock.ts";
import { emptyBlock, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { workingDays } from "#lib/scheduling/calendar/logic.ts";
import type { ScheduleRefusal } from "#lib/scheduling/limits.ts";
import { rowRefusal, runSchedule } from "#lib/scheduling/logic.ts";
import { compileFlow } from "#lib/scheduling/network/logic.ts";
import type { RelationType } from "../graph/limits.ts";

/** Working days of the project: weekdays with 0 = Sunday, and the single days that differ. */
export type SimulationCalendar = { weekdays: readonly number[]; holidays: readonly string[]; extraWorkdays: readonly string[] };

/** The working days of a calendar as it is set. */
export function simulationCalendar(settings: {
  weekdays: readonly number[];
  holidays: readonly { day: string }[];
  extraWorkdays: readonly { day: string }[];
}): SimulationCalendar {
  const days = (list: readonly { day: string }[]) => list.map(({ day }) => day);
  return { weekdays: settings.weekdays, holidays: days(settings.holidays), extraWorkdays: days(settings.extraWorkdays) };
}

export type SimulatedBar = { start: number; end: number };
export type Simulation = {
  /** Day numbers per activity; an activity without relation to an anchor is missing. */
  bars: Map<string, SimulatedBar>;
  refusal: ScheduleRefusal | null;
};

type Node = { key: string; leadTimeDays: number; isAnchor: boolean };
type Relation = { pre: string; node: string; type: RelationType; offset: number };

/**
 * Schedules a flow as if one empty DU had it, from the start days of its anchors: what a planner would see, before anything is released.
 * @param anchorDays start day per anchor; anchors without a day are computed like any other activity
 * @param today ISO day
 */
export function simulateFlow(
  graph: { nodes: readonly Node[]; relations: readonly Relation[] },
  anchorDays: ReadonlyMap<string, number>,
  calendar: SimulationCalendar,
  today: string,
): Simulation {
  const places = new Map(graph.nodes.map((node, at) => [node.key, at + 1]));
  const flow = compileFlow(
    graph.nodes.map((node, at) => ({ nodeId: at + 1, slot: at + 1, leadTime: node.leadTimeDays, anchor: node.isAnchor })),
    graph.relations.map(({ pre, node, ...relation }) => ({ ...relation, pre: places.get(pre) ?? 0, node: places.get(node) ?? 0 })),
  );
  const plan = emptyBlock([1], graph.nodes.length + 1);
  plan.state.fill(withState(0, "inFlow", 1), 1);
  const anchors = graph.nodes
    .filter((node) => node.isAnchor && anchorDays.has(node.key))
    .map((node) => ({ row: 0, slot: places.get(node.key)!, start: anchorDays.get(node.key)!, end: 0 }));
  const days = [
    ...calendar.holidays.map((day) => ({ day: dayNumber(day), working: false })),
    ...calendar.extraWorkdays.map((day) => ({ day: dayNumber(day), working: true })),
  ];
  const result = runSchedule({
    plan,
    flows: [flow],
    flowOfRow: new Int32Array(1),
    calendars: [
      workingDays(
        calendar.weekdays.reduce((mask, day) => mask | (1 << day), 0),
        days,
      ),
    ],
    calendarOfRow: new Int32Array(1),
    mode: "BOTH",
    asOf: dayNumber(today),
    latestDay: dayNumber(addMonths(today, 36)),
    changeControl: false,
    anchors,
  });
  const bars = new Map<string, SimulatedBar>();
  for (let at = result.movesAt[0]!; at < result.movesAt[1]!; at++) {
    const key = graph.nodes[result.moves.slots[at]! - 1]!.key;
    bars.set(key, { start: result.moves.starts[at]!, end: result.moves.ends[at]! });
  }
  return { bars, refusal: rowRefusal(result, 0) };
}

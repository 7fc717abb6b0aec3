import { activityStatus, isApplicable, isIncomplete, type PlanBlock, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import { downNumber, noWorkingDay, upNumber, type WorkingDays } from "#lib/scheduling/calendar/logic.ts";
import type { ExceptionKind } from "./limits.ts";

/** A relation of a flow by the slots of its activities; `milestone`: the later one takes no time. */
export type SlotRelation = { pre: number; node: number; type: "FS" | "SS" | "FF" | "SF"; offset: number; milestone: boolean };

/** What is looked at besides the plan of a DU. */
export type DuFacts = { flowId: number; regionId: number | null; located: boolean };

/** An exception of a DU: the slots it concerns and, for an order, by how many working days each comes too early. */
export type Exception = { kind: ExceptionKind; slots: number[]; days?: number[] };

/** All exceptions of one DU. */
export function findExceptions(
  block: PlanBlock,
  row: number,
  du: DuFacts,
  relations: readonly SlotRelation[],
  calendar: WorkingDays,
  today: number,
): Exception[] {
  const found: Exception[] = [];
  if (du.flowId === 0) found.push({ kind: "no_flow", slots: [] });
  if (du.regionId === null) found.push({ kind: "no_region", slots: [] });
  if (!du.located) found.push({ kind: "no_coordinates", slots: [] });
  const base = row * block.width;
  const ownerless: number[] = [];
  const late: number[] = [];
  const unplanned: number[] = [];
  let planned = 0;
  for (let slot = 1; slot < block.width; slot++) {
    const state = block.state[base + slot] as number;
    if (!isApplicable(state)) continue;
    const planEnd = block.planEnd[base + slot] as number;
    const actualEnd = block.actualEnd[base + slot] as number;
    if (isIncomplete(state, actualEnd) && block.planOwner[base + slot] === 0) ownerless.push(slot);
    if (activityStatus(state, planEnd, actualEnd, today) === "delayed") late.push(slot);
    if (planEnd === 0) unplanned.push(slot);
    else planned++;
  }
  if (ownerless.length > 0) found.push({ kind: "no_owner", slots: ownerless });
  if (late.length > 0) found.push({ kind: "delayed", slots: late });
  if (planned > 0 && unplanned.length > 0) found.push({ kind: "missing_plan", slots: unplanned });
  return [...found, ...findOrder(block, base, relations, calendar)];
}

function findOrder(block: PlanBlock, base: number, relations: readonly SlotRelation[], calendar: WorkingDays): Exception[] {
  const early = new Map<number, number>();
  for (const relation of relations) {
    const days = daysTooEarly(block, base, relation, calendar);
    if (days > (early.get(relation.node) ?? 0)) early.set(relation.node, days);
  }
  const bound = (slot: number) => {
    const state = block.state[base + slot] as number;
    return stateValue(state, "frozen") === 1 || stateValue(state, "fixed") === 1;
  };
  const pack = (kind: ExceptionKind, slots: number[]): Exception[] =>
    slots.length > 0 ? [{ kind, slots, days: slots.map((slot) => early.get(slot) as number) }] : [];
  const slots = [...early.keys()].sort((a, b) => a - b);
  return [
    ...pack(
      "order",
      slots.filter((slot) => !bound(slot)),
    ),
    ...pack("frozen_conflict", slots.filter(bound)),
  ];
}

/** By how many working days the plan of the later activity comes before what the relation allows; actual dates of the earlier one count before its plan. */
function daysTooEarly(block: PlanBlock, base: number, { pre, node, type, offset, milestone }: SlotRelation, calendar: WorkingDays): number {
  const [i, j] = [base + pre, base + node];
  if (!isApplicable(block.state[i] as number) || !isApplicable(block.state[j] as number)) return 0;
  if (block.actualStart[j] !== 0 || block.actualEnd[j] !== 0) return 0;
  const start = (day: number) => (day === 0 ? noWorkingDay : upNumber(calendar, day));
  const end = (day: number) => (day === 0 ? noWorkingDay : downNumber(calendar, day));
  const from =
    type === "FS" || type === "FF"
      ? end((block.actualEnd[i] as number) || (block.planEnd[i] as number))
      : start((block.actualStart[i] as number) || (block.planStart[i] as number));
  const to = type === "FS" || type === "SS" ? start(block.planStart[j] as number) : end(block.planEnd[j] as number);
  if (from === noWorkingDay || to === noWorkingDay) return 0;
  return from + offset + (type === "FS" && !milestone ? 1 : 0) - to;
}

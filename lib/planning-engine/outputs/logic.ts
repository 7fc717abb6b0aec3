import { addDays, dayNumber, weekday } from "#lib/core/clock.ts";
import { isApplicable, type PlanBlock, stateValue, workOrderStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import type { Bucket } from "./limits.ts";

/** The plan of a DU in an output, position by position; slot 0 has no activity of the library, day 0 no date. */
export type OutputVectors = { slots: readonly number[]; starts: readonly number[]; ends: readonly number[] };

/** First day of the day, week (from Sunday) or month a day lies in. */
export function bucketStart(day: string, bucket: Bucket): string {
  if (bucket === "day") return day;
  return bucket === "month" ? `${day.slice(0, 7)}-01` : addDays(day, -weekday(dayNumber(day)));
}

/** First days of all days, weeks or months from one day to another. */
export function bucketsBetween(first: string, last: string, bucket: Bucket): string[] {
  const all: string[] = [];
  for (let at = bucketStart(first, bucket); at <= last; ) {
    all.push(at);
    at = bucket === "month" ? bucketStart(addDays(at, 31), "month") : addDays(at, bucket === "week" ? 7 : 1);
  }
  return all;
}

/** Why an activity keeps its plan dates. */
export type KeepCode = "NO_ACTIVITY" | "ACTIVITY_COMPLETED" | "STARTED" | "TASK_CLOSED" | "IN_APPROVAL" | "FROZEN" | "FIXED";

/** What keeps the plan dates of an activity as they are, null when nothing does. `isKept` says that the engine kept its dates. */
export function keepCode(facts: { state: number; actualStart: number; actualEnd: number; isKept: boolean }): KeepCode | null {
  const { state, actualStart, actualEnd, isKept } = facts;
  if (!isApplicable(state)) return "NO_ACTIVITY";
  if (stateValue(state, "closed")) return "TASK_CLOSED";
  if (actualEnd > 0) return "ACTIVITY_COMPLETED";
  if (actualStart > 0) return "STARTED";
  if (stateValue(state, "approval") === 2) return "IN_APPROVAL";
  if (stateValue(state, "frozen")) return "FROZEN";
  return isKept || stateValue(state, "fixed") || workOrderStatus(state) === "suspended" ? "FIXED" : null;
}

/**
 * Enters the dates of an output into a row of the plan. What keeps its dates is left alone.
 * @param fixed per position, "1" where the engine kept the dates
 * @returns positions that keep other dates than those of the output, and why, and how many dates are entered
 */
export function enterOutput(
  block: PlanBlock,
  row: number,
  output: OutputVectors,
  fixed: string,
): { kept: { position: number; code: KeepCode }[]; dates: number } {
  const kept: { position: number; code: KeepCode }[] = [];
  let dates = 0;
  const { slots, starts, ends } = output;
  for (let position = 0; position < starts.length; position++) {
    const start = starts[position] as number;
    const end = ends[position] as number;
    const slot = slots[position] ?? 0;
    // Done jobs without dates say nothing of the plan.
    if (start === 0 || end === 0) continue;
    if (slot < 1 || slot >= block.width) {
      kept.push({ position, code: "NO_ACTIVITY" });
      continue;
    }
    const at = row * block.width + slot;
    if (block.planStart[at] === start && block.planEnd[at] === end) continue;
    const code = keepCode({
      state: block.state[at] as number,
      actualStart: block.actualStart[at] as number,
      actualEnd: block.actualEnd[at] as number,
      isKept: fixed[position] === "1",
    });
    if (code) {
      kept.push({ position, code });
      continue;
    }
    dates += Number(block.planStart[at] !== start) + Number(block.planEnd[at] !== end);
    block.planStart[at] = start;
    block.planEnd[at] = end;
  }
  return { kept, dates };
}

/** Who does a job: skill, resource and number of the team, where it has one. */
export function teamText({ skillType, resourceName }: { skillType: string; resourceName: string | null }, team: number): string {
  return `${skillType} · ${resourceName ?? ""}${team > 0 ? ` #${team}` : ""}`;
}

import { bitMask, isApplicable, type PlanBlock, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { orderStatuses } from "#lib/work-orders/orders/logic.ts";
import { type FindingCode, findingCodes, type ScheduleRefusal } from "../limits.ts";
import { rowRefusal, type ScheduleResult } from "../logic.ts";

const released = 1;
const orderMask = bitMask("workOrder");
const scheduledOrder = orderStatuses.indexOf("scheduled");

/**
 * Releases one row: its plan dates become the released ones and, where asked, the baseline; what does not apply has none. Planned work that is not done yet
 * is offered for dispatch.
 */
export function releaseRow(block: PlanBlock, row: number, withBaseline: boolean): void {
  const { width, state, planStart, planEnd, actualEnd, releasedStart, releasedEnd, baselineStart, baselineEnd } = block;
  for (let at = row * width + 1, end = (row + 1) * width; at < end; at++) {
    const bits = state[at] as number;
    const applies = isApplicable(bits);
    const from = applies ? (planStart[at] as number) : 0;
    const to = applies ? (planEnd[at] as number) : 0;
    releasedStart[at] = from;
    releasedEnd[at] = to;
    if (withBaseline) {
      baselineStart[at] = from;
      baselineEnd[at] = to;
    }
    if (from !== 0 && to !== 0 && actualEnd[at] === 0 && (bits & orderMask) === 0) state[at] = withState(bits, "workOrder", scheduledOrder);
  }
  block.releaseStates[row] = released;
}

/** Enters the moves of accepted rows into the block; gives the DUs that move. */
export function applyMoves(block: PlanBlock, { movesAt, moves }: ScheduleResult): number[] {
  const moved: number[] = [];
  for (let row = 0; row < block.duIds.length; row++) {
    const from = movesAt[row] as number;
    const to = movesAt[row + 1] as number;
    if (to > from) moved.push(block.duIds[row] as number);
    for (let move = from; move < to; move++) {
      const at = row * block.width + (moves.slots[move] as number);
      block.planStart[at] = moves.starts[move] as number;
      block.planEnd[at] = moves.ends[move] as number;
    }
  }
  return moved;
}

/** Refused rows with the activities at fault, and the warnings about accepted ones. */
export function sortFindings(result: ScheduleResult): {
  refused: { row: number; slot: number; code: ScheduleRefusal }[];
  warnings: { row: number; slot: number; code: FindingCode; days: number }[];
} {
  const { findings } = result;
  const refused: ReturnType<typeof sortFindings>["refused"] = [];
  const warnings: ReturnType<typeof sortFindings>["warnings"] = [];
  for (let at = 0; at < findings.count; at++) {
    const row = findings.rows[at] as number;
    const code = rowRefusal(result, row);
    const slot = findings.slots[at] as number;
    if (code !== null) refused.push({ row, slot, code });
    else warnings.push({ row, slot, code: findingCodes[findings.codes[at] as number] as FindingCode, days: findings.days[at] as number });
  }
  return { refused, warnings };
}

/** Activities of written rows whose released dates are others than those of the release before; what was never released is not among them. */
export function movedReleases(block: PlanBlock, rows: readonly number[]): { duId: number; slot: number }[] {
  const before = block.before;
  const moved: { duId: number; slot: number }[] = [];
  if (!before) return moved;
  for (const row of rows)
    for (let slot = 1; slot < block.width; slot++) {
      const at = row * block.width + slot;
      if (before.releasedStart[at] === 0 && before.releasedEnd[at] === 0) continue;
      if (before.releasedStart[at] !== block.releasedStart[at] || before.releasedEnd[at] !== block.releasedEnd[at])
        moved.push({ duId: block.duIds[row] as number, slot });
    }
  return moved;
}

import { isApplicable, type PlanBlock, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import type { RestoreField } from "./limits.ts";

/** The arrays of one DU in a version, by slot. */
export type KeptRow = {
  planStart: Uint16Array;
  planEnd: Uint16Array;
  state: Int32Array;
  planOwner: Int32Array;
  actualOwner: Int32Array;
};

/** Why an activity keeps what it has. */
export type SkipCode = "NO_ACTIVITY" | "NA_OR_INV" | "TASK_CLOSED" | "FROZEN" | "MOS_FROZEN";

/**
 * Enters into a row of the block what a version holds of it. What did not apply in the version is left alone; what cannot be set any more is skipped.
 * @returns skipped slots that would have changed
 */
export function restoreRow(
  block: PlanBlock,
  row: number,
  kept: KeptRow,
  fields: readonly RestoreField[],
): { slot: number; code: SkipCode }[] {
  const skipped: { slot: number; code: SkipCode }[] = [];
  for (let slot = 1; slot < block.width; slot++) {
    if (!isApplicable(kept.state[slot] as number)) continue;
    const at = row * block.width + slot;
    const state = block.state[at] as number;
    const moves = fields.includes("plan") && (block.planStart[at] !== kept.planStart[slot] || block.planEnd[at] !== kept.planEnd[slot]);
    const passes =
      fields.includes("owner") && (block.planOwner[at] !== kept.planOwner[slot] || block.actualOwner[at] !== kept.actualOwner[slot]);
    if (!moves && !passes) continue;
    if (stateValue(state, "inFlow") === 0) {
      skipped.push({ slot, code: "NO_ACTIVITY" });
      continue;
    }
    if (passes) {
      block.planOwner[at] = kept.planOwner[slot] as number;
      block.actualOwner[at] = kept.actualOwner[slot] as number;
    }
    if (!moves) continue;
    const lock = lockOf(state, block.kinds.mos.has(slot));
    if (lock) skipped.push({ slot, code: lock });
    else {
      block.planStart[at] = kept.planStart[slot] as number;
      block.planEnd[at] = kept.planEnd[slot] as number;
    }
  }
  return skipped;
}

/** What keeps the plan dates of an activity as they are. */
function lockOf(state: number, isMos: boolean): SkipCode | null {
  if (!isApplicable(state)) return "NA_OR_INV";
  if (stateValue(state, "closed") === 1) return "TASK_CLOSED";
  if (stateValue(state, "frozen") === 1) return "FROZEN";
  return isMos && stateValue(state, "mosFrozen") === 1 ? "MOS_FROZEN" : null;
}

import type { PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import {
  cellField,
  cellSlot,
  diffBlock,
  isApplicable,
  type PlanBlock,
  type RowDiff,
  stateValue,
} from "#lib/rollout-plan/plan-rows/logic.ts";
import type { Refusal } from "#lib/rollout-plan/plan-rows/rules.ts";
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

/**
 * Puts cells back that the rules of the plan refuse, until none is refused any more: a date may be wrong only because of another that was put back.
 * @param judge refusals of the changed rows as they stand
 * @returns the refusals, each place and code once
 */
export async function dropRefused(
  block: PlanBlock,
  judge: (diffs: Map<number, RowDiff>) => Promise<readonly Refusal[]>,
): Promise<Refusal[]> {
  const told = new Map<string, Refusal>();
  for (;;) {
    const diffs = new Map(diffBlock(block).map((diff) => [diff.row, diff]));
    const refusals = (await judge(diffs)).filter(({ withDu }) => !withDu);
    if (refusals.length === 0) return [...told.values()];
    const rows = new Map([...diffs.keys()].map((row) => [block.duIds[row] as number, row]));
    for (const refusal of refusals) {
      const { duId, slot, field, code } = refusal;
      const key = `${duId} ${slot} ${code}`;
      if (!told.has(key)) told.set(key, refusal);
      const diff = diffs.get(rows.get(duId) as number) as RowDiff;
      const isNamed = diff.cells.some((cell) => cellSlot(cell) === slot && cellField(cell) === field);
      // What stands at a cell that is not changed comes from another one of the row.
      for (const cell of diff.cells) if (!isNamed || (cellSlot(cell) === slot && cellField(cell) === field)) putBack(block, diff.row, cell);
    }
  }
}

function putBack(block: PlanBlock, row: number, cell: number): void {
  const field: PlanField = cellField(cell);
  const at = row * block.width + cellSlot(cell);
  block[field][at] = (block.before as NonNullable<PlanBlock["before"]>)[field][at] as number;
}

/** What keeps the plan dates of an activity as they are. */
function lockOf(state: number, isMos: boolean): SkipCode | null {
  if (!isApplicable(state)) return "NA_OR_INV";
  if (stateValue(state, "closed") === 1) return "TASK_CLOSED";
  if (stateValue(state, "frozen") === 1) return "FROZEN";
  return isMos && stateValue(state, "mosFrozen") === 1 ? "MOS_FROZEN" : null;
}

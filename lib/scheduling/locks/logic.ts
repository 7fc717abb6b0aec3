import { bitMask, isApplicable, type PlanBlock, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import { type LockKind, lockKinds } from "./limits.ts";

/** What a lock keeps from being changed. */
export const lockFields: Record<LockKind, "planDates" | "actualDates" | "allDates" | "plan"> = {
  FROZEN: "planDates",
  FIXED: "plan",
  TOOL: "actualDates",
  APPROVING: "actualDates",
  CLOSED: "allDates",
  NA: "allDates",
  REVENUE: "actualDates",
  MOS_FROZEN: "planDates",
  RELEASED: "planDates",
  OWNER_ONLY: "plan",
};

type StateLock = Exclude<LockKind, "RELEASED" | "OWNER_ONLY">;

// Locks that are bits of an activity: which bits, and what they read when the lock holds (any of them where nothing is named).
const stateLocks: Record<StateLock, { mask: number; value?: number }> = {
  FROZEN: { mask: bitMask("frozen") },
  FIXED: { mask: bitMask("fixed") },
  TOOL: { mask: bitMask("toolLocked") },
  APPROVING: { mask: bitMask("approval"), value: 2 << 7 },
  CLOSED: { mask: bitMask("closed") },
  NA: { mask: bitMask("na") },
  REVENUE: { mask: bitMask("revenue") },
  MOS_FROZEN: { mask: bitMask("mosFrozen") },
};
const inFlow = bitMask("inFlow");

/** A lock of one activity of one row. */
export type FoundLock = { row: number; slot: number; kind: LockKind };

/**
 * Every lock of the rows, by row, then by slot, then in the order of the kinds.
 * @param ask kinds to look for, slots to look at (all when null), change control being on, rows that only their owners may edit
 */
export function findLocks(
  block: Pick<PlanBlock, "width" | "state" | "releaseStates" | "duIds">,
  ask: { kinds: readonly LockKind[]; slots: readonly number[] | null; changeControl: boolean; ownerOnly: Uint8Array },
): FoundLock[] {
  const found: FoundLock[] = [];
  const bits = lockKinds.filter((kind): kind is StateLock => kind in stateLocks && ask.kinds.includes(kind));
  const anyBit = bits.reduce((mask, kind) => mask | stateLocks[kind].mask, 0);
  const slots = ask.slots ?? Array.from({ length: block.width - 1 }, (_, slot) => slot + 1);
  const released = ask.changeControl && ask.kinds.includes("RELEASED");
  const owned = ask.kinds.includes("OWNER_ONLY");
  for (let row = 0; row < block.duIds.length; row++) {
    const base = row * block.width;
    const isReleased = released && block.releaseStates[row] !== 0;
    const isOwned = owned && ask.ownerOnly[row] === 1;
    for (const slot of slots) {
      const state = slot < block.width ? block.state[base + slot]! : 0;
      if ((state & inFlow) === 0) continue;
      if (state & anyBit)
        for (const kind of bits) {
          const { mask, value } = stateLocks[kind];
          if (value === undefined ? (state & mask) !== 0 : (state & mask) === value) found.push({ row, slot, kind });
        }
      if (isReleased) found.push({ row, slot, kind: "RELEASED" });
      if (isOwned) found.push({ row, slot, kind: "OWNER_ONLY" });
    }
  }
  return found;
}

/** An activity of one row that could be frozen. */
export type FreezeChance = { row: number; slot: number };

/** Activities that could be frozen: applicable, neither frozen nor completed, both plan dates set, plan start between two days. */
export function findFreezable(
  block: Pick<PlanBlock, "width" | "state" | "planStart" | "planEnd" | "actualEnd" | "planOwner" | "duIds">,
  ask: { from: number; to: number; slots: readonly number[] | null; ownerSets: ReadonlySet<number> | null },
): FreezeChance[] {
  const found: FreezeChance[] = [];
  const slots = ask.slots ?? Array.from({ length: block.width - 1 }, (_, slot) => slot + 1);
  for (let row = 0; row < block.duIds.length; row++)
    for (const slot of slots) {
      if (slot >= block.width) continue;
      const at = row * block.width + slot;
      const start = block.planStart[at]!;
      if (start < ask.from || start > ask.to || block.planEnd[at] === 0 || block.actualEnd[at] !== 0) continue;
      const state = block.state[at]!;
      if (!isApplicable(state) || stateValue(state, "frozen") === 1) continue;
      if (ask.ownerSets && !ask.ownerSets.has(block.planOwner[at]!)) continue;
      found.push({ row, slot });
    }
  return found;
}

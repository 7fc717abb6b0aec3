import { dayNumber } from "#lib/core/clock.ts";
import { getCell, isApplicable, type PlanBlock, setCell } from "#lib/rollout-plan/plan-rows/logic.ts";
import { shiftWorkingDays, type WorkingDays } from "#lib/scheduling/calendar/logic.ts";
import type { SetDates, SetOwners } from "./schema.ts";

/**
 * Puts the dates of a batch into the block, activity by activity of the DUs' flows; activities a DU does not have are left out.
 * @param slots slot of each chosen activity
 * @param calendar working days of the project
 * @param slotOf slot of another activity that is copied from
 */
export function setDates(
  block: PlanBlock,
  input: SetDates,
  slots: readonly number[],
  calendar: WorkingDays,
  slotOf: (activityId: number) => number | undefined,
): void {
  for (let row = 0; row < block.duIds.length; row++) {
    for (const slot of slots) {
      if (!isApplicable(getCell(block, row, slot, "state"))) continue;
      const next = nextDay(block, row, slot, input, calendar, slotOf);
      if (next !== null) setCell(block, row, slot, input.field, next);
    }
  }
}

function nextDay(
  block: PlanBlock,
  row: number,
  slot: number,
  input: SetDates,
  calendar: WorkingDays,
  slotOf: (activityId: number) => number | undefined,
): number | null {
  switch (input.mode) {
    case "set":
      return dayNumber(input.value);
    case "clear":
      return 0;
    case "shift": {
      const present = getCell(block, row, slot, input.field);
      return present === 0 ? null : shiftWorkingDays(calendar, present, input.value);
    }
    default: {
      const from = input.value.activityId === undefined ? slot : slotOf(input.value.activityId);
      const source = from === undefined ? 0 : getCell(block, row, from, input.value.field);
      if (source === 0) return null;
      return input.value.days === 0 ? source : shiftWorkingDays(calendar, source, input.value.days);
    }
  }
}

/** People of an owner cell after a batch: those present in their order, the added ones behind them. */
export function ownersAfter(present: readonly number[], { mode, value }: Pick<SetOwners, "mode" | "value">): number[] {
  if (mode === "set") return [...value];
  if (mode === "remove") return present.filter((person) => !value.includes(person));
  return [...present, ...value.filter((person) => !present.includes(person))];
}

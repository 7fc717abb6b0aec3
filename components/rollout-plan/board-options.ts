import { type BoardGroup, boardGroups } from "#lib/rollout-plan/board/limits.ts";

/** Columns of a board. */
export const boardUnits = ["day", "week"] as const;
export type BoardUnit = (typeof boardUnits)[number];

/** What a person chose on the board: lanes, columns, and how many a lane may hold in a day and in a week before it is marked. */
export type BoardOptions = { groupBy: BoardGroup; unit: BoardUnit; capacity: Record<BoardUnit, number | null> };

/** Largest number that can be set for a lane. */
export const capacityMax = 9_999;

/** The kept choice; what this version does not know is left out. */
export function readBoardOptions(value: unknown): BoardOptions {
  const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const numbers = (typeof given.capacity === "object" && given.capacity !== null ? given.capacity : {}) as Record<string, unknown>;
  const capacity = (unit: BoardUnit) => {
    const number = numbers[unit];
    return typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= capacityMax ? number : null;
  };
  return {
    groupBy: boardGroups.find((group) => group === given.groupBy) ?? "owner",
    unit: boardUnits.find((unit) => unit === given.unit) ?? "day",
    capacity: { day: capacity("day"), week: capacity("week") },
  };
}

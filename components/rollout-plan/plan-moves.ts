import type { CellValue, Refusal } from "#components/grid/grid-model.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { LockedDates, LockedDatesEntry } from "./locked-dates.ts";
import type { PlanHead } from "./plan-columns.ts";
import type { PlanDesk } from "./plan-desk.ts";
import { columnKey } from "./plan-keys.ts";
import type { PlanRow } from "./plan-tile.ts";

/** Plan dates of an activity as day numbers, 0 for none. */
export type PlanDates = { planStart: number; planEnd: number };

/** What became of a move: dates are wanted, nothing changed, they are locked, or they can be changed with a reason in a dialog. */
export type MoveResult =
  | { kind: "moved" }
  | { kind: "same" }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "locked"; refusal: Refusal; dates: LockedDates | null };

const fields = ["planStart", "planEnd"] as const;
const day = (value: CellValue) => (typeof value === "string" ? dayNumber(value) : 0);

/** Plan dates of an activity of a row: unsaved ones before saved ones. */
export function planDatesOf(desk: PlanDesk, row: PlanRow, activityId: number): PlanDates {
  const one = (field: (typeof fields)[number]) => {
    const key = columnKey(field, activityId);
    const edit = desk.edits.get(String(row.duId), key);
    const column = desk.column(key);
    return edit && edit.typed === undefined ? day(edit.mine) : column ? day(desk.source.value(row, column)) : 0;
  };
  return { planStart: one("planStart"), planEnd: one("planEnd") };
}

/**
 * Makes other plan dates of an activity wanted, as typing them into the grid would: with the same locks and rules, as one step that can be taken back.
 * What it answers says whether a dialog has to change them instead.
 */
export function replan(
  desk: PlanDesk,
  planHead: PlanHead,
  entry: LockedDatesEntry,
  row: PlanRow,
  activityId: number,
  wanted: PlanDates,
): MoveResult {
  const { source, edits } = desk;
  const rowKey = String(row.duId);
  const now = planDatesOf(desk, row, activityId);
  const cells = fields.flatMap((field) => {
    const column = desk.column(columnKey(field, activityId));
    return column && now[field] !== wanted[field] ? [{ field, column }] : [];
  });
  if (cells.length === 0) return { kind: "same" };
  for (const { column } of cells) {
    const refusal = source.locked(row, column);
    if (!refusal) continue;
    const lock = source.dateLock(row, column);
    if (!lock || !entry.mayPass(lock)) return { kind: "locked", refusal, dates: null };
    const saved = (field: (typeof fields)[number]) => {
      const given = desk.column(columnKey(field, activityId));
      const value = given ? source.value(row, given) : null;
      return typeof value === "string" ? value : null;
    };
    const name = planHead.activities.find((activity) => activity.activityId === activityId)?.name ?? "";
    const dates: LockedDates = {
      activity: { id: activityId, name },
      dus: [{ duId: row.duId, code: desk.duCode(rowKey), planStart: saved("planStart"), planEnd: saved("planEnd") }],
      frozen: lock === "FROZEN",
      wanted: { planStart: isoDay(wanted.planStart), planEnd: isoDay(wanted.planEnd) },
    };
    return { kind: "locked", refusal, dates };
  }
  edits.change(
    cells.map(({ field, column }) => ({
      rowKey,
      columnKey: column.key,
      base: source.value(row, column),
      value: isoDay(wanted[field]),
    })),
  );
  const refused = cells.map(({ column }) => edits.get(rowKey, column.key)?.refusal).find((refusal) => refusal !== undefined);
  return refused ? { kind: "refused", refusal: refused } : { kind: "moved" };
}

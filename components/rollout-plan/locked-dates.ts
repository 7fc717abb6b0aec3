import type { ComponentType } from "react";
import { inRange } from "#components/grid/cell-range.ts";
import type { CellAddress } from "#components/grid/grid-model.ts";
import type { PlanHead } from "./plan-columns.ts";
import type { PlanDesk } from "./plan-desk.ts";
import { columnKey, columnRef } from "./plan-keys.ts";

/** A lock of a plan date that a change with a reason may pass. */
export type DateLock = "FROZEN" | "CHANGE_CONTROL";

/** A DU whose locked dates are to be changed, with the dates it has. */
export type LockedDu = { duId: number; code: string; planStart: string | null; planEnd: string | null };

/** Locked plan dates of one activity; `wanted` are those to begin with, where somebody has moved it already. */
export type LockedDates = {
  activity: { id: number; name: string };
  dus: readonly LockedDu[];
  frozen: boolean;
  wanted?: { planStart: string | null; planEnd: string | null };
};

export type LockedDatesProps = LockedDates & {
  onClose: () => void;
  /** Tells the plan that dates were written, and the batch that can be undone. */
  onApplied: (result: { batchId: number | null; cells: number }) => void;
};

/** How locked dates are changed: another area's dialog, and which locks it may pass for the person. */
export type LockedDatesEntry = { mayPass: (lock: DateLock) => boolean; dusMax: number; dialog: ComponentType<LockedDatesProps> };

/** The locked plan dates a cell stands for: those of its activity in its row, or in all rows of the selection it lies in; null where nothing may be changed so. */
export function lockedDatesAt(desk: PlanDesk, planHead: PlanHead, cell: CellAddress, entry: LockedDatesEntry): LockedDates | null {
  const { grid, source } = desk;
  const column = grid.columnAt(cell.column);
  const { activityId, field } = columnRef(column?.key ?? "");
  if (!column || activityId === null || (field !== "planStart" && field !== "planEnd")) return null;
  const { top, bottom } = inRange(grid.range, cell.row, cell.column) ? grid.range : { top: cell.row, bottom: cell.row };
  const dus: LockedDu[] = [];
  let frozen = false;
  // One more than may be changed is enough to say that it is too many.
  for (let at = top; at <= bottom && dus.length <= entry.dusMax; at++) {
    const row = source.row(at);
    const lock = row && source.dateLock(row, column);
    if (!row || !lock || !entry.mayPass(lock)) continue;
    const day = (name: "planStart" | "planEnd") => {
      const value = source.value(row, { ...column, key: columnKey(name, activityId) });
      return typeof value === "string" ? value : null;
    };
    dus.push({ duId: row.duId, code: desk.duCode(String(row.duId)), planStart: day("planStart"), planEnd: day("planEnd") });
    frozen ||= lock === "FROZEN";
  }
  if (dus.length === 0) return null;
  const name = planHead.activities.find((activity) => activity.activityId === activityId)?.name ?? "";
  return { activity: { id: activityId, name }, dus, frozen };
}

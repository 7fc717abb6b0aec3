import type { CellEdit, CellValue } from "#components/grid/grid-model.ts";
import { saveCellsMax } from "#lib/rollout-plan/edits/limits.ts";
import { columnKey, columnRef } from "./plan-keys.ts";

/** One cell as `rolloutPlan/save` takes it. */
export type SavedEdit = { duId: number; activityId?: number; field: string; value: CellValue; base: CellValue };
/** Cells of one field as `rolloutPlan/save` takes them. */
export type SavedColumns = { field: string; duIds: number[]; activityIds: (number | null)[]; values: CellValue[]; bases: CellValue[] };

type CellPlace = { duId: number; activityId?: number | null; field: string };
/** One refused cell of an answer; `withDu`: nothing is wrong with it, but another cell of its DU was refused. */
export type RejectedCell = CellPlace & { code: string; msg: string; withDu?: boolean };
export type ConflictingCell = CellPlace & { theirs: CellValue; by: string | null; at: string | null };
export type SaveAnswer = {
  saved: number;
  rejected: RejectedCell[];
  conflicts: ConflictingCell[];
  batchId: number | null;
  seq: number | null;
};

/** Fields whose values are ids on the server and texts in the grid. */
const numberFields = new Set(["region", "subcontractor", "directMigrationSite", "decomSite"]);

function plainValue(field: string, value: CellValue): CellValue {
  return numberFields.has(field) && typeof value === "string" ? Number(value) : value;
}

/** An edit as it is sent. */
export function savedEdit(edit: CellEdit): SavedEdit {
  const { field, activityId } = columnRef(edit.columnKey);
  return {
    duId: Number(edit.rowKey),
    ...(activityId === null ? {} : { activityId }),
    field,
    value: plainValue(field, edit.mine),
    base: plainValue(field, edit.base),
  };
}

/** Edits as they are sent, side by side by their fields. */
export function savedColumns(edits: readonly CellEdit[]): SavedColumns[] {
  const columns = new Map<string, SavedColumns>();
  for (const { duId, activityId, field, value, base } of edits.map(savedEdit)) {
    const column = columns.get(field) ?? { field, duIds: [], activityIds: [], values: [], bases: [] };
    columns.set(field, column);
    column.duIds.push(duId);
    column.activityIds.push(activityId ?? null);
    column.values.push(value);
    column.bases.push(base);
  }
  return [...columns.values()];
}

/** Keys of a cell of an answer. */
export function cellKeys(cell: CellPlace): { rowKey: string; columnKey: string } {
  return { rowKey: String(cell.duId), columnKey: columnKey(cell.field, cell.activityId ?? null) };
}

/**
 * What a save sends: all edits of DUs whose cells can all be read, because the cells of a DU are written together or not at all.
 * Parts keep within the cells of one call and never split a DU.
 */
export function saveParts(edits: Iterable<CellEdit>): { parts: CellEdit[][]; held: CellEdit[] } {
  const rows = new Map<string, CellEdit[]>();
  for (const edit of edits) {
    const row = rows.get(edit.rowKey);
    if (row) row.push(edit);
    else rows.set(edit.rowKey, [edit]);
  }
  const parts: CellEdit[][] = [];
  const held: CellEdit[] = [];
  for (const row of rows.values()) {
    if (row.some((edit) => edit.typed !== undefined)) {
      held.push(...row);
      continue;
    }
    const part = parts.at(-1);
    if (part && part.length + row.length <= saveCellsMax) part.push(...row);
    else parts.push(row);
  }
  return { parts, held };
}

/** Edits of a sent part that the answer says are written: those of DUs without a refused or conflicting cell. */
export function writtenEdits(sent: readonly CellEdit[], answer: Pick<SaveAnswer, "rejected" | "conflicts">): CellEdit[] {
  const stopped = new Set([...answer.rejected, ...answer.conflicts].map((cell) => String(cell.duId)));
  return sent.filter((edit) => !stopped.has(edit.rowKey));
}

/** Code that asks instead of refusing: the same cells may be sent again with a reason. */
export const reasonCode = "REASON_REQUIRED";

/** Refused cells that only want a reason: those of DUs in which nothing else was refused. */
export function askingReason(rejected: readonly RejectedCell[]): RejectedCell[] {
  const others = new Set(rejected.filter((cell) => cell.code !== reasonCode).map((cell) => cell.duId));
  return rejected.filter((cell) => !others.has(cell.duId));
}

/** A value as it comes from the server, in the form of the grid. */
export function gridValue(field: string, value: CellValue): CellValue {
  return numberFields.has(field) && typeof value === "number" ? String(value) : value;
}

/** Refused cells by code with their numbers, most frequent first. */
export function countByCode(cells: readonly { code: string; msg: string }[]): { code: string; msg: string; count: number }[] {
  const counts = new Map<string, { code: string; msg: string; count: number }>();
  for (const { code, msg } of cells) {
    const known = counts.get(code);
    if (known) known.count++;
    else counts.set(code, { code, msg, count: 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

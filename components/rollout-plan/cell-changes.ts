import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { columnRef } from "./plan-keys.ts";

/** One change of a cell, newest first. */
export type CellChange = {
  batchId: number;
  at: string;
  actor: string | null;
  source: string;
  reason: string | null;
  undoOf: number | null;
  old: unknown;
  new: unknown;
};

/** Reads the history of a cell. */
export async function readHistory(rowKey: string, columnKey: string, signal?: AbortSignal): Promise<CellChange[]> {
  const { field, activityId } = columnRef(columnKey);
  const input = { duId: Number(rowKey), ...(activityId === null ? {} : { activityId }), field };
  return dataOf(await callDoor<CellChange[]>("planLog/cell", input, signal ? { signal } : {}));
}

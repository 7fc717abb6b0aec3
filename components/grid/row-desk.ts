import type { EditStore } from "./edit-store.ts";
import type { GridController } from "./grid-controller.ts";
import { type GridColumn, type GridHead, sameValue } from "./grid-model.ts";
import type { PagedList, PagedRow } from "./paged-list.ts";

/** Everything behind a table of rows that lives outside React: it outlives the change to another table, and with it what is not saved. */
export type RowDesk<List extends PagedList = PagedList> = {
  list: List;
  edits: EditStore;
  grid: GridController<PagedRow>;
  columns: Map<string, GridColumn>;
};

/** Tells a desk the columns of its table. */
export function setColumns({ columns }: Pick<RowDesk, "columns">, head: GridHead): void {
  columns.clear();
  for (const { columns: own } of head.groups) for (const column of own) columns.set(column.key, column);
}

/**
 * A row was read again: where others have changed what is edited here, the cells become conflicts; what nobody touched stays as typed.
 * @param somebody who is named where the row does not say who changed it
 */
export function noteArrival({ list, edits, columns }: Omit<RowDesk, "grid">, rowKey: string, row: PagedRow, somebody: string): void {
  const changed = [...(edits.row(rowKey)?.values() ?? [])].flatMap((edit) => {
    const column = columns.get(edit.columnKey);
    const theirs = column ? list.value(row, column) : null;
    if (!column || (sameValue(theirs, edit.base) && edit.refusal?.code !== "STALE" && !edit.conflict)) return [];
    return [{ rowKey, columnKey: edit.columnKey, theirs, by: String(row.updatedBy ?? somebody), at: String(row.updatedAt ?? "") }];
  });
  if (changed.length > 0) edits.theirs(changed);
}

import { EditStore } from "#components/grid/edit-store.ts";
import { GridController } from "#components/grid/grid-controller.ts";
import { type GridColumn, type GridHead, type Refusal, sameValue } from "#components/grid/grid-model.ts";
import type { PagedRow, PagedTexts } from "#components/grid/paged-list.ts";
import type { Tab, TabColumns } from "#lib/du-tabs/queries.ts";
import { TabList } from "./tab-list.ts";

/** Everything behind the table of a tab that lives outside React: it outlives the change to another tab, and with it what is not saved. */
export type TabDesk = {
  list: TabList;
  edits: EditStore;
  grid: GridController<PagedRow>;
  columns: Map<string, GridColumn>;
  mayEdit: boolean;
};

/** Says code and cause of a refusal in the language of the page. */
export type Words = { unreadable: (typed: string) => Refusal; somebody: string; texts: PagedTexts };

/**
 * The desk of a tab. When rows are read again and others have changed what is edited here, the cells become conflicts; what nobody touched stays as typed.
 */
export function makeDesk(tab: Pick<Tab, "keyMode" | "mode">, { unreadable, somebody, texts }: Words): TabDesk {
  const mayEdit = tab.mode === "RW";
  const list = new TabList(tab.keyMode, texts, () => mayEdit);
  const edits = new EditStore({ unreadable });
  const grid = new GridController<PagedRow>(list, edits);
  grid.readOnly = !mayEdit;
  const columns = new Map<string, GridColumn>();
  list.arrived = (rowKey, row) => {
    const changed = [...(edits.row(rowKey)?.values() ?? [])].flatMap((edit) => {
      const column = columns.get(edit.columnKey);
      const theirs = column ? list.valueOf(row, column) : null;
      if (!column || (sameValue(theirs, edit.base) && edit.refusal?.code !== "STALE" && !edit.conflict)) return [];
      return [{ rowKey, columnKey: edit.columnKey, theirs, by: String(row.updatedBy ?? somebody), at: String(row.updatedAt ?? "") }];
    });
    if (changed.length > 0) edits.theirs(changed);
  };
  return { list, edits, grid, columns, mayEdit };
}

/** Tells a desk the columns of its tab. */
export function setColumns({ columns, list }: TabDesk, head: GridHead, { attributes }: TabColumns): void {
  list.retired = new Map(
    attributes.flatMap(({ key, choices }) =>
      choices.flatMap(({ id, value, isRetired }): [string, string][] => (isRetired ? [[`${key} ${id}`, value]] : [])),
    ),
  );
  columns.clear();
  for (const { columns: own } of head.groups) for (const column of own) columns.set(column.key, column);
}

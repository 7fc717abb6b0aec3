import { EditStore } from "#components/grid/edit-store.ts";
import { GridController } from "#components/grid/grid-controller.ts";
import type { GridColumn, GridHead, Refusal } from "#components/grid/grid-model.ts";
import type { PagedRow, PagedTexts } from "#components/grid/paged-list.ts";
import { setColumns as knowColumns, noteArrival, type RowDesk } from "#components/grid/row-desk.ts";
import type { Tab, TabColumns } from "#lib/du-tabs/queries.ts";
import { TabList } from "./tab-list.ts";

/** Everything behind the table of a tab that lives outside React: it outlives the change to another tab, and with it what is not saved. */
export type TabDesk = RowDesk<TabList> & { mayEdit: boolean };

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
  list.arrived = (rowKey, row) => noteArrival({ list, edits, columns }, rowKey, row, somebody);
  return { list, edits, grid, columns, mayEdit };
}

/** Tells a desk the columns of its tab. */
export function setColumns(desk: TabDesk, head: GridHead, { attributes }: TabColumns): void {
  desk.list.retired = new Map(
    attributes.flatMap(({ key, choices }) =>
      choices.flatMap(({ id, value, isRetired }): [string, string][] => (isRetired ? [[`${key} ${id}`, value]] : [])),
    ),
  );
  knowColumns(desk, head);
}

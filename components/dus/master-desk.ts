import { EditStore } from "#components/grid/edit-store.ts";
import { GridController } from "#components/grid/grid-controller.ts";
import type { GridColumn, Refusal } from "#components/grid/grid-model.ts";
import type { PagedRow, PagedTexts } from "#components/grid/paged-list.ts";
import { noteArrival, type RowDesk } from "#components/grid/row-desk.ts";
import { MasterList } from "./master-list.ts";

/** Everything behind a table of master data that lives outside React: its rows, the unsaved edits, the state of the grid. */
export type MasterDesk = RowDesk<MasterList>;

/** Says refusals in the language of the page. */
export type Words = { unreadable: (typed: string) => Refusal; somebody: string; texts: PagedTexts };

/** The desk of a table of master data. Cells that others changed while they were edited here become conflicts. */
export function makeMasterDesk(address: string, mayEdit: boolean, { unreadable, somebody, texts }: Words): MasterDesk {
  const list = new MasterList(address, texts, () => mayEdit);
  const edits = new EditStore({ unreadable });
  const grid = new GridController<PagedRow>(list, edits);
  const columns = new Map<string, GridColumn>();
  list.arrived = (rowKey, row) => noteArrival({ list, edits, columns }, rowKey, row, somebody);
  return { list, edits, grid, columns };
}

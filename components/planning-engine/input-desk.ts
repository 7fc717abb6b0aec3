import { EditStore } from "#components/grid/edit-store.ts";
import { GridController } from "#components/grid/grid-controller.ts";
import type { GridColumn, Refusal } from "#components/grid/grid-model.ts";
import type { PagedRow, PagedTexts } from "#components/grid/paged-list.ts";
import { noteArrival, type RowDesk } from "#components/grid/row-desk.ts";
import type { Params } from "#lib/core/error.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import type { BlockName } from "#lib/planning-engine/inputs/logic.ts";
import { inputBlocks } from "./input-blocks.ts";
import { InputList } from "./input-list.ts";
import { InputRows } from "./input-rows.ts";
import { rowInput } from "./input-saving.ts";

/** Everything behind the table of an input that lives outside React: it outlives the change to another input, and with it what is not saved. */
export type InputDesk = RowDesk<InputList> & { rows: InputRows };

/** Says refusals in the language of the page. */
export type Words = {
  refusal: (code: string, params: Params) => Refusal;
  unreadable: (typed: string) => Refusal;
  /** Why the cell that names a row is locked. */
  rowLock: Refusal;
  somebody: string;
  texts: PagedTexts;
};

/** The desk of an input. Cells are checked while they are typed as the save checks them, and become conflicts where others changed them meanwhile. */
export function makeInputDesk(name: BlockName, mayEdit: boolean, { refusal, unreadable, rowLock, somebody, texts }: Words): InputDesk {
  const block = inputBlocks[name];
  const list = new InputList(`${block.door}/find/list`, texts, () => mayEdit);
  const rows = new InputRows(list, block.begin, new Set(block.keys));
  rows.rowLock = rowLock;
  const edits = new EditStore({ unreadable });
  const grid = new GridController<PagedRow>(rows, edits);
  grid.readOnly = !mayEdit;
  const columns = new Map<string, GridColumn>();
  edits.subscribe(() => rows.revive((rowKey) => edits.row(rowKey) !== undefined));
  const desk: InputDesk = { list, rows, edits, grid, columns };
  list.arrived = (rowKey, row) => noteArrival(desk, rowKey, row, somebody);
  edits.setCheck((rowKey, changed) => {
    const cells = [...changed.values()].filter(({ typed }) => typed === undefined);
    // The DU of a new row is looked up when it is saved.
    const input = rowInput(name, desk, { rowKey, cells }, 1);
    const parsed = block.row.safeParse(input);
    if (parsed.success) return [];
    return zodProblems(parsed.error, input).map(({ path, code, params = {} }) => {
      const columnKey = path.split(".")[0] ?? "";
      return { columnKey, refusal: refusal(code, { ...params, field: columns.get(columnKey)?.title ?? columnKey }) };
    });
  });
  return desk;
}

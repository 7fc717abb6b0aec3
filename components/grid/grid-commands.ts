import { clearCells, fillDown, fillRight, fillSelection } from "./block-edits.ts";
import type { AnyGrid } from "./grid-controller.ts";
import type { GridCommand } from "./grid-keymap.ts";

/** What the page around the grid does for a key. */
export type GridHandlers = {
  save: () => void;
  search: () => void;
  /** Opens the conflict dialog for the active cell. */
  conflict: () => void;
  cellMenu: () => void;
  columnMenu: () => void;
  leave: (backwards: boolean) => void;
  /** Unfolds the group of the active bar. */
  unfold: () => void;
  finishEdit: () => void;
};

type Names = GridCommand["name"];
type Table = { [Name in Names]: (grid: AnyGrid, page: GridHandlers, command: Extract<GridCommand, { name: Name }>) => void };

const table: Table = {
  move: (grid, _page, { direction, by, extend }) => grid.move(direction, by, extend),
  line: (grid, _page, { end, corner, extend }) => grid.toLine(end, corner, extend),
  tab: (grid, page, { backwards }) => {
    page.finishEdit();
    grid.tab(backwards);
  },
  enter: (grid, page, { backwards }) => {
    const column = grid.columnAt(grid.active.column);
    if (!grid.editor && column && grid.editAt(grid.active.row, column)?.conflict) {
      page.conflict();
      return;
    }
    const { top, bottom, left, right } = grid.range;
    if (!grid.editor && top === bottom && left === right && grid.openOnEnter(grid.active)) return;
    page.finishEdit();
    grid.enter(backwards);
  },
  enterAll: (grid, page) => {
    page.finishEdit();
    fillSelection(grid);
  },
  edit: (grid, page) => {
    const column = grid.columnAt(grid.active.column);
    if (column?.kind === "bar") page.unfold();
    else grid.beginEdit("keep");
  },
  escape: endTopmost,
  clear: clearCells,
  fillDown,
  fillRight,
  undo: (grid) => replay(grid, "undo"),
  redo: (grid) => replay(grid, "redo"),
  save: (_grid, page) => {
    page.finishEdit();
    page.save();
  },
  search: (_grid, page) => page.search(),
  selectRow: (grid) => grid.toggleRow(),
  selectAll: (grid) => grid.selectAll(),
  selectColumns: (grid) => grid.selectLines("columns"),
  selectRowCells: (grid) => grid.selectLines("rows"),
  cellMenu: (_grid, page) => page.cellMenu(),
  columnMenu: (_grid, page) => page.columnMenu(),
  problem: (grid, _page, { backwards }) => grid.toProblem(backwards),
  leave: (_grid, page, { backwards }) => page.leave(backwards),
};

/** Carries out a key's command. */
export function runCommand(grid: AnyGrid, command: GridCommand, page: GridHandlers): void {
  const run = table[command.name] as (grid: AnyGrid, page: GridHandlers, command: GridCommand) => void;
  run(grid, page, command);
}

/** Esc ends the topmost only: the editor, a call-out, the dashed frame; then it gives a refused or conflicting cell its saved value back. */
function endTopmost(grid: AnyGrid): void {
  if (grid.editor) {
    grid.cancelEdit();
  } else if (grid.callOut || grid.copied) {
    grid.callOut = null;
    grid.copied = null;
    grid.changed();
  } else {
    const column = grid.columnAt(grid.active.column);
    const edit = column && grid.editAt(grid.active.row, column);
    if (edit?.refusal || edit?.conflict) grid.edits.revert([edit]);
  }
}

function replay(grid: AnyGrid, name: "undo" | "redo"): void {
  const touched = grid.edits[name]();
  const first = touched.find((cell) => grid.source.indexOf(cell.rowKey) !== undefined);
  if (first) grid.goTo(first.rowKey, first.columnKey);
}

import { type Direction, edge, step, tab } from "./cell-movement.ts";
import {
  type CellRange,
  clampCell,
  type Extent,
  inRange,
  rangeBetween,
  rangeCells,
  rangeHeight,
  rangeOf,
  rangeWidth,
} from "./cell-range.ts";
import { type ColumnLayout, layoutColumns } from "./column-layout.ts";
import type { EditStore } from "./edit-store.ts";
import {
  type Arrived,
  type CellAddress,
  type CellEdit,
  type CellValue,
  type GridColumn,
  type GridSource,
  isEmptyValue,
  type Refusal,
} from "./grid-model.ts";
import { RowSelection } from "./row-selection.ts";

/** Something the person should know after an action on many cells. */
export type GridNotice =
  | { kind: "skipped"; count: number }
  | { kind: "tooMany"; max: number }
  | { kind: "notLoaded" }
  | { kind: "copyAgain" }
  | { kind: "problemsElsewhere"; count: number }
  | { kind: "noProblem" };

/** What the grid needs of the element that shows it. */
export type GridViewport = {
  reveal: (cell: CellAddress) => void;
  /** Rows that stand in the document. */
  drawnRows: () => { from: number; to: number };
  /** Whole rows that fit. */
  pageRows: () => number;
  focus: () => void;
  /** Writes what stands in the open editor to its cell, which is in no row that is shown any more. */
  keepTyped: () => void;
};

/** An open editor: over the old text or from the first typed character. */
export type OpenEditor = {
  cell: CellAddress;
  rowKey: string;
  column: GridColumn;
  mode: "keep" | "replace";
  /** Text of the cell when it was opened. */
  text: string;
};

/** A call-out that a refused attempt opened at a cell. */
export type CallOut = { cell: CellAddress; refusal: Refusal };

const flashMs = 1_200;

/**
 * The state of one grid outside React: where the active cell is, what is selected, copied, edited and just changed by others.
 * Components read it after `subscribe` and through `version`.
 */
export class GridController<Row = unknown> {
  readonly source: GridSource<Row>;
  readonly edits: EditStore;
  readonly rows = new RowSelection();
  layout: ColumnLayout = layoutColumns([], 0, 38);
  active: CellAddress = { row: 0, column: 0 };
  range: CellRange = rangeOf(this.active);
  copied: CellRange | null = null;
  editor: OpenEditor | null = null;
  callOut: CallOut | null = null;
  hovered: CellAddress | null = null;
  /** Block a fill drag would cover. */
  filling: CellRange | null = null;
  version = 0;
  viewport: GridViewport | null = null;
  /** Whether anything may be edited here at all. */
  readOnly = false;
  notify: (notice: GridNotice) => void = () => {};
  /** Asked to show a column that is hidden or folded. */
  showColumn: (key: string) => void = () => {};
  /** Asked when a locked cell is to be edited: answers whether another way to change it was opened. */
  openLocked: (cell: CellAddress) => boolean = () => false;
  /** Asked when Enter is pressed on a cell: answers whether it opened what the cell stands for; else Enter moves on. */
  openOnEnter: (cell: CellAddress) => boolean = () => false;
  /** Asked when text was typed that is no value of its column: answers whether it was taken for something else than a value. */
  takeTyped: (rowKey: string, columnKey: string, typed: string) => boolean = () => false;
  /** An open list or calendar takes keys before the grid does; answers whether it used the key. */
  editorKeys: ((event: KeyboardEvent) => boolean) | null = null;

  private anchor: CellAddress = this.active;
  private listeners = new Set<() => void>();
  private flashes = new Map<string, number>();
  private target: { rowKey: string; columnKey: string } | null = null;
  private stops: (() => void)[];

  constructor(source: GridSource<Row>, edits: EditStore) {
    this.source = source;
    this.edits = edits;
    this.stops = [
      source.subscribe((arrived) => this.rowsMoved(arrived)),
      edits.subscribe(() => this.changed()),
      this.rows.subscribe(() => this.changed()),
    ];
  }

  /** Ends all subscriptions. */
  dispose(): void {
    for (const stop of this.stops) stop();
  }

  get extent(): Extent {
    return { rows: this.source.total, columns: this.layout.columns.length };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getVersion = (): number => this.version;

  /** Tells everybody to look again. */
  changed(): void {
    this.version++;
    for (const listener of this.listeners) listener();
  }

  /** Other columns, widths or places: the active cell stays on its column where that is still shown. */
  setLayout(layout: ColumnLayout): void {
    const key = this.columnAt(this.active.column)?.key;
    this.layout = layout;
    const column =
      (key !== undefined ? layout.indexOf.get(key) : undefined) ?? Math.min(this.active.column, Math.max(0, layout.columns.length - 1));
    this.copied = null;
    if (this.editor && this.editor.column.key !== key) this.editor = null;
    this.place({ row: this.active.row, column }, false, false);
    this.followTarget();
  }

  columnAt(index: number): GridColumn | undefined {
    return this.layout.columns[index]?.column;
  }

  /** Unsaved edit of a cell by position. */
  editAt(row: number, column: GridColumn): CellEdit | undefined {
    const key = this.source.rowKey(row);
    return key === undefined ? undefined : this.edits.get(key, column.key);
  }

  /** The wanted value of a cell: the unsaved one, else the saved one; null for rows that are not loaded. */
  valueAt(row: number, column: GridColumn): CellValue {
    const edit = this.editAt(row, column);
    if (edit) return edit.mine;
    const data = this.source.row(row);
    return data === undefined ? null : this.source.value(data, column);
  }

  /** The wanted value, in the same row, of the column that says which choices a column offers; undefined where there is none to see. */
  aboveAt(row: number, { parentKey }: GridColumn): CellValue | undefined {
    const at = parentKey === undefined ? undefined : this.layout.indexOf.get(parentKey);
    const parent = at === undefined ? undefined : this.columnAt(at);
    return parent && this.valueAt(row, parent);
  }

  /** Text of the wanted value, or the unreadable text that stands in its place. */
  textAt(row: number, column: GridColumn): string {
    const edit = this.editAt(row, column);
    return edit?.typed ?? this.source.text(this.valueAt(row, column), column, this.source.row(row));
  }

  /** Why a cell cannot be edited, or null. */
  lockAt(row: number, column: GridColumn): Refusal | null | "unknown" {
    const data = this.source.row(row);
    if (data === undefined) return "unknown";
    return this.source.locked(data, column);
  }

  // Movement and selection

  /** Makes a cell active; `extend` keeps the other corner of the selection. */
  place(cell: CellAddress, extend: boolean, reveal = true): void {
    const to = clampCell(cell, this.extent);
    this.callOut = null;
    if (extend) this.range = rangeBetween(this.anchor, to);
    else {
      this.active = to;
      this.anchor = to;
      this.range = rangeOf(to);
    }
    if (reveal) this.viewport?.reveal(to);
    this.changed();
  }

  /** The far corner of the selection, which Shift moves. */
  private get corner(): CellAddress {
    const { range, anchor } = this;
    return {
      row: anchor.row === range.top ? range.bottom : range.top,
      column: anchor.column === range.left ? range.right : range.left,
    };
  }

  move(direction: Direction, by: "cell" | "edge" | "page", extend: boolean): void {
    const from = extend ? this.corner : this.active;
    if (by === "edge")
      this.place(
        edge(from, direction, this.extent, (cell) => this.isFilled(cell)),
        extend,
      );
    else this.place(step(from, direction, this.extent, by === "page" ? Math.max(1, (this.viewport?.pageRows() ?? 20) - 1) : 1), extend);
  }

  toLine(end: "first" | "last", corner: boolean, extend: boolean): void {
    const from = extend ? this.corner : this.active;
    const column = end === "first" ? 0 : this.extent.columns - 1;
    this.place({ row: corner ? (end === "first" ? 0 : this.extent.rows - 1) : from.row, column }, extend);
  }

  /** Tab: on to the next cell, inside a selected block row by row, round and round. */
  tab(backwards: boolean): void {
    if (this.isBlock) {
      this.cycle(backwards, "rows");
      return;
    }
    this.place(
      tab(this.active, backwards, this.extent, (cell) => this.isEnterable(cell)),
      false,
    );
  }

  /** Enter: down, inside a selected block column by column, round and round. */
  enter(backwards: boolean): void {
    if (this.isBlock) this.cycle(backwards, "columns");
    else this.move(backwards ? "up" : "down", "cell", false);
  }

  /** Several cells are selected and the active one is among them. */
  private get isBlock(): boolean {
    return rangeCells(this.range) > 1 && inRange(this.range, this.active.row, this.active.column);
  }

  /** Moves the active cell inside the selection, which stays. */
  private cycle(backwards: boolean, along: "rows" | "columns"): void {
    const { range } = this;
    const height = rangeHeight(range);
    const width = rangeWidth(range);
    const row = this.active.row - range.top;
    const column = this.active.column - range.left;
    const count = height * width;
    const at = along === "rows" ? row * width + column : column * height + row;
    // Hatched cells are passed over; a block of nothing else is left as it is.
    for (let step = 1; step < count; step++) {
      const next = (((at + (backwards ? -step : step)) % count) + count) % count;
      const cell =
        along === "rows"
          ? { row: range.top + Math.floor(next / width), column: range.left + (next % width) }
          : { row: range.top + (next % height), column: range.left + Math.floor(next / height) };
      if (!this.isEnterable(cell)) continue;
      this.active = cell;
      this.callOut = null;
      this.viewport?.reveal(cell);
      this.changed();
      return;
    }
  }

  /** Selects all cells of the selected rows or columns. */
  selectLines(lines: "rows" | "columns"): void {
    const { rows, columns } = this.extent;
    const { range } = this;
    this.range =
      lines === "rows" ? { ...range, left: 0, right: Math.max(0, columns - 1) } : { ...range, top: 0, bottom: Math.max(0, rows - 1) };
    this.anchor = lines === "rows" ? { row: range.top, column: 0 } : { row: 0, column: range.left };
    this.changed();
  }

  /** Selects a whole column by its head; `extend` takes the columns up to it. */
  selectColumn(column: number, extend: boolean): void {
    const from = extend ? this.anchor.column : column;
    this.anchor = { row: 0, column: from };
    this.active = extend ? { row: this.active.row, column: from } : { row: this.active.row, column };
    this.range = rangeBetween(this.anchor, { row: Math.max(0, this.extent.rows - 1), column });
    this.callOut = null;
    this.changed();
  }

  selectAll(): void {
    this.anchor = { row: 0, column: 0 };
    this.range = rangeBetween(this.anchor, { row: Math.max(0, this.extent.rows - 1), column: Math.max(0, this.extent.columns - 1) });
    this.active = this.anchor;
    this.changed();
  }

  /** Chooses or drops the row of the active cell. */
  toggleRow(row = this.active.row): void {
    const key = this.source.rowKey(row);
    if (key !== undefined) this.rows.toggle(row, key);
  }

  /** Chooses every row that is known, or none when all of them are. */
  toggleAllRows(): void {
    const keys: string[] = [];
    for (let row = 0; row < this.source.total; row++) {
      const key = this.source.rowKey(row);
      if (key !== undefined) keys.push(key);
    }
    if (keys.length > 0 && keys.every((key) => this.rows.has(key))) this.rows.clear();
    else this.rows.set(keys);
  }

  /** Whether a cell lies in a block of more than one cell. */
  isSelected(row: number, column: number): boolean {
    const { range } = this;
    return row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;
  }

  private isFilled(cell: CellAddress): boolean | null {
    const column = this.columnAt(cell.column);
    const row = this.source.row(cell.row);
    if (!column || row === undefined) return null;
    return !isEmptyValue(this.valueAt(cell.row, column)) || this.editAt(cell.row, column)?.typed !== undefined;
  }

  private isEnterable(cell: CellAddress): boolean {
    const column = this.columnAt(cell.column);
    const row = this.source.row(cell.row);
    return column !== undefined && (row === undefined || !this.source.cellState(row, column).outside);
  }

  // Editing one cell

  /** Opens the editor on the active cell; a locked cell says why instead. Answers whether the editor is open. */
  beginEdit(mode: OpenEditor["mode"]): boolean {
    const column = this.columnAt(this.active.column);
    const rowKey = this.source.rowKey(this.active.row);
    if (!column || rowKey === undefined) return false;
    const lock = this.lockAt(this.active.row, column);
    if (lock === "unknown" || (lock && this.openLocked(this.active)) || this.readOnly) return false;
    this.viewport?.reveal(this.active);
    // Typing into a selected block keeps the block, so that Enter and Tab go round in it.
    if (!this.isBlock) {
      this.range = rangeOf(this.active);
      this.anchor = this.active;
    }
    if (lock) {
      this.callOut = { cell: this.active, refusal: lock };
      this.changed();
      return false;
    }
    this.editor = { cell: this.active, rowKey, column, mode, text: this.textAt(this.active.row, column) };
    this.callOut = null;
    this.changed();
    return true;
  }

  /** Closes the editor without a change. */
  cancelEdit(): void {
    if (!this.editor) return;
    this.editor = null;
    this.editorKeys = null;
    this.changed();
  }

  /** Writes a value, or text that could not be read, to the edited cell and closes the editor. */
  commit(value: CellValue, typed?: string): void {
    const { editor } = this;
    if (!editor) return;
    this.editor = null;
    this.editorKeys = null;
    if (typed !== undefined && this.takeTyped(editor.rowKey, editor.column.key, typed)) {
      this.changed();
      return;
    }
    const row = this.source.indexOf(editor.rowKey);
    const data = row === undefined ? undefined : this.source.row(row);
    const base = data === undefined ? null : this.source.value(data, editor.column);
    this.edits.change([{ rowKey: editor.rowKey, columnKey: editor.column.key, base, value, ...(typed === undefined ? {} : { typed }) }]);
    this.changed();
  }

  // Problems

  /** Goes to the next refused or conflicting cell in reading order, round the end. */
  toProblem(backwards: boolean): void {
    const found: { at: number; rowKey: string; columnKey: string }[] = [];
    let elsewhere = 0;
    const width = this.layout.columns.length + 1;
    for (const edit of this.edits.all()) {
      if (!edit.refusal && !edit.conflict) continue;
      const row = this.source.indexOf(edit.rowKey);
      if (row === undefined) elsewhere++;
      else
        found.push({
          at: row * width + (this.layout.indexOf.get(edit.columnKey) ?? width - 1),
          rowKey: edit.rowKey,
          columnKey: edit.columnKey,
        });
    }
    if (found.length === 0) {
      this.notify(elsewhere > 0 ? { kind: "problemsElsewhere", count: elsewhere } : { kind: "noProblem" });
      return;
    }
    found.sort((a, b) => a.at - b.at);
    const here = this.active.row * width + this.active.column;
    const next = backwards
      ? (found.findLast((problem) => problem.at < here) ?? found.at(-1))
      : (found.find((problem) => problem.at > here) ?? found[0]);
    if (next) this.goTo(next.rowKey, next.columnKey);
  }

  /** Makes a cell active by its keys, showing its column first when it is hidden. */
  goTo(rowKey: string, columnKey: string): void {
    this.target = { rowKey, columnKey };
    if (this.layout.indexOf.has(columnKey)) this.followTarget();
    else this.showColumn(columnKey);
  }

  private followTarget(): void {
    if (!this.target) return;
    const column = this.layout.indexOf.get(this.target.columnKey);
    const row = this.source.indexOf(this.target.rowKey);
    if (column === undefined) return;
    this.target = null;
    if (row !== undefined) this.place({ row, column }, false);
  }

  // Changes by others

  /** Lets cells flash once because others changed them. */
  flash(cells: readonly { rowKey: string; columnKey: string }[]): void {
    if (cells.length === 0) return;
    const until = Date.now() + flashMs;
    for (const { rowKey, columnKey } of cells) this.flashes.set(`${rowKey}|${columnKey}`, until);
    this.changed();
    setTimeout(() => {
      for (const [key, end] of this.flashes) if (end <= Date.now()) this.flashes.delete(key);
      this.changed();
    }, flashMs + 50);
  }

  /** Whether others have just changed a cell. */
  isFlashing(row: number, column: number): boolean {
    return this.flashes.size > 0 && this.flashes.has(`${this.source.rowKey(row)}|${this.columnAt(column)?.key}`);
  }

  /** Whether rows that arrived change anything that is shown: rows fetched ahead of a quick scroll do not. */
  private isShown({ from, to }: Arrived): boolean {
    const meets = (first: number, last: number) => from <= last && to >= first;
    const drawn = this.viewport?.drawnRows();
    return !drawn || this.editor !== null || meets(drawn.from, drawn.to) || meets(this.range.top, this.range.bottom);
  }

  /** Rows arrived or the query changed: stay inside. */
  private rowsMoved(arrived: Arrived | undefined): void {
    if (arrived && !this.isShown(arrived)) return;
    const { rows } = this.extent;
    if (this.active.row >= rows) {
      this.active = clampCell(this.active, this.extent);
      this.anchor = this.active;
      this.range = rangeOf(this.active);
      this.copied = null;
    } else if (this.range.bottom >= rows) this.range = { ...this.range, bottom: Math.max(this.active.row, rows - 1) };
    this.followEdited();
    this.changed();
  }

  /** The editor goes where its row goes. While rows are read again it waits for them; what is typed stays an edit of a row that is gone. */
  private followEdited(): void {
    const { editor, source } = this;
    if (!editor) return;
    const there = source.rowKey(editor.cell.row);
    if (there === editor.rowKey) return;
    const row = source.indexOf(editor.rowKey);
    if (row !== undefined) this.editor = { ...editor, cell: { ...editor.cell, row } };
    else if (there !== undefined || editor.cell.row >= source.total) this.viewport ? this.viewport.keepTyped() : this.cancelEdit();
  }
}

/** A grid of any kind of row, for parts that only pass rows on to the source. */
// biome-ignore lint/suspicious/noExplicitAny: a source both gives and takes its rows, so no common type of row exists.
export type AnyGrid = GridController<any>;

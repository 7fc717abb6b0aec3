import type { CellState, CellValue, GridColumn, GridSource, Refusal } from "#components/grid/grid-model.ts";
import type { PagedRow } from "#components/grid/paged-list.ts";
import type { InputList } from "./input-list.ts";

/** What the check says of the cells of a DU. */
export type CellProblems = ReadonlyMap<string, string>;
const noProblems: CellProblems = new Map();
/** Where a problem of a cell is kept. */
export const cellKey = (duId: number, columnKey: string) => `${duId} ${columnKey}`;

/** Rows of an input for the grid: the stored ones, and below them those that are being made. */
export class InputRows implements GridSource<PagedRow> {
  readonly list: InputList;
  /** What the check says of cells, by `cellKey`. */
  problems: CellProblems = noProblems;
  /** Why a cell that names the row cannot be changed any more. */
  rowLock: Refusal = { code: "ROW_KEY", cause: "" };

  private readonly begin: Readonly<Record<string, unknown>>;
  private readonly keys: ReadonlySet<string>;
  private drafts: PagedRow[] = [];
  /** Rows that were dropped; they come back with their edits. */
  private gone: PagedRow[] = [];
  private made = 0;
  private listeners = new Set<() => void>();

  /**
   * @param begin values a new row begins with
   * @param keys columns that can be given to a new row alone
   */
  constructor(list: InputList, begin: Readonly<Record<string, unknown>>, keys: ReadonlySet<string>) {
    this.list = list;
    this.begin = begin;
    this.keys = keys;
    list.subscribe(() => this.changed());
  }

  get total(): number {
    return this.list.total + this.drafts.length;
  }
  readonly open = false;

  /** Adds empty rows at the end; gives the place of the first. */
  addRows(count: number): number {
    const first = this.total;
    for (let at = 0; at < count; at++) this.drafts.push({ ...this.begin, id: -++this.made, rowVersion: 0 });
    this.changed();
    return first;
  }

  /** Takes rows out that are being made. */
  drop(rowKeys: ReadonlySet<string>): void {
    const dropped = this.drafts.filter(({ id }) => rowKeys.has(String(id)));
    if (dropped.length === 0) return;
    this.drafts = this.drafts.filter((row) => !dropped.includes(row));
    this.gone.push(...dropped);
    this.changed();
  }

  /** Brings back dropped rows that are edited again: their deletion was undone. */
  revive(isEdited: (rowKey: string) => boolean): void {
    const back = this.gone.filter(({ id }) => isEdited(String(id)));
    if (back.length === 0) return;
    this.gone = this.gone.filter((row) => !back.includes(row));
    this.drafts.push(...back);
    this.changed();
  }

  /** Whether a column is given to a new row alone. */
  names(columnKey: string): boolean {
    return this.keys.has(columnKey);
  }

  /** A row that is being made. */
  draft(rowKey: string): PagedRow | undefined {
    return this.drafts.find(({ id }) => String(id) === rowKey);
  }

  row = (index: number): PagedRow | undefined => (index < this.list.total ? this.list.row(index) : this.drafts[index - this.list.total]);
  rowKey = (index: number): string | undefined => {
    const row = this.row(index);
    return row && String(row.id);
  };
  indexOf = (rowKey: string): number | undefined => {
    const at = this.drafts.findIndex(({ id }) => String(id) === rowKey);
    return at < 0 ? this.list.indexOf(rowKey) : this.list.total + at;
  };
  requestRange = (from: number, to: number): void => this.list.requestRange(from, Math.min(to, this.list.total - 1));
  ensureRange = async (from: number, to: number): Promise<boolean> =>
    from >= this.list.total || this.list.ensureRange(from, Math.min(to, this.list.total - 1));
  failures = () => this.list.failures();
  retry = (from: number): void => this.list.retry(from);

  value = (row: PagedRow, column: GridColumn): CellValue => this.list.value(row, column);
  text = (value: CellValue, column: GridColumn, row: PagedRow | undefined): string => this.list.text(value, column, row);
  cellState = (row: PagedRow, column: GridColumn): CellState => {
    const text = this.problems.get(cellKey(Number(row.duId), column.key));
    return text === undefined ? {} : { note: { mark: "warning", text } };
  };
  locked = (row: PagedRow, column: GridColumn): Refusal | null =>
    this.list.locked(row, column) ?? (row.id > 0 && this.keys.has(column.key) ? this.rowLock : null);

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

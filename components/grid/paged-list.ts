import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import type { Filter, Sort } from "#lib/core/paging.ts";
import type { CellKind, CellState, CellValue, GridColumn, GridSource, Refusal } from "./grid-model.ts";
import { TileCache, tileSize } from "./tile-cache.ts";

/** A row as a paged list of the server gives it. */
export type PagedRow = Record<string, unknown> & { id: number; rowVersion: number };

/** What is listed: conditions and order. */
export type PagedQuestion = { filters: Filter[]; sort: Sort[] };

export type PagedTexts = { yes: string; no: string; readOnly: Refusal };

/** Rows of a paged list of the server for the grid: a page of the list is a tile of the grid. */
export class PagedList implements GridSource<PagedRow> {
  total = 0;
  /** The number of rows is hidden: one tile more is offered until a short one ends the list. */
  open = false;
  /** The number of rows is told. */
  counted = false;
  /** The answer that failed, where the list could not be read at all. */
  failed: Answer | null = null;
  /** The list was read at least once. */
  asked = false;
  texts: PagedTexts;

  private readonly address: string;
  private readonly editable: () => boolean;
  private readonly tiles: TileCache<PagedRow>;
  private question: PagedQuestion = { filters: [], sort: [] };
  private places = new Map<string, number>();
  private listeners = new Set<() => void>();
  private asking = 0;
  /** Rows on screen, to be read again after another question. */
  private seen = { from: 0, to: tileSize - 1 };

  /**
   * @param address address of the list up to its page: `du/list`
   * @param editable whether the person may change rows at all
   */
  constructor(address: string, texts: PagedTexts, editable: () => boolean) {
    this.address = address;
    this.texts = texts;
    this.editable = editable;
    this.tiles = new TileCache(
      (from, _count, signal) => this.load(from, signal),
      (tile) => {
        if (tile) {
          for (const [at, row] of tile.rows.entries()) this.places.set(String(row.id), tile.from + at);
          if (this.open) this.grow(tile);
        }
        this.changed();
      },
    );
  }

  /** Asks for another list, or the same one again. */
  async ask(question: PagedQuestion = this.question): Promise<void> {
    this.question = question;
    const asking = ++this.asking;
    const answer = await this.readPage(1, undefined);
    if (asking !== this.asking || answer.status === 499) return;
    this.asked = true;
    this.failed = answer.data ? null : answer;
    const { records = [], total = 0 } = answer.data ?? {};
    this.counted = Boolean(answer.data) && total !== null;
    this.open = total === null && records.length === tileSize;
    this.total = total ?? (this.open ? 2 * tileSize : records.length);
    this.places.clear();
    this.tiles.reset(this.total);
    // The first page is a tile already: nothing flashes, and it is not read twice.
    if (records.length > 0) this.tiles.seed(0, records, false);
    for (const [at, row] of records.entries()) this.places.set(String(row.id), at);
    this.tiles.request(Math.min(this.seen.from, Math.max(0, this.total - 1)), this.seen.to);
    this.changed();
  }

  private grow({ from, rows }: { from: number; rows: readonly PagedRow[] }): void {
    const end = from + rows.length;
    this.open = rows.length === tileSize;
    this.total = this.open ? Math.max(this.total, end + tileSize) : end;
    this.tiles.setTotal(this.total);
    this.tiles.request(this.seen.from, this.seen.to);
  }

  private async load(from: number, signal: AbortSignal): Promise<readonly PagedRow[]> {
    const answer = await this.readPage(Math.floor(from / tileSize) + 1, signal);
    if (!answer.data) throw new Error(answer.code ?? "failed");
    return answer.data.records;
  }

  private async readPage(page: number, signal: AbortSignal | undefined): Promise<Answer<{ records: PagedRow[]; total: number | null }>> {
    const { filters, sort } = this.question;
    const address = listAddress(this.address, page, tileSize, filters);
    const answer: Answer<{ records: PagedRow[]; total: number | null }> = signalAnswer(
      await callDoor(address, sort.length > 0 ? { sort } : {}, signal ? { signal } : { cancelKey: this.address }),
    );
    return answer.data
      ? { ...answer, data: { ...answer.data, records: answer.data.records.map((record) => this.rowOfRecord(record)) } }
      : answer;
  }

  /** A record as a row of the grid; a list that keeps its values elsewhere brings them to their columns. */
  protected rowOfRecord(record: PagedRow): PagedRow {
    return record;
  }

  row = (index: number): PagedRow | undefined => this.tiles.row(index);
  rowKey = (index: number): string | undefined => {
    const row = this.tiles.row(index);
    return row && String(row.id);
  };
  indexOf = (rowKey: string): number | undefined => this.places.get(rowKey);
  requestRange = (from: number, to: number): void => {
    this.seen = { from, to };
    this.tiles.request(from, to);
  };
  ensureRange = (from: number, to: number): Promise<boolean> => this.tiles.ensure(from, to);
  failures = (): readonly { from: number; to: number }[] => this.tiles.failures();
  retry = (from: number): void => this.tiles.retry(from);

  /** The row with a key, where it is loaded. */
  rowOf(rowKey: string): PagedRow | undefined {
    const place = this.places.get(rowKey);
    return place === undefined ? undefined : this.tiles.row(place);
  }

  value(row: PagedRow, column: GridColumn): CellValue {
    const value = row[column.key] ?? null;
    return column.kind === "choice" && value !== null ? String(value) : (value as CellValue);
  }

  text(value: CellValue, column: GridColumn, row: PagedRow | undefined): string {
    if (value === null) return "";
    if (column.kind === "flag") return value ? this.texts.yes : this.texts.no;
    if (column.kind !== "choice") return String(value);
    const known = column.choices?.find((choice) => choice.value === value)?.label;
    // A region or company out of use is no choice any more, but its name is still that of the row.
    return known ?? String(row?.[column.key.replace(/Id$/, "Name")] ?? value);
  }

  cellState(): CellState {
    return {};
  }

  locked(_row: PagedRow, column: GridColumn): Refusal | null {
    return this.editable() && column.editable ? null : this.texts.readOnly;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** A column of such a table, to be edited unless said otherwise. */
export const listColumn = (key: string, title: string, kind: CellKind, width: number, more: Partial<GridColumn> = {}): GridColumn => ({
  key,
  title,
  kind,
  width,
  editable: true,
  ...(kind === "number" && { align: "end" as const }),
  ...more,
});

import type { CellState, CellValue, GridColumn, GridHead, GridSource, Refusal } from "#components/grid/grid-model.ts";
import { addDays } from "#lib/core/clock.ts";
import type { Answer } from "#lib/core/error.ts";
import { formatNumber, formatWeek } from "#lib/core/format.ts";
import type { Bucket } from "#lib/planning-engine/outputs/limits.ts";
import type { MaterialGrid } from "#lib/planning-engine/outputs/schema.ts";
import { columnTitle, type FilledItem, fillItem, type Measure, measures } from "./material-fill.ts";

/** Items a page of the call has. */
export const pageItems = 50;
const pageRows = pageItems * measures.length;

/** A line of the grid: one measure of an item. */
export type MaterialLine = { item: FilledItem; measure: Measure };
/** Reads a page of items. */
export type ReadPage = (page: number, signal: AbortSignal) => Promise<Answer<MaterialGrid>>;

/** Items of a material plan for the grid: seven lines each, a column per bucket, read page by page as they come into sight. */
export class MaterialSource implements GridSource<MaterialLine> {
  total = 0;
  readonly open = false;
  /** The first answer, which knows the columns; null while none has come. */
  first: MaterialGrid | null = null;
  failed: Answer | null = null;
  words: { readOnly: Refusal; measure: (measure: Measure) => string } = { readOnly: { code: "READ_ONLY", cause: "" }, measure: String };

  private readPage: ReadPage = async () => ({ status: 499 });
  private pages = new Map<number, readonly FilledItem[] | "reading" | "failed">();
  private control = new AbortController();
  private listeners = new Set<() => void>();

  /** Begins anew with another question. */
  async ask(readPage: ReadPage): Promise<void> {
    this.control.abort();
    this.control = new AbortController();
    this.readPage = readPage;
    this.pages.clear();
    await this.load(1);
  }

  private async load(page: number): Promise<void> {
    const { signal } = this.control;
    this.pages.set(page, "reading");
    const answer = await this.readPage(page, signal);
    if (signal.aborted) return;
    if (answer.data) {
      const { data } = answer;
      if (page === 1) {
        this.first = data;
        this.total = data.total * measures.length;
      }
      this.pages.set(
        page,
        data.records.map((item) => fillItem(item, data.columns)),
      );
    } else this.pages.set(page, "failed");
    if (page === 1) this.failed = answer.data ? null : answer;
    for (const listener of this.listeners) listener();
  }

  /** The item a line is of, where it is read. */
  row = (index: number): MaterialLine | undefined => {
    const page = this.pages.get(Math.floor(index / pageRows) + 1);
    const item = typeof page === "object" ? page[Math.floor((index % pageRows) / measures.length)] : undefined;
    return item && { item, measure: measures[index % measures.length] as Measure };
  };
  rowKey = (index: number): string | undefined => (index < this.total ? String(index) : undefined);
  indexOf = (rowKey: string): number | undefined => Number(rowKey);
  requestRange = (from: number, to: number): void => {
    for (let page = Math.floor(from / pageRows) + 1; page <= Math.floor(to / pageRows) + 1; page++)
      if (!this.pages.has(page) && (page - 1) * pageRows < this.total) void this.load(page);
  };
  ensureRange = async (from: number, to: number): Promise<boolean> => {
    const missing: Promise<void>[] = [];
    for (let page = Math.floor(from / pageRows) + 1; page <= Math.floor(to / pageRows) + 1; page++)
      if (typeof this.pages.get(page) !== "object") missing.push(this.load(page));
    await Promise.all(missing);
    return this.row(from) !== undefined && this.row(Math.min(to, this.total - 1)) !== undefined;
  };

  value = ({ item, measure }: MaterialLine, { key }: GridColumn): CellValue => {
    if (key === "item") return item.itemCode;
    if (key === "measure") return measure;
    return item[measure][Number(key)] ?? 0;
  };

  text = (value: CellValue, { key }: GridColumn, row: MaterialLine | undefined): string => {
    // The code of an item stands at its first line.
    if (key === "item") return row?.measure === measures[0] ? String(value) : "";
    if (key === "measure") return this.words.measure(value as Measure);
    if (typeof value !== "number") return "";
    return value === 0 && row?.measure !== "opening" && row?.measure !== "closing" ? "" : formatNumber(value);
  };

  cellState = ({ item, measure }: MaterialLine, { key }: GridColumn): CellState => {
    if (key === "item") return measure === measures[0] ? {} : { spoken: item.itemCode };
    if (measure === "netReq" && key !== "measure" && (item.netReq[Number(key)] ?? 0) > 0) return { status: "delayed" };
    return {};
  };

  locked = (): Refusal => this.words.readOnly;

  failures = (): readonly { from: number; to: number }[] =>
    [...this.pages].flatMap(([page, held]) =>
      held === "failed" && page > 1 ? [{ from: (page - 1) * pageRows, to: Math.min(this.total, page * pageRows) - 1 }] : [],
    );
  retry = (from: number): void => void this.load(Math.floor(from / pageRows) + 1);

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

/** The head over the columns of a material plan: buckets under their month or year. */
export function materialHead(columns: readonly string[], bucket: Bucket, titles: { item: string; measure: string }): GridHead {
  const groups: { key: string; title: string; columns: GridColumn[] }[] = [
    {
      key: "item",
      title: titles.item,
      columns: [
        { key: "item", title: titles.item, kind: "text", width: 150 },
        { key: "measure", title: titles.measure, kind: "text", width: 130, quiet: true },
      ],
    },
  ];
  columns.forEach((from, at) => {
    const { group, title } = columnTitle(from, bucket, (iso) => formatWeek(addDays(iso, 1)).slice(5));
    if (groups.at(-1)?.key !== group) groups.push({ key: group, title: group, columns: [] });
    groups.at(-1)?.columns.push({ key: String(at), title, kind: "number", width: 72, align: "end" });
  });
  return { groups };
}

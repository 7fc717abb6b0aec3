import type { Arrived, CellNote, CellState, CellValue, GridColumn, GridSource, Refusal } from "#components/grid/grid-model.ts";
import { TileCache, tileSize } from "#components/grid/tile-cache.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer, Params } from "#lib/core/error.ts";
import { unpackIds } from "#lib/rollout-plan/filters/logic.ts";
import type { Gantt } from "#lib/rollout-plan/gantt/queries.ts";
import { type FirstRows, questionText } from "./first-rows.ts";
import type { DateLock } from "./locked-dates.ts";
import type { PlanCells, WantedValues } from "./plan-cells.ts";
import { type CheckFrame, isPlanField, lockOf } from "./plan-check.ts";
import type { TileParts } from "./plan-columns.ts";
import type { DateShift, PlanCompare } from "./plan-compare.ts";
import { filterInput, type PlanQuestion } from "./plan-filters.ts";
import { columnRef } from "./plan-keys.ts";
import { PlanMarks } from "./plan-marks.ts";
import type { PeopleBook } from "./plan-people.ts";
import { openTile, type PlanRow, type TileAnswer, waitOf } from "./plan-tile.ts";

/** What `wbs/filter` answers. */
export type FilterAnswer = { queryId: string; total: number | null; unmatched: string[]; seq: number; duIds?: number[] };

/** What the source needs of the page: texts and unsaved values. */
export type SourceTexts = {
  status: (status: string) => string;
  /** How a date differs from that of the version compared with, for screen readers. */
  shift: (shift: DateShift) => string;
  /** What is said of a site that waits after RFI. */
  wait: (days: number, exceeds: boolean) => string;
  yes: string;
  no: string;
  /** Cause and remedy of a broken rule. */
  refusal: (code: string, params: Params) => Refusal;
};

/** Where the source gets its columns from; another object for another head. */
export type SourceHead = { cells: PlanCells; frame: CheckFrame; parts: TileParts; marked?: boolean };

/** A place of the query whose DU was deleted meanwhile. */
const gone: PlanRow = {
  duId: 0,
  at: 0,
  plan: {
    duId: 0,
    flowId: 0,
    flowVersion: 0,
    rowVersion: 0,
    releaseState: 0,
    states: new Int32Array(),
    dates: new Uint16Array(),
    owners: new Int32Array(),
    released: null,
  },
  flow: [0, 0],
  tile: { columns: new Map(), owners: new Map(), noteSlots: new Set(), notes: new Map(), marks: new Map(), asked: 0 },
};

/**
 * Rows of the roll-out plan: keeps the query on the server and the tiles here, and reads cells from them.
 * One object for the life of the page; other filters, heads and columns are given to it.
 */
export class PlanSource implements GridSource<PlanRow> {
  total = 0;
  open = false;
  /** Entries of the search that no DU has. */
  unmatched: readonly string[] = [];
  /** Change number up to which the shown values are true. */
  seq = 0;
  /** The last question failed; the rows are those of the one before. */
  failed: Answer | null = null;
  /** The question is being asked. */
  asking = false;
  /** A question has been answered since the page opened. */
  asked = false;
  /** Unsaved values of a row, for what follows from them. */
  wanted: (rowKey: string) => WantedValues | undefined = () => undefined;
  /** A row came in an order of activities that the head does not know. */
  onForeign: () => void = () => {};
  /** Rows arrived anew. */
  onRows: (rows: readonly PlanRow[]) => void = () => {};

  /** Version whose dates stand beside those of the plan. */
  compare: PlanCompare | null = null;

  private readonly marks = new PlanMarks();
  private head: SourceHead;
  private texts: SourceTexts;
  private readonly people: PeopleBook;
  private readonly tiles: TileCache<PlanRow>;
  /** Rows read beside the tiles, for views that show other DUs than the grid has loaded. */
  private beside = new Map<string, PlanRow>();
  private question: PlanQuestion | null = null;
  /** Question whose answer came with the page; null once something was asked. */
  private given: string | null = null;
  private queryId: string | null = null;
  private duIds: readonly number[] | null = null;
  /** Places by DU; null until they are asked for: they follow from `duIds`. */
  private positions: Map<string, number> | null = null;
  private listeners = new Set<(arrived?: Arrived) => void>();
  private renewing: Promise<boolean> | null = null;
  private loadedParts: SourceHead["parts"];
  /** Values that were saved but whose rows have not been read again, with when they were saved. */
  private saved = new Map<string, Map<string, { value: CellValue; at: number }>>();
  private clock = 0;
  /** Places on screen. */
  private seen = { from: 0, to: 0 };

  constructor(head: SourceHead, texts: SourceTexts, people: PeopleBook) {
    this.head = head;
    this.texts = texts;
    this.people = people;
    this.loadedParts = head.parts;
    this.tiles = new TileCache(
      (from, count, signal) => this.loadTile(from, count, signal),
      (tile) => this.tileMoved(tile),
    );
  }

  /** Other columns or another version of the flows: rows are read again where they lack something. */
  setHead(head: SourceHead, texts: SourceTexts): void {
    const lacks = <Key>(now: readonly Key[], wanted: readonly Key[]) => wanted.some((key) => !now.includes(key));
    const { fields, attrs, notes } = this.loadedParts;
    const more = lacks(fields, head.parts.fields) || lacks(attrs, head.parts.attrs) || lacks(notes, head.parts.notes);
    this.head = head;
    this.texts = texts;
    // Also where it is less than before: tiles that come from now on have no more.
    this.loadedParts = head.parts;
    if (more) this.tiles.refreshAll();
    this.changed();
  }

  /** Puts a version beside the plan, or takes it away; what is loaded is read again with it. */
  setCompare(compare: PlanCompare | null): void {
    if (compare === this.compare) return;
    this.compare = compare;
    if (compare && this.asked) this.tiles.refreshAll();
    this.changed();
  }

  /** Takes the rows that came with the page, before anything is asked. */
  adopt(first: FirstRows): void {
    this.given = first.question;
    this.asked = true;
    this.take({ ...first.filter, ...(first.ids === null ? {} : { duIds: unpackIds(first.ids) }) });
    this.people.learn(first.tile.people ?? []);
    const rows = openTile(first.tile, ++this.clock, first.notes);
    for (const row of rows) this.place(row, row.at);
    // They carry the first columns only: what rules and warnings say of them comes with their whole tile too. This runs on the server as well, which makes no calls.
    this.tiles.seed(0, rows, true);
  }

  /** Asks which DUs fit, and forgets the rows of the question before. */
  async ask(question: PlanQuestion): Promise<void> {
    this.question = question;
    const given = this.given;
    this.given = null;
    // The page brought the answer along.
    if (given !== null && given === questionText(question)) return;
    this.asking = true;
    this.changed();
    const answer = signalAnswer(await callDoor<FilterAnswer>("wbs/filter", filterInput(question), { cancelKey: "plan filter" }));
    if (this.question !== question || answer.status === 499) return;
    this.asking = false;
    this.failed = answer.data ? null : answer;
    if (answer.data) {
      this.asked = true;
      this.take(answer.data);
    }
    this.changed();
  }

  /** Asks the same question again: the rows may have moved. */
  async askAgain(): Promise<void> {
    if (this.question) await this.ask({ ...this.question });
  }

  private take(answer: FilterAnswer): void {
    this.queryId = answer.queryId;
    this.duIds = answer.duIds ?? null;
    this.unmatched = answer.unmatched;
    this.seq = answer.seq;
    this.open = answer.total === null;
    this.total = answer.total ?? tileSize;
    this.positions = null;
    this.loadedParts = this.head.parts;
    this.tiles.reset(this.total);
    this.saved.clear();
    // The same places on screen hold other rows now. Before the grid stands, nothing is on screen.
    if (this.seen.to > 0) this.tiles.request(Math.min(this.seen.from, Math.max(0, this.total - 1)), this.seen.to);
  }

  /** The query and its DUs, for calls about all of them. */
  get query(): { queryId: string | null; duIds: readonly number[] | null } {
    return { queryId: this.queryId, duIds: this.duIds };
  }

  private async loadTile(from: number, count: number, signal: AbortSignal): Promise<readonly PlanRow[]> {
    const { parts } = this.head;
    const asked = ++this.clock;
    const ask = () =>
      callDoor<TileAnswer>("rolloutPlan/tile", { queryId: this.queryId, from, count, parts: { plan: true, ...parts } }, { signal });
    let answer = signalAnswer(await ask());
    if (answer.code === "QUERY_EXPIRED" && (await this.renew())) answer = signalAnswer(await ask());
    if (!answer.data) throw new Error(answer.code ?? "failed");
    this.people.learn(answer.data.people ?? []);
    const { compare, queryId } = this;
    if (compare && queryId) void compare.read(queryId, from, count).then((news) => news && this.changed({ from, to: from + count - 1 }));
    return this.align(openTile(answer.data, asked, parts.notes), from, count);
  }

  /** The query expired on the server: the same question is asked again, the rows stay. */
  private renew(): Promise<boolean> {
    const { question } = this;
    if (!question) return Promise.resolve(false);
    this.renewing ??= callDoor<FilterAnswer>("wbs/filter", filterInput(question), { reading: true })
      .then((answer) => {
        if (!answer.data || this.question !== question) return false;
        const same = this.duIds && answer.data.duIds && sameList(this.duIds, answer.data.duIds);
        if (same) this.queryId = answer.data.queryId;
        else this.take(answer.data);
        return same === true;
      })
      .finally(() => {
        this.renewing = null;
      });
    return this.renewing;
  }

  /** Rows at the places of the query: a DU that is gone leaves a gap instead of moving the others up. */
  private align(rows: PlanRow[], from: number, count: number): readonly PlanRow[] {
    if (!this.duIds || rows.length === count) return rows;
    const byId = new Map(rows.map((row) => [row.duId, row]));
    return Array.from({ length: count }, (_, at) => byId.get(this.duIds?.[from + at] ?? 0) ?? gone);
  }

  private tileMoved(tile: { from: number; rows: readonly PlanRow[] } | null): void {
    const grows = this.open;
    if (tile) {
      if (grows) this.grow(tile);
      tile.rows.forEach((row, at) => {
        this.place(row, tile.from + at);
      });
      this.forgetSaved(tile.rows);
      if (tile.rows.some((row) => this.head.cells.isForeign(row))) this.onForeign();
      this.onRows(tile.rows);
      this.readMarks(tile.from, tile.rows);
    }
    this.changed(tile && !grows ? { from: tile.from, to: tile.from + tile.rows.length - 1 } : undefined);
  }

  /** What rules and warnings say of rows follows them: nobody waits for it. */
  private readMarks(from: number, rows: readonly PlanRow[]): void {
    if (!this.head.marked) return;
    const duIds = rows.flatMap(({ duId }) => (duId === 0 ? [] : [duId]));
    void this.marks.read(duIds).then((news) => news && this.changed({ from, to: from + rows.length - 1 }));
  }

  /** Without a told number the scroll area grows by one tile until a short one ends it. */
  private grow({ from, rows }: { from: number; rows: readonly PlanRow[] }): void {
    const end = from + rows.length;
    if (rows.length < tileSize) {
      this.open = false;
      this.total = end;
    } else this.total = Math.max(this.total, end + tileSize);
    this.tiles.setTotal(this.total);
    this.tiles.request(this.seen.from, this.seen.to);
  }

  /**
   * Reads rows of chosen DUs beside the tiles, with their flows and calendars; they are found by `rowOf` from then on, and unsaved edits of theirs are checked
   * and compared as those of loaded ones.
   */
  async readRows(duIds: readonly number[], signal?: AbortSignal): Promise<Answer<Gantt>> {
    const asked = ++this.clock;
    const answer = signalAnswer(await callDoor<Gantt>("rolloutPlan/gantt", { duIds }, signal ? { signal } : {}));
    if (!answer.data) return answer;
    this.people.learn(answer.data.people ?? []);
    const rows = openTile(answer.data, asked, []);
    for (const row of rows) this.beside.set(String(row.duId), row);
    this.forgetSaved(rows);
    if (rows.some((row) => this.head.cells.isForeign(row))) this.onForeign();
    this.onRows(rows);
    this.changed();
    return answer;
  }

  /** A count of readings and saves up to now: what is saved later is newer than what is read now. */
  get reading(): number {
    return ++this.clock;
  }

  /** A value that was saved here after a reading. */
  savedSince(rowKey: string, columnKey: string, reading: number): CellValue | undefined {
    const saved = this.saved.get(rowKey)?.get(columnKey);
    return saved && saved.at > reading ? saved.value : undefined;
  }

  /** Cells that were just saved keep showing what was saved until their rows are read again. */
  keepSaved(cells: readonly { rowKey: string; columnKey: string; mine: CellValue }[]): void {
    const at = ++this.clock;
    for (const { rowKey, columnKey, mine } of cells) {
      const row = this.saved.get(rowKey) ?? new Map<string, { value: CellValue; at: number }>();
      this.saved.set(rowKey, row.set(columnKey, { value: mine, at }));
    }
  }

  private forgetSaved(rows: readonly PlanRow[]): void {
    if (this.saved.size === 0) return;
    for (const row of rows) {
      const kept = this.saved.get(String(row.duId));
      if (!kept) continue;
      for (const [key, { at }] of kept) if (at < row.tile.asked) kept.delete(key);
      if (kept.size === 0) this.saved.delete(String(row.duId));
    }
  }

  /** Reads rows again whose DUs changed, as far as they are loaded. */
  refresh(duIds: readonly number[]): void {
    this.tiles.refresh(duIds.flatMap((id) => this.places().get(String(id)) ?? []));
  }

  /** Something that changed could not be read again, and stands as it was. */
  get behind(): boolean {
    return this.tiles.behind || this.marks.behind;
  }

  /** Reads it again. */
  catchUp(): void {
    this.tiles.catchUp();
    void this.marks.catchUp().then((news) => news && this.changed());
  }

  /** Reads all rows again. */
  refreshAll(): void {
    this.tiles.refreshAll();
  }

  // GridSource

  row = (index: number): PlanRow | undefined => this.tiles.row(index);

  rowKey = (index: number): string | undefined => {
    const id = this.duIds?.[index] ?? this.tiles.row(index)?.duId;
    return id ? String(id) : undefined;
  };

  private places(): Map<string, number> {
    this.positions ??= new Map(this.duIds?.map((id, index) => [String(id), index]));
    return this.positions;
  }

  /** Notes where a row stands, unless that follows from `duIds` as soon as it is asked for. */
  private place({ duId }: PlanRow, at: number): void {
    if (duId !== 0 && (this.positions || !this.duIds)) this.places().set(String(duId), at);
  }

  indexOf = (rowKey: string): number | undefined => this.places().get(rowKey);

  /** A loaded row by its DU: the newer one where it was read for the grid and for another view. */
  rowOf(rowKey: string): PlanRow | undefined {
    const index = this.places().get(rowKey);
    const row = index === undefined ? undefined : this.tiles.row(index);
    const other = this.beside.get(rowKey);
    return row && other ? (row.tile.asked > other.tile.asked ? row : other) : (row ?? other);
  }

  /** Rows that are loaded. */
  loadedRows(): PlanRow[] {
    return [...[...this.tiles.loaded()].map(([, row]) => row), ...this.beside.values()];
  }

  requestRange = (from: number, to: number): void => {
    this.seen = { from, to };
    this.tiles.request(from, to);
  };
  ensureRange = (from: number, to: number): Promise<boolean> => this.tiles.ensure(from, to);
  /** No row is on screen: another question reads none ahead. */
  leaveScreen = (): void => {
    this.seen = { from: 0, to: 0 };
  };

  value = (row: PlanRow, column: GridColumn): CellValue => {
    const saved = this.saved.size > 0 ? this.saved.get(String(row.duId))?.get(column.key) : undefined;
    return saved ? saved.value : this.head.cells.value(row, column, this.wantedOf(row, column));
  };

  text = (value: CellValue, column: GridColumn, row: PlanRow | undefined): string => {
    if (column.kind === "bar") return this.barText(value, column, row);
    if (value === null) return "";
    if (column.kind === "status") return this.texts.status(String(value));
    if (Array.isArray(value)) return this.people.names(value);
    if (typeof value === "boolean") return value ? this.texts.yes : this.texts.no;
    if (column.kind === "choice") {
      const choice = column.choices?.find((given) => given.value === value);
      return choice?.label ?? this.head.cells.referenceTitle(row, column, value) ?? String(value);
    }
    return column.key === "progress" ? `${value}\u00a0%` : String(value);
  };

  /** A bar shows the date, or the status where the status is all there is to say. */
  private barText(value: CellValue, column: GridColumn, row: PlanRow | undefined): string {
    const { activityId } = columnRef(column.key);
    if (!row || activityId === null) return String(value ?? "");
    const status = this.head.cells.statusOf(row, activityId, this.wantedValues(row));
    return status === "na" || status === "inv" || status === "notPlanned" ? this.texts.status(status) : String(value ?? "");
  }

  cellState = (row: PlanRow, column: GridColumn): CellState => {
    if (!this.head.cells.isLoaded(row, column)) return {};
    const plain = this.head.cells.state(row, column, this.texts.status, this.wantedOf(row, column));
    const note = plain.outside ? undefined : this.noteOf(row, column);
    const state = note ? { ...plain, note } : plain;
    return this.compare && column.kind === "date" && !state.outside ? { ...state, ...this.shiftOf(this.compare, row, column) } : state;
  };

  /** What rules, warnings and reminders say of a cell: a site that waits is marked at the date it waits from and at its code. */
  private noteOf(row: PlanRow, column: GridColumn): CellNote | undefined {
    const said = this.marks.of(row.duId, column.key);
    const wait = waitOf(row);
    if (!wait) return said;
    const { field, activityId } = columnRef(column.key);
    const isMarked = activityId === null ? field === "code" : field === "actualEnd" && this.head.cells.slots.get(activityId) === wait.slot;
    if (!isMarked) return said;
    const text = this.texts.wait(wait.days, wait.exceeds);
    return { mark: wait.exceeds ? "exceeds" : "waitsLong", text: said ? `${text}; ${said.text}` : text };
  }

  /** How a date differs from the version: the days behind it, or the date that is gone. */
  private shiftOf(compare: PlanCompare, row: PlanRow, column: GridColumn): Pick<CellState, "shift" | "spoken"> {
    const { field, activityId } = columnRef(column.key);
    const slot = activityId === null ? undefined : this.head.cells.slots.get(activityId);
    const now = this.value(row, column);
    const shift = slot === undefined ? null : compare.shift(row.duId, slot, field, typeof now === "string" ? now : null);
    if (!shift) return {};
    const { kind, days, old } = shift;
    const text = kind === "removed" ? (old ?? "") : kind === "added" ? "" : days > 0 ? `+${days}` : String(days);
    return { shift: { kind, text }, spoken: this.texts.shift(shift) };
  }

  locked = (row: PlanRow, column: GridColumn): Refusal | null => {
    const { field, activityId } = columnRef(column.key);
    if (row.duId === 0 || !this.head.cells.isLoaded(row, column)) return this.texts.refusal("READ_ONLY", {});
    if (activityId !== null && (this.head.cells.stateOf(row, activityId) & 1) === 0) return this.texts.refusal("NO_ACTIVITY", {});
    if (activityId !== null && isPlanField(field) && column.editable) {
      const broken = lockOf(this.head.cells, row, activityId, field, this.head.frame);
      return broken && this.texts.refusal(broken.code, broken.params);
    }
    return column.editable ? null : this.texts.refusal("READ_ONLY", {});
  };

  /** Whether an activity takes its actual dates from steps. */
  hasSteps = (row: PlanRow, activityId: number): boolean => row.duId !== 0 && this.head.cells.hasSteps(row, activityId);

  /** The lock of a plan date that a change with a reason may pass. */
  dateLock = (row: PlanRow, column: GridColumn): DateLock | null => {
    const { activityId } = columnRef(column.key);
    return row.duId === 0 || activityId === null ? null : this.head.cells.dateLock(row, activityId);
  };

  read = (text: string, column: GridColumn): CellValue | undefined => (column.kind === "people" ? this.people.read(text) : undefined);

  failures = (): readonly { from: number; to: number }[] => this.tiles.failures();
  retry = (from: number): void => {
    this.tiles.retry(from);
    this.changed();
  };

  subscribe = (listener: (arrived?: Arrived) => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private wantedOf(row: PlanRow, column: GridColumn): WantedValues | undefined {
    return column.kind === "status" || column.kind === "bar" ? this.wantedValues(row) : undefined;
  }

  /** Unsaved values of a row, then saved ones that have not been read again. */
  wantedValues(row: PlanRow): WantedValues | undefined {
    const rowKey = String(row.duId);
    const unsaved = this.wanted(rowKey);
    const saved = this.saved.get(rowKey);
    if (!saved) return unsaved;
    return (key) => unsaved?.(key) ?? saved.get(key)?.value;
  }

  private changed(arrived?: Arrived): void {
    for (const listener of this.listeners) listener(arrived);
  }
}

function sameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

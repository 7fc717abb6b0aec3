import { EditHistory } from "./edit-history.ts";
import { type CellEdit, type CellValue, type Refusal, sameValue } from "./grid-model.ts";

/** One cell of a change. `typed` is text that could not be read: the cell keeps it and is refused. */
export type EditChange = { rowKey: string; columnKey: string; base: CellValue; value: CellValue; typed?: string };

/** What a check says about one cell of a row; a warning may be saved. */
export type CheckResult = { columnKey: string; refusal?: Refusal; warning?: Refusal };

/** Checks the unsaved edits of one row as it would be after the save. */
export type RowCheck = (rowKey: string, edits: ReadonlyMap<string, CellEdit>) => readonly CheckResult[];

/** A cell as others left it, for a dirty cell of ours. */
export type TheirChange = { rowKey: string; columnKey: string; theirs: CellValue; by: string; at: string };

type Step = { rowKey: string; columnKey: string; before: CellEdit | undefined; after: CellEdit | undefined }[];

export type EditCounts = { dirty: number; refused: number; conflicts: number };

/**
 * Unsaved edits: for every changed cell what was read and what is wanted, with undo and redo. Lives outside React; the grid repaints on `subscribe`.
 * Edits are replaced, never changed in place, so that steps of the history stay true.
 */
export class EditStore {
  private rows = new Map<string, Map<string, CellEdit>>();
  private history = new EditHistory<Step>();
  private listeners = new Set<() => void>();
  private tally: EditCounts = { dirty: 0, refused: 0, conflicts: 0 };
  private check: RowCheck = () => [];
  private unreadable: (typed: string, columnKey: string) => Refusal;
  private clock: () => number;

  /**
   * @param options unreadable: the refusal of text that is no value of its column; now: the clock
   */
  constructor(options: { unreadable: (typed: string, columnKey: string) => Refusal; now?: () => number }) {
    this.unreadable = options.unreadable;
    this.clock = options.now ?? Date.now;
  }

  /** Sets the check that runs over every touched row, and runs it over all rows. */
  setCheck(check: RowCheck): void {
    this.check = check;
    this.recheck([...this.rows.keys()]);
    this.changed();
  }

  get(rowKey: string, columnKey: string): CellEdit | undefined {
    return this.rows.get(rowKey)?.get(columnKey);
  }

  /** Edits of one row by column, or undefined. */
  row(rowKey: string): ReadonlyMap<string, CellEdit> | undefined {
    return this.rows.get(rowKey);
  }

  *all(): Generator<CellEdit> {
    for (const row of this.rows.values()) yield* row.values();
  }

  get counts(): Readonly<EditCounts> {
    return this.tally;
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  /** Changes cells as one step that can be taken back. A cell that gets its base value again is no longer edited. Does nothing for values that stay the same. */
  change(changes: readonly EditChange[]): void {
    const at = this.clock();
    const done: Step = [];
    for (const { rowKey, columnKey, base, value, typed } of changes) {
      const before = this.get(rowKey, columnKey);
      if (before ? before.typed === typed && sameValue(before.mine, value) : typed === undefined && sameValue(base, value)) continue;
      const kept = before?.base ?? base;
      const after: CellEdit | undefined =
        typed === undefined && sameValue(kept, value) && !before?.conflict
          ? undefined
          : {
              rowKey,
              columnKey,
              base: kept,
              mine: value,
              at,
              ...(typed === undefined ? {} : { typed, refusal: this.unreadable(typed, columnKey) }),
              ...(before?.conflict ? { conflict: before.conflict } : {}),
            };
      this.put(rowKey, columnKey, after);
      done.push({ rowKey, columnKey, before, after });
    }
    if (done.length === 0) return;
    this.history.push(done);
    this.recheck(done.map((cell) => cell.rowKey));
    this.changed();
  }

  /** Takes the last step back; answers the cells it touched. */
  undo(): { rowKey: string; columnKey: string }[] {
    return this.replay(this.history.undo(), "before");
  }

  /** Does the last undone step again; answers the cells it touched. */
  redo(): { rowKey: string; columnKey: string }[] {
    return this.replay(this.history.redo(), "after");
  }

  /** Drops edits as one step: the cells show what is saved again. */
  revert(cells: readonly { rowKey: string; columnKey: string }[]): void {
    const done: Step = [];
    for (const { rowKey, columnKey } of cells) {
      const before = this.get(rowKey, columnKey);
      if (!before) continue;
      this.put(rowKey, columnKey, undefined);
      done.push({ rowKey, columnKey, before, after: undefined });
    }
    if (done.length === 0) return;
    this.history.push(done);
    this.recheck(done.map((cell) => cell.rowKey));
    this.changed();
  }

  /**
   * Settles edits that were saved: they disappear unless the cell was typed over while the save ran, in which case the saved value is its new base.
   * What was saved cannot be taken back by undo; that is what undoing the save is for.
   */
  settle(saved: readonly CellEdit[]): void {
    for (const edit of saved) {
      const now = this.get(edit.rowKey, edit.columnKey);
      if (!now) continue;
      if (now === edit || sameValue(now.mine, edit.mine)) this.put(edit.rowKey, edit.columnKey, undefined);
      else {
        const { conflict: _gone, ...rest } = now;
        this.put(edit.rowKey, edit.columnKey, { ...rest, base: edit.mine });
      }
    }
    if (saved.length > 0) this.history.clear();
    this.recheck(saved.map((edit) => edit.rowKey));
    this.changed();
  }

  /** Marks cells the server refused. */
  refuse(cells: readonly { rowKey: string; columnKey: string; refusal: Refusal }[]): void {
    for (const { rowKey, columnKey, refusal } of cells) {
      const edit = this.get(rowKey, columnKey);
      if (edit) this.put(rowKey, columnKey, { ...edit, refusal });
    }
    this.changed();
  }

  /** Others changed cells of ours: each becomes a conflict, or is settled where they wrote the same. */
  theirs(changes: readonly TheirChange[]): void {
    for (const { rowKey, columnKey, theirs, by, at } of changes) {
      const edit = this.get(rowKey, columnKey);
      if (!edit) continue;
      if (edit.typed === undefined && sameValue(edit.mine, theirs)) this.put(rowKey, columnKey, undefined);
      else if (sameValue(edit.base, theirs)) {
        const { conflict: _gone, ...rest } = edit;
        this.put(rowKey, columnKey, rest);
      } else this.put(rowKey, columnKey, { ...edit, conflict: { theirs, by, at } });
    }
    this.recheck(changes.map((change) => change.rowKey));
    this.changed();
  }

  /** Ends conflicts: mine stays wanted over their value, theirs drops the edit. */
  resolve(cells: readonly { rowKey: string; columnKey: string }[], choice: "mine" | "theirs"): void {
    for (const { rowKey, columnKey } of cells) {
      const edit = this.get(rowKey, columnKey);
      if (!edit?.conflict) continue;
      const { conflict, ...rest } = edit;
      this.put(rowKey, columnKey, choice === "mine" ? { ...rest, base: conflict.theirs } : undefined);
    }
    this.recheck(cells.map((cell) => cell.rowKey));
    this.changed();
  }

  /** Puts kept edits back, e.g. after signing in again; those that are typed over already stay out. They cannot be undone step by step. Answers how many are back. */
  restore(edits: readonly CellEdit[]): number {
    const back = edits.filter((edit) => !this.get(edit.rowKey, edit.columnKey));
    for (const edit of back) this.put(edit.rowKey, edit.columnKey, edit);
    this.recheck(back.map((edit) => edit.rowKey));
    this.changed();
    return back.length;
  }

  /** Puts the edits of a row under another key: the row that was being made is stored now. Steps that name the old key are forgotten. */
  moveRow(from: string, to: string): void {
    const edits = [...(this.rows.get(from)?.values() ?? [])];
    if (edits.length === 0) return;
    for (const edit of edits) {
      this.put(from, edit.columnKey, undefined);
      this.put(to, edit.columnKey, { ...edit, rowKey: to });
    }
    this.history.clear();
    this.recheck([to]);
    this.changed();
  }

  /** Drops everything. */
  clear(): void {
    this.rows.clear();
    this.history.clear();
    this.tally = { dirty: 0, refused: 0, conflicts: 0 };
    this.changed();
  }

  /** Runs the check again over rows whose saved values moved. */
  recheckRows(rowKeys: readonly string[]): void {
    const touched = rowKeys.filter((key) => this.rows.has(key));
    if (touched.length === 0) return;
    this.recheck(touched);
    this.changed();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private replay(entry: Step | undefined, side: "before" | "after"): { rowKey: string; columnKey: string }[] {
    if (!entry) return [];
    for (const cell of entry) this.put(cell.rowKey, cell.columnKey, cell[side]);
    this.recheck(entry.map((cell) => cell.rowKey));
    this.changed();
    return entry.map(({ rowKey, columnKey }) => ({ rowKey, columnKey }));
  }

  /** Refusals belong to a state of the row: any change of it asks again. */
  private recheck(rowKeys: readonly string[]): void {
    for (const rowKey of new Set(rowKeys)) {
      const row = this.rows.get(rowKey);
      if (!row) continue;
      const results = new Map<string, CheckResult>();
      for (const result of this.check(rowKey, row)) {
        const known = results.get(result.columnKey);
        if (!known?.refusal) results.set(result.columnKey, result.refusal ? result : (known ?? result));
      }
      for (const [columnKey, edit] of row) {
        const { refusal: _refusal, warning: _warning, ...plain } = edit;
        const found = results.get(columnKey);
        const refusal = edit.typed === undefined ? found?.refusal : this.unreadable(edit.typed, columnKey);
        const warning = found?.warning;
        if (!refusal && !warning && !edit.refusal && !edit.warning) continue;
        this.put(rowKey, columnKey, { ...plain, ...(refusal ? { refusal } : {}), ...(warning ? { warning } : {}) });
      }
    }
  }

  private put(rowKey: string, columnKey: string, edit: CellEdit | undefined): void {
    const row = this.rows.get(rowKey);
    const before = row?.get(columnKey);
    this.count(before, -1);
    this.count(edit, 1);
    if (edit) {
      if (row) row.set(columnKey, edit);
      else this.rows.set(rowKey, new Map([[columnKey, edit]]));
    } else if (row) {
      row.delete(columnKey);
      if (row.size === 0) this.rows.delete(rowKey);
    }
  }

  private count(edit: CellEdit | undefined, by: number): void {
    if (!edit) return;
    this.tally = {
      dirty: this.tally.dirty + by,
      refused: this.tally.refused + (edit.refusal ? by : 0),
      conflicts: this.tally.conflicts + (edit.conflict ? by : 0),
    };
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

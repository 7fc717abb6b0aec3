import { EditStore } from "#components/grid/edit-store.ts";
import { GridController } from "#components/grid/grid-controller.ts";
import type { CellEdit, GridColumn, GridHead, Refusal } from "#components/grid/grid-model.ts";
import { sameValue } from "#components/grid/grid-model.ts";
import type { FirstRows } from "./first-rows.ts";
import { checkRow } from "./plan-check.ts";
import { PeopleBook } from "./plan-people.ts";
import { PlanSource, type SourceHead, type SourceTexts } from "./plan-source.ts";
import type { PlanRow } from "./plan-tile.ts";

/** Texts of the page in the terms of the desk. */
export type DeskTexts = SourceTexts & {
  /** Why typed text could not be read as a value of a column. */
  unreadable: (typed: string, column: GridColumn | undefined) => Refusal;
};

/** Somebody changed cells that are being edited here. */
export type OthersChange = { rowKey: string; columnKey: string };

/**
 * Everything behind the plan that lives outside React: the rows, the unsaved edits, the state of the grid, the people.
 * One for the life of the page.
 */
export class PlanDesk {
  readonly people = new PeopleBook();
  readonly source: PlanSource;
  readonly edits: EditStore;
  readonly grid: GridController<PlanRow>;
  /** Cells of ours that others changed, found when their rows arrived. */
  onOthers: (cells: readonly OthersChange[]) => void = () => {};

  private head: SourceHead;
  private texts: DeskTexts;
  private columns = new Map<string, GridColumn>();

  constructor(head: SourceHead, columns: GridHead, texts: DeskTexts, first: FirstRows | null = null) {
    this.head = head;
    this.texts = texts;
    this.keepColumns(columns);
    this.edits = new EditStore({ unreadable: (typed, key) => this.texts.unreadable(typed, this.columns.get(key)) });
    this.source = new PlanSource(head, texts, this.people);
    this.grid = new GridController(this.source, this.edits);
    this.source.wanted = (rowKey) => {
      const edits = this.edits.row(rowKey);
      return edits && ((key) => edits.get(key)?.mine);
    };
    this.source.onRows = (rows) => this.compare(rows);
    this.edits.setCheck((rowKey, edits) => this.check(rowKey, edits));
    if (first) this.source.adopt(first);
  }

  /** Another head: other flows, columns or texts. */
  setHead(head: SourceHead, columns: GridHead, texts: DeskTexts): void {
    this.head = head;
    this.texts = texts;
    this.keepColumns(columns);
    this.source.setHead(head, texts);
    this.edits.setCheck((rowKey, edits) => this.check(rowKey, edits));
  }

  /** Compares kept edits that are back with the rows that were there before them. */
  compareLoaded(): void {
    this.compare(this.source.loadedRows());
  }

  column(key: string): GridColumn | undefined {
    return this.columns.get(key);
  }

  /** Code of a DU, where it is loaded. */
  duCode(rowKey: string): string {
    const row = this.source.rowOf(rowKey);
    const column = this.columns.get("code");
    return row && column ? this.source.text(this.source.value(row, column), column, row) : rowKey;
  }

  private keepColumns(columns: GridHead): void {
    this.columns = new Map(columns.groups.flatMap((group) => group.columns.map((column) => [column.key, column])));
  }

  private check(rowKey: string, edits: ReadonlyMap<string, CellEdit>) {
    const row = this.source.rowOf(rowKey);
    if (!row) return [];
    return checkRow(this.head.cells, row, edits, this.head.frame).map(({ columnKey, code, params }) => ({
      columnKey,
      refusal: this.texts.refusal(code, params),
    }));
  }

  /** Rows arrived: where a saved value is no longer the one an edit began with, the edit is settled or becomes a conflict. */
  private compare(rows: readonly PlanRow[]): void {
    const moved: { rowKey: string; columnKey: string; theirs: CellEdit["mine"]; by: string; at: string }[] = [];
    const touched: string[] = [];
    for (const row of rows) {
      const rowKey = String(row.duId);
      const edits = this.edits.row(rowKey);
      if (!edits) continue;
      touched.push(rowKey);
      for (const edit of edits.values()) {
        const column = this.columns.get(edit.columnKey);
        if (!column || !this.head.cells.isLoaded(row, column)) continue;
        const theirs = this.source.value(row, column);
        const known = edit.conflict?.theirs;
        if (!sameValue(theirs, edit.base) && (known === undefined || !sameValue(theirs, known)))
          moved.push({ rowKey, columnKey: edit.columnKey, theirs, by: "", at: "" });
      }
    }
    if (moved.length > 0) this.edits.theirs(moved);
    this.edits.recheckRows(touched);
    const left = moved.filter(({ rowKey, columnKey }) => this.edits.get(rowKey, columnKey)?.conflict);
    if (left.length > 0) this.onOthers(left);
  }
}

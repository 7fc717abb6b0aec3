import type { CellValue, GridColumn } from "#components/grid/grid-model.ts";
import { PagedList, type PagedRow } from "#components/grid/paged-list.ts";
import { nameText, type Predecessor, predecessorText } from "./activity-text.ts";

type Relations = { predecessors?: Predecessor[]; coTeam?: string[]; coResource?: string[] };

/** The stored rows of an input for the grid. Every row that was read is remembered: what is edited can be saved when it is no longer in sight. */
export class InputList extends PagedList {
  readonly known = new Map<string, PagedRow>();
  /** Told of every row that was read. */
  arrived: (key: string, row: PagedRow) => void = () => {};

  protected override rowOfRecord(record: PagedRow): PagedRow {
    const { predecessors, coTeam, coResource } = record as Relations;
    // What hangs together with an activity is typed, copied and pasted as text.
    const row: PagedRow = predecessors
      ? { ...record, predecessors: predecessorText(predecessors), coTeam: nameText(coTeam ?? []), coResource: nameText(coResource ?? []) }
      : record;
    this.known.set(String(row.id), row);
    this.arrived(String(row.id), row);
    return row;
  }

  /** An end of month is kept as its last day and shown as its month. */
  override value(row: PagedRow, column: GridColumn): CellValue {
    const value = super.value(row, column);
    return column.kind === "month" && typeof value === "string" ? value.slice(0, "yyyy-MM".length) : value;
  }
}

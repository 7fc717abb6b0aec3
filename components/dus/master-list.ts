import { PagedList, type PagedRow } from "#components/grid/paged-list.ts";

/** Rows of master data for the grid. Every row that was read is remembered: what is edited can be saved when it is no longer in sight. */
export class MasterList extends PagedList {
  readonly known = new Map<string, PagedRow>();
  /** Told of every row that was read. */
  arrived: (key: string, row: PagedRow) => void = () => {};

  protected override rowOfRecord(record: PagedRow): PagedRow {
    this.known.set(String(record.id), record);
    this.arrived(String(record.id), record);
    return record;
  }
}

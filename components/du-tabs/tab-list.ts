import type { CellValue, GridColumn } from "#components/grid/grid-model.ts";
import { PagedList, type PagedRow, type PagedTexts } from "#components/grid/paged-list.ts";
import type { KeyMode } from "#lib/du-tabs/limits.ts";
import type { TabRow } from "#lib/du-tabs/rows/queries.ts";

/** What a save has to know of a row: which it is, and at which revisions it was read. */
export type RowFacts = Pick<TabRow, "id" | "duId" | "duVersion" | "rowVersion" | "code" | "sn">;

/** The rows of a tab for the grid: fixed columns and attributes side by side. A row of a tab by DU is known by its DU, which may have none yet. */
export class TabList extends PagedList {
  /** Every row that was read, by its key: what is edited can be saved when it is no longer in sight. */
  readonly known = new Map<string, RowFacts>();
  /** Told of every row that was read. */
  arrived: (key: string, row: PagedRow) => void = () => {};
  /** Names of choices that are no longer offered, by column and value. */
  retired: ReadonlyMap<string, string> = new Map();
  private readonly keyMode: KeyMode;

  constructor(keyMode: KeyMode, texts: PagedTexts, mayEdit: () => boolean) {
    super("duTabAttr/list", texts, mayEdit);
    this.keyMode = keyMode;
  }

  protected override rowOfRecord(record: PagedRow): PagedRow {
    const { data, ...row } = record as unknown as TabRow;
    const id = this.keyMode === "DU" ? row.duId : (row.id as number);
    const made: PagedRow = { ...row, ...data, id, rowVersion: row.rowVersion ?? 0 };
    this.known.set(String(id), row);
    this.arrived(String(id), made);
    return made;
  }

  /** Choices that are no longer offered are still called by their name. */
  override text(value: CellValue, column: GridColumn, row: PagedRow | undefined): string {
    return this.retired.get(`${column.key} ${value}`) ?? super.text(value, column, row);
  }
}

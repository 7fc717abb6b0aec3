import { EditStore } from "#components/grid/edit-store.ts";
import { GridController } from "#components/grid/grid-controller.ts";
import type { CellState, CellValue, GridColumn, GridHead } from "#components/grid/grid-model.ts";
import { PagedList, type PagedRow, type PagedTexts } from "#components/grid/paged-list.ts";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { PlanningColumn, PlanningRow } from "#lib/planning-engine/outputs/schema.ts";

/** Columns of the DU that stand locked at the left. */
const lockedKeys = ["duCode", "duName"];
/** Width of a column by what it holds. */
const widths: Record<PlanningColumn["kind"], number> = { text: 120, number: 76, date: 92, flag: 76 };

/** Columns of names: of DUs, of teams. */
const wide = /^(duName|team\d+)$/;

/** The DUs of an output for the grid: read only; what is late or short of material says so by sign and word. */
export class PlanningList extends PagedList {
  /** Words for what a sign stands for. */
  said = { late: "", gap: "" };

  constructor(texts: PagedTexts) {
    super("nc/activity/planning/find/list", texts, () => false);
  }

  protected override rowOfRecord(record: PagedRow): PagedRow {
    const row = record as unknown as PlanningRow;
    return { ...row, id: row.duId, rowVersion: 0 };
  }

  override text(value: CellValue, column: GridColumn, row: PagedRow | undefined): string {
    if (column.kind === "number" && typeof value === "number") return formatNumber(value);
    // A DU of another flow has no such activity: its cell is hatched, and an empty date of its own is said.
    return value === null && column.kind === "date" ? emptyText : super.text(value, column, row);
  }

  override cellState(row?: PagedRow, column?: GridColumn): CellState {
    if (!row || !column) return {};
    if (!(column.key in row)) return { outside: true };
    if (column.key === "lateDays" && Number(row.lateDays) > 0) return { status: "delayed", spoken: this.said.late };
    if (column.key === "hasGap" && row.hasGap === true) return { note: { mark: "exceeds", text: this.said.gap } };
    return {};
  }
}

/** Columns of an output as the grid's head: those of the DU, then one group per activity. */
export function planningHead(columns: readonly PlanningColumn[], duTitle: string): GridHead {
  const groups: { key: string; title: string; columns: GridColumn[] }[] = [{ key: "du", title: duTitle, columns: [] }];
  for (const { key, title, group, kind } of columns) {
    let own = group === null ? groups[0] : groups.find((one) => one.key === `activity ${group}`);
    if (!own) {
      own = { key: `activity ${group}`, title: group ?? "", columns: [] };
      groups.push(own);
    }
    own.columns.push({
      key,
      title,
      kind,
      width: wide.test(key) ? 160 : widths[kind],
      ...(kind === "number" && { align: "end" as const }),
      sortable: sortable.has(key),
    });
  }
  return { groups };
}

const sortable = new Set(["rank", "duCode", "firstStart", "lastEnd", "lateDays"]);

/** Locked columns of those there are. */
export const lockedOf = (columns: readonly PlanningColumn[]) => lockedKeys.filter((key) => columns.some((column) => column.key === key));

/** What lives outside React behind the table of an output. */
export function makeDesk(texts: PagedTexts) {
  const list = new PlanningList(texts);
  const edits = new EditStore({ unreadable: () => texts.readOnly });
  const grid = new GridController<PagedRow>(list, edits);
  grid.readOnly = true;
  return { list, edits, grid };
}

import type { CellAddress } from "#components/grid/grid-model.ts";
import type { PlanDesk } from "./plan-desk.ts";
import { columnRef } from "./plan-keys.ts";

/** An activity of a DU. */
export type ActivityPlace = { duId: number; activityId: number };

/** The activity of the DU whose cell this is; null for cells of the DU itself, and where its flow does not hold the activity. */
export function placeAt(desk: PlanDesk, cell: CellAddress): ActivityPlace | null {
  const column = desk.grid.columnAt(cell.column);
  const row = desk.source.row(cell.row);
  const rowKey = desk.source.rowKey(cell.row);
  if (!column || row === undefined || rowKey === undefined || desk.source.cellState(row, column).outside) return null;
  const { activityId } = columnRef(column.key);
  return activityId === null ? null : { duId: Number(rowKey), activityId };
}

/** Whether the actual dates of the cell's activity come from steps. */
export function hasSteps(desk: PlanDesk, cell: CellAddress): boolean {
  const row = desk.source.row(cell.row);
  const { activityId } = columnRef(desk.grid.columnAt(cell.column)?.key ?? "");
  return row !== undefined && activityId !== null && desk.source.hasSteps(row, activityId);
}

/** The activity whose steps a cell with an actual date opens; null for all other cells. */
export function stepsAt(desk: PlanDesk, cell: CellAddress): ActivityPlace | null {
  const { field } = columnRef(desk.grid.columnAt(cell.column)?.key ?? "");
  return (field === "actualStart" || field === "actualEnd") && hasSteps(desk, cell) ? placeAt(desk, cell) : null;
}

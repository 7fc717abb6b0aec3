import {
  type ColumnDef,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useCallback, useMemo, useRef } from "react";
import { type ColumnLayout, columnWidth, type GridView, layoutColumns, numberColumnWidth, shownColumns } from "./column-layout.ts";
import type { GridColumn, GridGroup, GridHead } from "./grid-model.ts";

type Meta = { column: GridColumn; group: GridGroup };
const features = tableFeatures({
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  columnPinningFeature,
  columnMeta: {} as Meta,
});
type Definition = ColumnDef<typeof features, object>;
/** The rows never pass through the table: it keeps the columns. */
const noRows: object[] = [];

function definitions(head: GridHead): Definition[] {
  const leaf = (column: GridColumn, group: GridGroup): Definition => ({
    id: column.key,
    header: column.title,
    accessorFn: () => null,
    size: column.width,
    minSize: columnWidth(column, 0),
    maxSize: columnWidth(column, Number.MAX_SAFE_INTEGER),
    enableResizing: column.kind !== "bar",
    meta: { column, group },
  });
  return head.groups.map((group) => ({
    id: `group:${group.key}`,
    header: group.title,
    columns: [...(group.bar ? [group.bar] : []), ...group.columns].map((column) => leaf(column, group)),
  }));
}

/** Starts a drag of a column's right edge. */
export type ResizeStart = (columnKey: string, event: unknown) => void;

/**
 * Columns and their state: what is shown, locked and how wide, from the head and the person's view.
 * @param onWidths called with all chosen widths while an edge is dragged
 */
export function useGridTable(
  head: GridHead,
  view: GridView,
  total: number,
  onWidths: (widths: Record<string, number>) => void,
): { layout: ColumnLayout; resizeStart: ResizeStart } {
  const columns = useMemo(() => definitions(head), [head]);
  const columnVisibility = useMemo(() => {
    const shown = new Set(shownColumns(head, view).map((item) => item.column.key));
    const all = head.groups.flatMap((group) => [...(group.bar ? [group.bar] : []), ...group.columns]);
    return Object.fromEntries(all.map((column) => [column.key, shown.has(column.key)]));
  }, [head, view]);
  const columnPinning = useMemo(() => ({ start: [...view.locked], end: [] }), [view.locked]);
  const columnSizing = view.widths as Record<string, number>;
  const table = useTable({
    features,
    columns,
    data: noRows,
    columnResizeMode: "onChange",
    state: { columnVisibility, columnPinning, columnSizing },
    onColumnSizingChange: (update) => onWidths(typeof update === "function" ? update(columnSizing) : update),
  });
  const numberWidth = numberColumnWidth(total);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table reads all of these from its options; it is another object at every render.
  const layout = useMemo(() => {
    const start = table.getStartVisibleLeafColumns();
    const shown = [...start, ...table.getCenterVisibleLeafColumns()].flatMap((column) => {
      const meta = column.columnDef.meta as Meta | undefined;
      return meta ? [{ ...meta, width: columnWidth(meta.column, columnSizing[column.id]) }] : [];
    });
    return layoutColumns(shown, start.length, numberWidth, new Set(view.folded));
  }, [columnVisibility, columnPinning, columnSizing, numberWidth, view.folded, columns]);
  const current = useRef(table);
  current.current = table;
  const resizeStart = useCallback<ResizeStart>((columnKey, event) => {
    const header = current.current.getFlatHeaders().find((item) => item.column.id === columnKey);
    header?.getResizeHandler()(event);
  }, []);
  return { layout, resizeStart };
}

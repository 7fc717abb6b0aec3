import { type ColumnDef, columnResizingFeature, columnSizingFeature, tableFeatures, useTable } from "@tanstack/react-table";
import { useCallback, useMemo, useRef } from "react";
import { type ColumnLayout, columnWidth, type GridView, layoutView, numberColumnWidth } from "./column-layout.ts";
import type { GridColumn, GridHead } from "./grid-model.ts";

const features = tableFeatures({ columnSizingFeature, columnResizingFeature });
type Definition = ColumnDef<typeof features, object>;
/** The rows never pass through the table: it keeps the widths of columns while they are dragged, and makes its columns when the first one is. */
const noRows: object[] = [];

function definitions(head: GridHead): Definition[] {
  const leaf = (column: GridColumn): Definition => ({
    id: column.key,
    header: column.title,
    accessorFn: () => null,
    size: column.width,
    minSize: columnWidth(column, 0),
    maxSize: columnWidth(column, Number.MAX_SAFE_INTEGER),
    enableResizing: column.kind !== "bar",
  });
  return head.groups.map((group) => ({
    id: `group:${group.key}`,
    header: group.title,
    columns: [...(group.bar ? [group.bar] : []), ...group.columns].map(leaf),
  }));
}

/** Starts a drag of a column's right edge. */
export type ResizeStart = (columnKey: string, event: unknown) => void;

/**
 * Where columns stand, from the head and the person's view, and what drags their edges.
 * @param onWidths called with all chosen widths while an edge is dragged
 */
export function useGridTable(
  head: GridHead,
  view: GridView,
  total: number,
  onWidths: (widths: Record<string, number>) => void,
): { layout: ColumnLayout; resizeStart: ResizeStart } {
  const columns = useMemo(() => definitions(head), [head]);
  const columnSizing = view.widths as Record<string, number>;
  const table = useTable({
    features,
    columns,
    data: noRows,
    columnResizeMode: "onChange",
    state: { columnSizing },
    onColumnSizingChange: (update) => onWidths(typeof update === "function" ? update(columnSizing) : update),
  });
  const numberWidth = numberColumnWidth(total);
  const layout = useMemo(() => layoutView(head, view, numberWidth), [head, view, numberWidth]);
  const current = useRef(table);
  current.current = table;
  const resizeStart = useCallback<ResizeStart>((columnKey, event) => {
    const header = current.current.getFlatHeaders().find((item) => item.column.id === columnKey);
    header?.getResizeHandler()(event);
  }, []);
  return { layout, resizeStart };
}

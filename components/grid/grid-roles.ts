/*
 * Roles of the grid's parts. Rows and columns are virtual and placed freely, which table elements cannot express; the focus stays in the grid's
 * one field, which names the active cell, so none of the parts takes it. Positions count from 1, head rows and the column of row numbers included.
 */

type Span = { "aria-colindex": number; "aria-colspan"?: number };

const span = (column: number, columns: number): Span => ({ "aria-colindex": column, ...(columns > 1 ? { "aria-colspan": columns } : {}) });

/** The grid as a whole; `rows` is -1 while their number is not known. */
export function asGrid(label: string, rows: number, columns: number, readOnly: boolean) {
  return {
    role: "grid",
    "aria-label": label,
    "aria-rowcount": rows,
    "aria-colcount": columns,
    "aria-multiselectable": true,
    "aria-readonly": readOnly,
  } as const;
}

/** Head, body or summary. */
export const asRows = { role: "rowgroup" } as const;

/** A box between a row and its cells that only serves the layout. */
export const asNothing = { role: "presentation" } as const;

export function asRow(row: number) {
  return { role: "row", "aria-rowindex": row } as const;
}

export function asColumnHead(column: number, columns = 1, sort?: "asc" | "desc") {
  return { role: "columnheader", ...span(column, columns), ...(sort ? { "aria-sort": `${sort}ending` as const } : {}) } as const;
}

export function asRowHead(column: number, columns = 1) {
  return { role: "rowheader", ...span(column, columns) } as const;
}

export function asCell(column: number, columns = 1) {
  return { role: "gridcell", ...span(column, columns) } as const;
}

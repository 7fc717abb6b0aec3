import type { Cell } from "#lib/core/workbook-cell.ts";
import { readFileRows } from "#lib/core/workbook-read.ts";

/** A sheet as it was read: its name, what its hidden sheet says, the cells of its rows. */
export type Sheet = { sheet: string; meta: Record<string, string>; rows: Cell[][] };

/** Reads a workbook that the product made, in this process: only what strangers bring needs one of its own, which takes longer to start than to read. */
export async function readSheet(path: string): Promise<Sheet> {
  const rows: Cell[][] = [];
  const { sheet, meta } = await readFileRows(
    path,
    { type: "xlsx" },
    ({ cells }) => rows.push(Array.from(cells, (cell) => cell ?? null)) > 0,
  );
  return { sheet, meta: { ...meta }, rows };
}

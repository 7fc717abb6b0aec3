import "server-only";
import { type CellStyle, type DataValidation, writeXlsx } from "hucre/xlsx";
import { metaSheet } from "#lib/core/workbook-limits.ts";
import { columnLetters } from "#lib/core/workbook-write.ts";

/** A column of a template; `list` are the values a cell can be chosen from. */
export type TemplateColumn = { key: string; title: string; required?: boolean; list?: readonly string[]; width?: number };

const listSheet = "_lists";
const inputRows = 10_000;
const head: CellStyle = {
  font: { bold: true, color: { rgb: "FFFFFF" } },
  fill: { type: "pattern", pattern: "solid", fgColor: { rgb: "1566C4" } },
  protection: { locked: true },
};
const requiredHead: CellStyle = { ...head, fill: { type: "pattern", pattern: "solid", fgColor: { rgb: "0F57AA" } } };
const open: CellStyle = { protection: { locked: false }, numFmt: "@" };

/**
 * An empty workbook to fill in: a frozen, locked head over open cells, drop-down lists on a hidden sheet, the keys of the columns in a hidden first row
 * and what the file is in the hidden sheet `_meta`.
 */
export async function writeTemplate(template: {
  name: string;
  meta: Record<string, string>;
  columns: readonly TemplateColumn[];
}): Promise<Uint8Array> {
  const { columns } = template;
  const lists = columns.flatMap((column, index) => (column.list && column.list.length > 0 ? [{ index, values: column.list }] : []));
  const height = Math.max(0, ...lists.map((list) => list.values.length));
  const validations = lists.map(
    ({ index, values }, at): DataValidation => ({
      type: "list",
      range: `${columnLetters(index)}3:${columnLetters(index)}${inputRows + 2}`,
      formula1: `${listSheet}!$${columnLetters(at)}$1:$${columnLetters(at)}$${values.length}`,
      allowBlank: true,
      showErrorMessage: true,
    }),
  );
  const cells = new Map(
    columns.map((column, index) => [`1,${index}`, { value: column.title, style: column.required ? requiredHead : head }]),
  );
  return writeXlsx({
    sheets: [
      {
        name: template.name.slice(0, 31),
        columns: columns.map((column) => ({ width: column.width ?? Math.min(40, [...column.title].length + 6), style: open })),
        rows: [columns.map((column) => column.key), columns.map((column) => column.title)],
        cells,
        rowDefs: new Map([[0, { hidden: true }]]),
        dataValidations: validations,
        freezePane: { rows: 2, columns: 1 },
        protection: {
          sheet: true,
          formatCells: false,
          formatColumns: false,
          insertRows: false,
          deleteRows: false,
          sort: false,
          autoFilter: false,
        },
      },
      { name: listSheet, hidden: true, rows: Array.from({ length: height }, (_, row) => lists.map((list) => list.values[row] ?? null)) },
      { name: metaSheet, hidden: true, rows: Object.entries(template.meta) },
    ],
  });
}

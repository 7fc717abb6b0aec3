import type { Cell } from "#lib/core/workbook-cell.ts";
import type { FieldType, ImportField } from "#lib/imports/kind/logic.ts";

/** Words of the workbook: those of a choice and of yes and no. */
export type SheetWords = { choice: (field: string, value: string) => string; flag: (value: boolean) => string };

/** Fields a workbook has columns for, out of those an import takes: what only says how to import stays out. */
export const exportedFields = (fields: readonly ImportField[]): ImportField[] => fields.filter(({ key }) => key !== "owner");

/** A stored value as its cell holds it, in the words the import reads back. */
export function exportCell(field: { key: string; type: FieldType }, value: Cell | undefined, words: SheetWords): Cell {
  if (value === null || value === undefined) return null;
  if (field.type === "flag") return words.flag(value === true);
  return field.type === "choice" ? words.choice(field.key, String(value)) : value;
}

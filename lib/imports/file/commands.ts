import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { cellText } from "#lib/core/workbook-cell.ts";
import type { DateFormat } from "../kind/limits.ts";
import { dateOrderOf, type ImportOption } from "../kind/logic.ts";
import { sampleRows, samplesShown } from "../limits.ts";
import { mappable, mappedColumns, suggestMapping } from "../logic.ts";
import { readRemembered } from "../queries.ts";
import { loadKind } from "../registry/commands.ts";
import type { ImportSource } from "../schema.ts";
import { acceptFile, withImportFile } from "./queries.ts";

/** What the wizard shows of a file before its columns are mapped. */
export type OpenedFile = {
  file: { name: string; size: number };
  sheets: string[];
  sheet: string;
  /** Columns with their head, examples, and the field they are thought to feed; `hidden`: a mark this product has set itself. */
  columns: { title: string; samples: string[]; field: string | null; hidden: boolean }[];
  /** Order of day and month in the date columns; null when they need none. */
  dateOrder: { format: DateFormat; certain: boolean } | null;
  fields: { key: string; title: string; group: string; type: string; required: boolean }[];
  options: ImportOption[];
  /** The file was made by this product: its columns name their fields. */
  keyed: boolean;
};

/** Reads the first rows of an uploaded file and suggests what its columns mean. */
export async function openImport(ctx: Ctx, source: ImportSource): Promise<OpenedFile> {
  const kind = await loadKind(source.kind);
  const [all, options, remembered] = await Promise.all([kind.fields(ctx), kind.choices(ctx), readRemembered(ctx, source.kind)]);
  const fields = mappable(all);
  return withImportFile(ctx, source, sampleRows + 2 + (source.headerRow ?? 0), async (open) => {
    await acceptFile(ctx, kind, open);
    const { file, sheet, head, samples } = open;
    const mapping = head.keys ?? suggestMapping(head.titles, fields, remembered, kind.fallbacks);
    const cells = (column: number) => samples.map((row) => row.cells[column] ?? null);
    const days = mappedColumns(mapping, fields).filter(({ field }) => field.type === "day");
    const anyDate = days.length > 0 ? days.map(({ column }) => column) : head.titles.map((_, column) => column);
    return {
      file: { name: file.name, size: file.size },
      sheets: sheet.sheets.filter((one) => !one.hidden).map((one) => one.name),
      sheet: sheet.sheet,
      columns: head.titles.map((title, column) => ({
        title,
        samples: [...new Set(cells(column).map(cellText).filter(Boolean))].slice(0, samplesShown),
        field: mapping[column] ?? null,
        hidden: kind.hidden !== undefined && mapping[column] === kind.hidden,
      })),
      dateOrder: dateOrderOf(anyDate.flatMap(cells)),
      fields: fields
        .filter(({ key }) => key !== kind.hidden)
        .map(({ key, title, group, type, required = false }) => ({ key, title, group, type, required })),
      options,
      keyed: head.keys !== null,
    };
  });
}

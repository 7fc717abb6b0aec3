import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { type StoredFile, withLocalFile } from "#lib/core/storage.ts";
import { type OpenSheet, openSheet } from "#lib/core/workbook.ts";
import { cellText, type SheetRow } from "#lib/core/workbook-cell.ts";
import type { ImportKind } from "../kind/logic.ts";
import { importKinds, sampleRows } from "../limits.ts";
import { headRow } from "../logic.ts";
import { getImportFile } from "../queries.ts";
import type { ImportSource } from "../schema.ts";

/** The head of a file: titles of the columns its first rows have, keys where the file carries them, and the number of its row. */
export type Head = { titles: string[]; keys: (string | null)[] | null; no: number };
export type OpenFile = { file: StoredFile; sheet: OpenSheet; head: Head; samples: SheetRow[] };

/**
 * Reads a file of an import and gives its sheet, head and first rows for as long as `use` runs.
 * @param maxRows rows to read; all when absent
 * @throws AppError FILE_FORMAT, WRONG_PROJECT, WRONG_FILE, NO_DATA and those of reading a workbook
 */
export async function withImportFile<T>(
  ctx: Ctx,
  source: ImportSource,
  maxRows: number | undefined,
  use: (open: OpenFile) => Promise<T>,
): Promise<T> {
  const file = await getImportFile(ctx, source.fileId);
  const type = fileType(file.name, source);
  return withLocalFile(ctx, source.fileId, async (path) => {
    const { encoding, delimiter } = source;
    const sheet = await openSheet(
      path,
      { type, encoding, delimiter, ...(source.sheet !== undefined && { sheet: source.sheet }), ...(maxRows !== undefined && { maxRows }) },
      ctx.signal,
    );
    try {
      const keyed = checkMeta(ctx, source, sheet);
      const first: SheetRow[] = [];
      for await (const row of sheet.rows()) {
        first.push(row);
        if (first.length > sampleRows + (source.headerRow ?? 1)) break;
      }
      const at = source.headerRow ? first.findIndex(({ no }) => no === source.headerRow) : headRow(first.slice(0, sampleRows + 1), keyed);
      const titles = first[at];
      if (!titles || first.length <= at + 1) throw new AppError("NO_DATA");
      const keys = keyed ? (first[0]?.cells.map((cell) => cellText(cell) || null) ?? []) : null;
      const head = {
        titles: Array.from({ length: Math.max(...first.map((row) => row.cells.length)) }, (_, column) =>
          cellText(titles.cells[column] ?? null).trim(),
        ),
        keys,
        no: titles.no,
      };
      return await use({ file, sheet, head, samples: first.slice(at + 1, at + sampleRows + 1) });
    } finally {
      await sheet.close();
    }
  });
}

function fileType(name: string, source: ImportSource): "xlsx" | "csv" {
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!(importKinds[source.kind].endings as readonly string[]).includes(ending)) throw new AppError("FILE_FORMAT");
  return ending === "csv" ? "csv" : "xlsx";
}

// A file made by this product says what it is; one of another project or kind is refused. True when its first row holds keys.
function checkMeta(ctx: Ctx, source: ImportSource, sheet: OpenSheet): boolean {
  if (!sheet.meta) {
    if (importKinds[source.kind].needsMeta) throw new AppError("WRONG_PROJECT");
    return false;
  }
  if (sheet.meta.project !== ctx.project.number) throw new AppError("WRONG_PROJECT");
  if (sheet.meta.kind !== source.kind) throw new AppError("WRONG_FILE");
  return true;
}

/**
 * Asks the kind whether a file of this product can be read back.
 * @throws AppError what the kind says
 */
export async function acceptFile(ctx: Ctx, kind: Pick<ImportKind, "accept">, { sheet, head }: OpenFile): Promise<void> {
  if (sheet.meta && head.keys) await kind.accept?.(ctx, sheet.meta, head.keys);
}

/** The rows below the head. */
export async function* dataRows({ sheet, head }: Pick<OpenFile, "sheet" | "head">): AsyncGenerator<SheetRow> {
  for await (const row of sheet.rows()) if (row.no > head.no) yield row;
}

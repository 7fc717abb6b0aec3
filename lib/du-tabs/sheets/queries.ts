import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Filter } from "#lib/core/paging.ts";
import { withLocalFile } from "#lib/core/storage.ts";
import { openSheet } from "#lib/core/workbook.ts";
import type { SheetRow } from "#lib/core/workbook-cell.ts";
import type { FixedColumn } from "../limits.ts";
import { holdTab, readTabColumns, readTabs, type Tab, type TabColumns } from "../queries.ts";
import { fixedSelect, rowsWhere, type TabRow, tabTables } from "../rows/queries.ts";
import { tabSheetKind } from "./limits.ts";
import { type SheetColumn, sheetColumns } from "./logic.ts";

type Texts = {
  sheet: { mark: string; sn: string; suffix: string; refused: string; rejects: string; columns: Record<RejectColumn, string> };
};
type RejectColumn = "file" | "sheet" | "row" | "column" | "reason";

/** Texts of the workbook in the caller's language. */
export const sheetTexts = ({ locale }: Pick<Ctx, "locale">): Texts["sheet"] => (loadMessages(locale)["du-tabs"] as unknown as Texts).sheet;

/** The columns of the workbook with their heads in the caller's language. */
export function titledColumns(ctx: Pick<Ctx, "locale">, { fixed, attributes }: TabColumns): SheetColumn[] {
  const { mark, suffix, sn } = sheetTexts(ctx);
  const { fields } = loadMessages(ctx.locale).dus as unknown as { fields: Record<string, string> };
  return sheetColumns(fixed, attributes, { mark, suffix, fixed: (key) => (key === "sn" ? sn : (fields[key] ?? key)) });
}

/** What a workbook depends on: when an attribute of the tab is another one, it is exported anew. */
export const columnHash = ({ fixed, attributes }: TabColumns): string =>
  createHash("sha256")
    .update(JSON.stringify([fixed, attributes.map(({ key, name, type, level }) => [key, name, type, level])]))
    .digest("hex");

/** How many rows, and DUs, the conditions keep. */
export async function countRows(ctx: Ctx, tab: Tab, filters: readonly Filter[]): Promise<{ rows: number; dus: number }> {
  const [count] = await ctx.sql<{ rows: number; dus: number }[]>`
    select count(*)::int as rows, count(distinct du.id)::int as dus from ${tabTables(ctx, tab)} where ${rowsWhere(ctx, filters)}`;
  return count!;
}

/** A row as it is written: fixed columns, and what is stored of its attributes. */
export type SheetTabRow = Pick<TabRow, "id" | "duId" | "duVersion" | "rowVersion"> & {
  data: Record<string, unknown> | null;
  ext: Record<string, unknown>;
} & Record<FixedColumn, string | null>;

const batchRows = 500;

/** The rows the conditions keep, by DU and serial number, some hundred at a time. */
export async function* streamRows(ctx: Ctx, tab: Tab, filters: readonly Filter[]): AsyncGenerator<SheetTabRow> {
  const { sql } = ctx;
  const rows = sql<SheetTabRow[]>`
    select r.id, du.id as "duId", du.row_version as "duVersion", r.row_version as "rowVersion", r.data, du.ext, ${sql.unsafe(fixedSelect)}
    from ${tabTables(ctx, tab)} where ${rowsWhere(ctx, filters)}
    order by du.code collate natural_order, r.sn collate natural_order, du.id, r.id`;
  for await (const batch of rows.cursor(batchRows)) yield* batch;
}

/** A workbook as it was read: what it says of itself, and the rows of the sheet it says is its own. */
export type ReadBook = { meta: Record<string, string>; isWritable: boolean; rows: SheetRow[] };

/**
 * Reads an uploaded workbook.
 * @throws AppError those of reading a workbook
 */
export async function readBook(job: JobCtx, fileId: string): Promise<ReadBook> {
  return withLocalFile(job, fileId, async (path) => {
    let sheet = await openSheet(path, { type: "xlsx" }, job.signal);
    try {
      const { meta, sheets } = sheet;
      const named = meta?.sheet;
      const found = sheets.find(({ name, hidden }) => name === named && !hidden);
      if (!meta || named === undefined || !found) return { meta: meta ?? {}, isWritable: false, rows: [] };
      if (sheet.sheet !== named) {
        await sheet.close();
        sheet = await openSheet(path, { type: "xlsx", sheet: named }, job.signal);
      }
      const rows: SheetRow[] = [];
      for await (const row of sheet.rows()) rows.push(row);
      return { meta, isWritable: !(await sheet.counts()).isProtected, rows };
    } finally {
      await sheet.close();
    }
  });
}

/** The tab a workbook was exported from, and the columns with the heads they were written with. */
export type Basis = { tab: Tab; columns: TabColumns; heads: SheetColumn[] };

const Head = z.tuple([z.string(), z.string()]);

/**
 * What the workbook was made of, while it is the caller's newest export of its tab and the attributes of that are still the same; the tab is held. [DUT-03]
 * @throws EXPORT_FIRST
 */
export async function readBasis(ctx: Ctx, meta: Record<string, string>): Promise<Basis> {
  const { sql, project, user } = ctx;
  const refused = () => new AppError("EXPORT_FIRST");
  const token = z.uuid().safeParse(meta.token);
  if (meta.kind !== tabSheetKind || meta.project !== project.number || !token.success) throw refused();
  const [kept] = await sql<{ tabId: number; hash: string }[]>`
    select tab_id as "tabId", column_hash as hash from du_tab_export where id = ${token.data} and project_id = ${project.id} and user_id = ${user.id}`;
  if (kept) await holdTab(ctx, kept.tabId);
  const [tab] = kept && String(kept.tabId) === meta.tab ? await readTabs(ctx, [kept.tabId]) : [];
  if (!kept || !tab) throw refused();
  const columns = await readTabColumns(ctx, tab);
  if (columnHash(columns) !== kept.hash) throw refused();
  const expected = titledColumns(ctx, columns);
  const heads = expected.flatMap(({ key }, at) => {
    const written = Head.safeParse(parsed(meta[headKey(at)]));
    return written.success && written.data[0] === key ? [{ key, title: written.data[1] }] : [];
  });
  if (heads.length !== expected.length) throw refused();
  return { tab, columns, heads };
}

/** Where the hidden sheet says the head of a column. */
export const headKey = (at: number): string => `column ${at + 1}`;

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return null;
  }
}

import "server-only";
import { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { ListInput, Page } from "#lib/core/paging.ts";
import { getFile, type StoredFile } from "#lib/core/storage.ts";
import { errorText } from "#lib/core/texts.ts";
import { type Cell, cellText } from "#lib/core/workbook-cell.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { CellConflict, CheckedRow, Outcome } from "./kind/logic.ts";
import { type ImportKindName, importKindNames, importKinds } from "./limits.ts";
import { type PreviewResult, valueText } from "./logic.ts";
import { PreviewImport, type PreviewParams } from "./schema.ts";

/** A check of a file that has come to its end. */
export type Preview = { id: string; title: string; status: string; params: PreviewParams; result: PreviewResult; inputFileId: string };

/**
 * An uploaded file. It belongs to who brought it, as the files of a task belong to who started it.
 * @throws AppError NOT_FOUND for one of another project, and of another person unless all tasks may be seen; FILE_EXPIRED
 */
export async function getImportFile(ctx: Ctx, id: string): Promise<StoredFile> {
  const file = await getFile(ctx, id);
  if (file.createdBy !== ctx.user.id && !ctx.can("task.viewAll")) throw new AppError("NOT_FOUND");
  return file;
}

/**
 * A finished check of the project.
 * @throws AppError NOT_FOUND for one of another person, unless all tasks may be seen; NO_PERMISSION without the right of its kind; CALCULATING before its end, WRONG_STATUS when it ended without its work
 */
export async function getPreview(ctx: Ctx, taskId: string): Promise<Preview> {
  const { sql, project, user } = ctx;
  const [row] = await sql<(Preview & { createdBy: number })[]>`
    select id, title, status, params, result, input_file_id as "inputFileId", created_by as "createdBy" from task
    where id = ${taskId} and project_id = ${project.id} and kind = 'imports.preview'`;
  if (!row || (row.createdBy !== user.id && !ctx.can("task.viewAll"))) throw new AppError("NOT_FOUND", { object: "task" });
  const params = PreviewImport.parse(row.params);
  const { needs } = importKinds[params.kind];
  if (!ctx.can(needs)) throw new AppError("NO_PERMISSION", { right: needs });
  if (row.status === "queued" || row.status === "running") throw new AppError("CALCULATING");
  if (row.status !== "succeeded") throw new AppError("WRONG_STATUS", { status: row.status });
  return { ...row, params };
}

/** A cell of the preview: what the file says, and what would change. */
export type PreviewCell = {
  text: string;
  old?: string;
  next?: string;
  problem?: { code: ErrorCode; msg: string };
  /** Changed in the file and in the project: the value both began with, the file's, the present one, and whose that is. */
  conflict?: { base: string; mine: string; theirs: string; by: string | null; at: string | null };
};
export type PreviewRow = {
  no: number;
  outcome: Outcome;
  cells: Record<string, PreviewCell>;
  problems: { path: string; code: ErrorCode; msg: string }[];
};

type StoredRow = {
  no: number;
  outcome: Outcome;
  values: Cell[];
  changes: CheckedRow["changes"] | null;
  problems: CheckedRow["problems"] | null;
  conflicts: CellConflict[] | null;
  total: number;
};

/** Rows of a checked file with old and new value of every changed cell and the reason of every refused one. */
export async function listImportRows(ctx: Ctx, input: ListInput): Promise<Page<PreviewRow>> {
  const { sql } = ctx;
  const asked = (field: string) => input.filters.find((filter) => filter.field === field)?.values ?? [];
  const task = z.uuid().safeParse(asked("task")[0]);
  if (!task.success) throw new AppError("NOT_FOUND", { object: "task" });
  const { result } = await getPreview(ctx, task.data);
  const columns = new Map(result.columns.map((column) => [column.key, column]));
  const outcomes = asked("outcome").map(String);
  const code = asked("code")[0];
  const search = String(asked("search")[0] ?? "").trim();
  const labels = result.labels.flatMap((key) => columns.get(key)?.column ?? []);
  const like = `%${search.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const found = labels.reduce((left, column) => sql`${left} or "values" ->> ${column}::int ilike ${like}`, sql`false`);
  const rows = await sql<StoredRow[]>`
    select row_no as no, outcome, "values", changes, problems, conflicts, count(*) over ()::int as total from import_row
    where task_id = ${task.data} ${outcomes.length > 0 ? sql`and outcome = any(${outcomes}::text[])` : sql``}
      ${code === undefined ? sql`` : sql`and problems @> ${sql.json([{ code: String(code) }])}`} ${search ? sql`and (${found})` : sql``}
    order by row_no limit ${input.size} offset ${(input.page - 1) * input.size}`;
  if (rows.length === 0 && outcomes.length === 0 && code === undefined && !search && input.page === 1) throw new AppError("IMPORT_EXPIRED");
  return { records: rows.map((row) => shownRow(ctx, row, result)), total: rows[0]?.total ?? 0, page: input.page, size: input.size };
}

function shownRow(ctx: Ctx, row: StoredRow, result: PreviewResult): PreviewRow {
  const cells: Record<string, PreviewCell> = {};
  const raw = new Map<string, string>();
  const titles = new Map(result.columns.map((column) => [column.key, column.title]));
  for (const { key, column } of result.columns) {
    if (column === null) continue;
    const text = cellText(row.values[column] ?? null);
    raw.set(key, text);
    if (text) cells[key] = row.outcome === "new" ? { text, old: "", next: text } : { text };
  }
  if (row.outcome !== "rejected") {
    for (const [key, old, next] of row.changes ?? [])
      cells[key] = { text: raw.get(key) ?? valueText(next), old: valueText(old), next: valueText(next) };
  }
  for (const { path, base, mine, theirs, by, at } of row.conflicts ?? [])
    cells[path] = {
      text: raw.get(path) ?? valueText(mine),
      conflict: { base: valueText(base), mine: valueText(mine), theirs: valueText(theirs), by, at },
    };
  const problems = (row.problems ?? []).map(({ path, code, params }) => ({
    path,
    code,
    msg: errorText(ctx.locale, code, { field: titles.get(path) ?? path, value: raw.get(path) ?? "", ...params }),
  }));
  for (const { path, code, msg } of problems)
    if (path && !cells[path]?.problem) cells[path] = { text: raw.get(path) ?? "", problem: { code, msg } };
  return { no: row.no, outcome: row.outcome, cells, problems };
}

/** Setting under which the mappings of a kind are kept. */
export const settingId = (kind: string): string => `import.${kind}`;

/** Fields the person chose for heads of earlier files, by head in match form. */
export async function readRemembered(ctx: Pick<Ctx, "sql" | "project" | "user">, kind: string): Promise<Record<string, string | null>> {
  const [row] = await ctx.sql<{ value: Record<string, string | null> }[]>`
    select value from user_setting where user_id = ${ctx.user.id} and setting_id = ${settingId(kind)} and project_id = ${ctx.project.id}`;
  return row?.value ?? {};
}

/** Kinds of imports the person may start, with the endings of their files. */
export async function listImportKinds(ctx: Ctx): Promise<{ kinds: { kind: ImportKindName; endings: readonly string[] }[] }> {
  return {
    kinds: importKindNames.filter((kind) => ctx.can(importKinds[kind].needs)).map((kind) => ({ kind, endings: importKinds[kind].endings })),
  };
}

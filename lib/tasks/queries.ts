import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params } from "#lib/core/error.ts";
import type { Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { getFile, type StoredFile } from "#lib/core/storage.ts";
import type { TaskDirection, TaskStatus } from "#lib/core/task.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { ImportKindName } from "#lib/imports/limits.ts";
import type { FilePart, SentPart, TaskList } from "./limits.ts";
import { cancelRules, deleteRules, retryRules } from "./rules.ts";

/** A file of a task, as the list names it. */
export type TaskFileInfo = { name: string; size: number };

/** A task as screens show it. */
export type TaskRow = {
  id: string;
  kind: string;
  direction: TaskDirection;
  title: string;
  status: TaskStatus;
  progress: number;
  totalCount: number | null;
  doneCount: number;
  failedCount: number;
  cancelRequested: boolean;
  /** What it says of itself, in the language of the caller. */
  message: string | null;
  createdBy: number;
  createdByName: string;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  expiresAt: Date | null;
  files: Partial<Record<FilePart, TaskFileInfo>>;
  result: unknown;
  /** Kind of import whose preview waits to be gone on with; null for every other task. */
  preview: ImportKindName | null;
  /** What this person may do with it now. */
  may: { cancel: boolean; retry: boolean; remove: boolean };
};

type Read = Pick<Ctx, "sql" | "project" | "user" | "can" | "locale">;
type StoredRow = Omit<TaskRow, "may" | "message"> & { messageKey: string | null; messageArgs: Params | null };

/** Tasks of a project the person may see: own ones, with task.viewAll those of everybody. */
function visible({ sql, project, user, can }: Read) {
  return can("task.viewAll") ? sql`t.project_id = ${project.id}` : sql`t.project_id = ${project.id} and t.created_by = ${user.id}`;
}

function columns({ sql }: Read) {
  return sql`t.id, t.kind, t.direction, t.title, t.status, t.progress, t.total_count as "totalCount", t.done_count as "doneCount", t.failed_count as "failedCount",
    t.cancel_requested as "cancelRequested", t.message_key as "messageKey", t.message_args as "messageArgs", t.created_by as "createdBy", u.name as "createdByName",
    t.created_at as "createdAt", t.started_at as "startedAt", t.finished_at as "finishedAt", t.expires_at as "expiresAt", t.result,
    case when t.kind = 'imports.preview' and t.status = 'succeeded' then t.params ->> 'kind' end as preview,
    (select coalesce(jsonb_object_agg(f.part, jsonb_build_object('name', o.name, 'size', o.size)), '{}') from (values
      ('input', t.input_file_id), ('result', t.result_file_id), ('error', t.error_file_id)) as f(part, id) join file_object o on o.id = f.id) as files`;
}

/** The texts of messages that tasks have left, of whichever area, in a language; null where there is none. */
export function taskMessages(locale: Locale): (key: string | null, args: Params | null) => string | null {
  const t = createTranslator({ locale, messages: loadMessages(locale), onError: () => {} }) as unknown as ((
    key: string,
    values: Params,
  ) => string) & { has: (key: string) => boolean };
  return (key, args) => {
    if (key?.startsWith("errors.")) return errorText(locale, key.slice("errors.".length) as ErrorCode, args ?? {});
    return key !== null && t.has(key) ? t(key, args ?? {}) : null;
  };
}

function shown(ctx: Read, { messageKey, messageArgs, ...row }: StoredRow, say = taskMessages(ctx.locale)): TaskRow {
  const own = row.createdBy === ctx.user.id;
  const may = {
    cancel: (own || ctx.can("task.viewAll")) && !row.cancelRequested && brokenRules(cancelRules, row).length === 0,
    retry: own && brokenRules(retryRules, row).length === 0,
    remove: own && brokenRules(deleteRules, row).length === 0,
  };
  return { ...row, message: say(messageKey, messageArgs), may };
}

/** A page of tasks, newest first. */
export async function listTasks(ctx: Read, input: ListInput & { direction: TaskList }): Promise<Page<TaskRow>> {
  const { sql } = ctx;
  const conditions = input.filters.map((filter) => condition(ctx, filter));
  if (input.direction !== "all") conditions.push(sql`t.direction = ${input.direction}`);
  const where = conditions.reduce((left, right) => sql`${left} and ${right}`, visible(ctx));
  const [counted] = await sql<{ total: number }[]>`select count(*)::int as total from task t where ${where}`;
  const rows = await sql<StoredRow[]>`
    select ${columns(ctx)} from task t join app_user u on u.id = t.created_by
    where ${where} order by t.created_at desc, t.id limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const say = taskMessages(ctx.locale);
  return { records: rows.map((row) => shown(ctx, row, say)), total: counted?.total ?? 0, page: input.page, size: input.size };
}

function condition({ sql, user }: Read, { field, values }: Filter) {
  switch (field) {
    case "status":
      return sql`t.status = any(${values.map(String)})`;
    case "title":
      return sql`t.title ilike ${`%${String(values[0] ?? "").replace(/[\\%_]/g, "\\$&")}%`}`;
    case "createdBy":
      return sql`t.created_by = any(${values.map(Number).filter(Number.isSafeInteger)}::bigint[])`;
    case "mine":
      return values[0] === true || values[0] === "true" ? sql`t.created_by = ${user.id}` : sql`true`;
    default:
      return sql`t.created_at >= coalesce(${moment(values[0])}::timestamptz, '-infinity') and t.created_at < coalesce(${moment(values[1])}::timestamptz, 'infinity')`;
  }
}

function moment(value: unknown): Date | null {
  const date = typeof value === "string" && value !== "" ? new Date(value) : null;
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

/**
 * One task.
 * @throws NOT_FOUND for a task of another project, and for one of another person without task.viewAll
 */
export async function getTask(ctx: Read, id: string): Promise<TaskRow> {
  const { sql } = ctx;
  const [row] = await sql<StoredRow[]>`
    select ${columns(ctx)} from task t join app_user u on u.id = t.created_by where ${visible(ctx)} and t.id = ${id}`;
  if (!row) throw new AppError("NOT_FOUND", { object: id });
  return shown(ctx, row);
}

/**
 * A file of a task; of the marked copies the one of the file at a place.
 * @throws NOT_FOUND as for the task and for a file it does not have, CALCULATING while it may still come, FILE_EXPIRED once it has been removed
 */
export async function getTaskFile(ctx: Read & Pick<Ctx, "now">, id: string, part: SentPart, at = 0): Promise<StoredFile> {
  const { sql, now } = ctx;
  const fileId = part === "marked" ? sql`(t.result -> 'files' -> ${at}::int ->> 'markedFileId')::uuid` : sql(`${part}_file_id`);
  const [row] = await sql<{ fileId: string | null; status: TaskStatus; expiresAt: Date | null }[]>`
    select ${fileId} as "fileId", t.status, t.expires_at as "expiresAt" from task t where ${visible(ctx)} and t.id = ${id}`;
  if (row && !row.fileId && (row.status === "queued" || row.status === "running")) throw new AppError("CALCULATING");
  if (!row?.fileId) throw new AppError("NOT_FOUND", { object: id });
  if (row.status === "expired" || (row.expiresAt && row.expiresAt <= now)) throw new AppError("FILE_EXPIRED");
  return getFile(ctx, row.fileId);
}

import "server-only";
import { type Pool, type Sql, transaction } from "#db/client.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { checkRules } from "#lib/core/rule.ts";
import { lastWritten, listKeys, recordFile, removeBytes, type StoredBytes } from "#lib/core/storage.ts";
import { sendTask, type TaskDirection, type TaskStatus } from "#lib/core/task.ts";
import { attemptLimit, tidiedKinds, uploadHours } from "./limits.ts";
import { getTask, type TaskRow } from "./queries.ts";
import { cancelRules, deleteRules, retryRules } from "./rules.ts";

type LockedTask = {
  kind: string;
  status: TaskStatus;
  direction: TaskDirection;
  createdBy: number;
  dedupeKey: string | null;
  files: string[];
};

/** Locks a task the person may see. */
async function lockTask(ctx: Ctx, id: string): Promise<LockedTask> {
  const { sql, project } = ctx;
  const [task] = await sql<LockedTask[]>`
    select kind, status, direction, created_by as "createdBy", dedupe_key as "dedupeKey", array_remove(array[result_file_id, error_file_id], null) as files
    from task where id = ${id} and project_id = ${project.id} for no key update`;
  if (!task || (task.createdBy !== ctx.user.id && !ctx.can("task.viewAll"))) throw new AppError("NOT_FOUND", { object: id });
  return task;
}

function demandOwn(ctx: Ctx, task: LockedTask): void {
  if (task.createdBy !== ctx.user.id) throw new AppError("NO_PERMISSION", { right: "task.viewAll" });
}

/** Stops a task: a queued one at once unless it has something to tidy up, a running one at the border of its next chunk; what it has written stays and is counted. */
export async function cancelTask(ctx: Ctx, id: string): Promise<TaskRow> {
  const task = await lockTask(ctx, id);
  checkRules(cancelRules, task);
  if (task.status === "queued" && !tidiedKinds.includes(task.kind))
    await ctx.sql`update task set status = 'cancelled', cancel_requested = true, finished_at = ${ctx.now} where id = ${id}`;
  else await ctx.sql`update task set cancel_requested = true where id = ${id}`;
  ctx.audit(`task ${id}`, { status: task.status }, { cancelRequested: true });
  return getTask(ctx, id);
}

/** Runs a failed or cancelled task again, behind the chunks it has already written. */
export async function retryTask(ctx: Ctx, id: string): Promise<TaskRow> {
  const { sql, project, now } = ctx;
  const task = await lockTask(ctx, id);
  demandOwn(ctx, task);
  checkRules(retryRules, task);
  if (task.dedupeKey !== null) {
    const [open] = await sql`select 1 from task where dedupe_key = ${task.dedupeKey} and status in ('queued', 'running')`;
    if (open) throw task.direction === "export" ? new AppError("EXPORT_UNFINISHED") : new AppError("WRONG_STATUS", { status: "running" });
  }
  // Attempt numbers go on, so that no worker of an earlier run can take one for its own. Rows that all failed are tried again.
  await sql`
    update task set status = 'queued', attempt_limit = attempt + ${attemptLimit}, cancel_requested = false, progress = 0, started_at = null, finished_at = null, expires_at = null,
      message_key = null, message_args = null, result = null, result_file_id = null, error_file_id = null,
      chunks_done = case when done_count = 0 then 0 else chunks_done end, kept = case when done_count > 0 then kept end, failed_count = case when done_count = 0 then 0 else failed_count end
    where id = ${id}`;
  await sql`update file_object set expires_at = ${now} where id = any(${task.files})`;
  await sendTask(sql, id, project.id);
  ctx.audit(`task ${id}`, { status: task.status }, { status: "queued" });
  return getTask(ctx, id);
}

/** Removes an own task that has ended from the lists, with its files. */
export async function deleteTask(ctx: Ctx, id: string): Promise<{ id: string }> {
  const { sql, now } = ctx;
  const task = await lockTask(ctx, id);
  demandOwn(ctx, task);
  checkRules(deleteRules, task);
  const [removed] = await sql<{ kind: string; title: string; files: string[] }[]>`
    delete from task where id = ${id} returning kind, title, array_remove(array[input_file_id, result_file_id, error_file_id], null) as files`;
  await sql`update file_object set expires_at = ${now} where id = any(${removed?.files ?? []})`;
  ctx.audit(`task ${id}`, { kind: removed?.kind, title: removed?.title, status: task.status }, null);
  return { id };
}

/** Makes an uploaded file known: it stays for a day, or with the task that takes it. */
export async function recordUpload(ctx: Ctx, file: StoredBytes & { name: string; mime: string }): Promise<{ fileId: string }> {
  const fileId = await recordFile(ctx, { ...file, expiresAt: new Date(ctx.now.getTime() + uploadHours * 3_600_000) });
  ctx.audit(`file ${fileId}`, null, { name: file.name, size: file.size, sha256: file.sha256 });
  return { fileId };
}

/**
 * Marks the project's tasks whose files have reached their age as expired and removes what is due: their files, their preview rows, abandoned uploads.
 * The rows of tasks stay.
 */
export async function expireFiles(pool: Pool, projectId: number, now: Date): Promise<void> {
  await transaction(pool, async (sql) => {
    const tasks = await sql<{ id: string; files: string[] }[]>`
      update task set status = 'expired' where project_id = ${projectId} and expires_at <= ${now} and status in ('succeeded', 'partial', 'failed', 'cancelled')
      returning id, array_remove(array[input_file_id, result_file_id, error_file_id], null) as files`;
    await sql`delete from import_row where task_id = any(${tasks.map((task) => task.id)})`;
    await sql`update file_object set expires_at = ${now} where id = any(${tasks.flatMap((task) => task.files)}) and (expires_at is null or expires_at > ${now})`;
  });
  // Deleting is harmless twice; the days before are looked at again in case a run broke off between the rows and the contents.
  const due = await pool<{ id: string }[]>`
    select id from file_object where project_id = ${projectId} and expires_at <= ${now} and expires_at > ${new Date(now.getTime() - 3 * 86_400_000)}`;
  await removeBytes(due.map((file) => file.id));
  // A condition for each way a task names a file can be hashed; one for all of them would compare every file with every task.
  const isFree = (column: string) => pool`not exists (select from task t where t.${pool(column)} = f.id)`;
  await pool`
    delete from file_object f where f.project_id = ${projectId} and f.expires_at <= ${now}
      and ${isFree("input_file_id")} and ${isFree("result_file_id")} and ${isFree("error_file_id")}`;
}

/** Removes stored contents that no row keeps alive: what an interrupted upload or a rolled back job left. Young ones may still get their row. */
export async function sweepFiles(sql: Sql, now: Date): Promise<number> {
  const young = new Date(Date.now() - 86_400_000);
  let removed = 0;
  for await (const keys of listKeys()) {
    const alive = await sql<
      { id: string }[]
    >`select id from file_object where id = any(${keys}::uuid[]) and (expires_at is null or expires_at > ${now})`;
    const kept = new Set(alive.map((row) => row.id));
    for (const key of keys) {
      if (kept.has(key) || (await lastWritten(key)) > young) continue;
      await removeBytes([key]);
      removed++;
    }
  }
  return removed;
}

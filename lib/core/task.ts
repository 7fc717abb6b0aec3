import "server-only";
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { type Pool, type Sql, transaction } from "#db/client.ts";
import { attemptLimit } from "#lib/tasks/limits.ts";
import type { ProjectNeed } from "./action.ts";
import type { Ctx } from "./ctx.ts";
import { AppError, type Params } from "./error.ts";
import type { JobCtx } from "./job.ts";
import { send } from "./queue.ts";

export type TaskDirection = "import" | "export" | "process";
export type TaskStatus = "queued" | "running" | "succeeded" | "partial" | "failed" | "cancelled" | "expired";

/** A task as its job sees it. */
export type Task = {
  id: string;
  projectId: number;
  kind: string;
  direction: TaskDirection;
  title: string;
  params: unknown;
  inputFileId: string | null;
  /** Number of this attempt: a write that finds another number in the row is rolled back. */
  attempt: number;
  /** Chunks committed by earlier attempts: the job continues behind them. */
  chunksDone: number;
  doneCount: number;
  failedCount: number;
  /** Origin of the plan batches the task writes. */
  originKey: string;
  createdBy: number;
  /** The call that started the task. */
  requestId: string | null;
};

/** What a job hands back: the task ends as succeeded, partial (some rows failed) or failed (all did). */
export type Outcome = {
  /** Rows in all; by default those the chunks counted. */
  total?: number;
  resultFileId?: string | null;
  errorFileId?: string | null;
  /** Text shown with the task: a key of the messages with its namespace, `imports.nothingNew`. */
  message?: { key: string; args?: Params };
  /** Anything a screen of the kind wants to read later. */
  result?: unknown;
};

/** How a kind of task runs in the worker. */
export type TaskKind<Schema extends z.ZodType = z.ZodType> = {
  params: Schema;
  /** Right the creator must still hold when the job starts. */
  needs: ProjectNeed;
  run: (job: JobCtx, params: z.output<Schema>) => Promise<Outcome | undefined>;
  /** Ends what a cancelled task would leave half done, and may say what became of it; kinds that have it are named in `tidiedKinds`. */
  cancelled?: (ctx: Ctx, params: z.output<Schema>) => Promise<Outcome["message"]>;
};

/** Declares a kind of task with its parameters typed. */
export function taskKind<Schema extends z.ZodType>(kind: TaskKind<Schema>): TaskKind {
  return kind as unknown as TaskKind;
}

/** What `enqueueTask` is given. */
export type NewTask = {
  /** Name of the kind, a row of `jobs/tasks.ts`. */
  kind: string;
  direction: TaskDirection;
  /** Shown in the list: the file name, the name of the export. */
  title: string;
  params?: unknown;
  inputFileId?: string | null;
  /** A second task with the same key is not made while the first is open: its id is given back. Of an export it says which of its kind it is. */
  dedupeKey?: string;
  total?: number;
};

/** The call that starts a task. */
type Starter = Pick<Ctx, "sql" | "project" | "user" | "now" | "locale" | "audit" | "requestId">;

const titleChars = 200;

/**
 * Makes a task and its job in the caller's transaction and gives its id; neither exists when the transaction rolls back.
 * A person has one open export of a kind, where the kind has a key one for each.
 * @throws EXPORT_UNFINISHED while the person's earlier export of the kind, with the same key, is open
 */
export function enqueueTask(ctx: Starter, task: NewTask): Promise<string> {
  if ("begin" in ctx.sql) return transaction(ctx.sql as Pool, (sql) => insertTask({ ...ctx, sql }, task));
  return insertTask(ctx, task);
}

async function insertTask(ctx: Starter, task: NewTask): Promise<string> {
  const { sql, project, user, now } = ctx;
  const id = randomUUID();
  const dedupeKey =
    task.direction === "export"
      ? `export:${project.id}:${user.id}:${task.kind}${task.dedupeKey ? `:${task.dedupeKey}` : ""}`
      : task.dedupeKey
        ? `${project.id}:${task.dedupeKey}`
        : null;
  const [made] = await sql`
    insert into task (id, project_id, kind, direction, title, params, status, total_count, input_file_id, dedupe_key, attempt_limit, origin_key, locale, created_by, created_at, request_id)
    values (${id}, ${project.id}, ${task.kind}, ${task.direction}, ${[...task.title].slice(0, titleChars).join("")}, ${sql.json((task.params ?? {}) as never)},
      'queued', ${task.total ?? null}, ${task.inputFileId ?? null}, ${dedupeKey}, ${attemptLimit}, ${randomUUID()}, ${ctx.locale}, ${user.id}, ${now}, ${ctx.requestId ?? null})
    on conflict (dedupe_key) where status in ('queued', 'running') do nothing
    returning id`;
  if (!made) {
    if (task.direction === "export") throw new AppError("EXPORT_UNFINISHED");
    const [open] = await sql<{ id: string }[]>`select id from task where dedupe_key = ${dedupeKey} and status in ('queued', 'running')`;
    // The open task ended between the two statements: the next try makes a new one.
    return open?.id ?? insertTask(ctx, task);
  }
  // The file stays as long as its task: it is no longer an abandoned upload.
  if (task.inputFileId) await sql`update file_object set expires_at = null where id = ${task.inputFileId} and project_id = ${project.id}`;
  await sendTask(sql, id, project.id);
  ctx.audit(`task ${id}`, null, { kind: task.kind, direction: task.direction, title: task.title });
  return id;
}

/** Puts the job of a task into the queue; does nothing while the task has one. */
export async function sendTask(sql: Sql, taskId: string, projectId: number): Promise<void> {
  await send(sql, "tasks", { taskId }, { key: taskId, group: String(projectId) });
}

/**
 * Gives open tasks without a job one again, such as after the queue's tables were restored from a copy or emptied.
 * @returns number of tasks looked at
 */
export async function resendTasks(sql: Sql): Promise<number> {
  const open = await sql<{ id: string; projectId: number }[]>`
    select id, project_id as "projectId" from task
    where status in ('queued', 'running') and greatest(created_at, started_at) < now() - interval '2 minutes'
    order by created_at limit 1000`;
  for (const task of open) await sendTask(sql, task.id, task.projectId);
  return open.length;
}

/**
 * Adds to a count that a task keeps while it works; part of the transaction that does what is counted, so that a later attempt goes on from there.
 * @param name under which `readTaskCount` finds it
 */
export async function countInTask({ sql }: Pick<Ctx, "sql">, taskId: string, name: string, count: number): Promise<void> {
  await sql`
    update task set kept = coalesce(kept, '{}') || jsonb_build_object(${name}::text, coalesce((kept ->> ${name})::int, 0) + ${count}::int)
    where id = ${taskId}`;
}

/** What a task has counted by now, over all its attempts. */
export async function readTaskCount({ sql }: Pick<Ctx, "sql">, taskId: string, name: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select coalesce((kept ->> ${name})::int, 0) as count from task where id = ${taskId}`;
  return row?.count ?? 0;
}

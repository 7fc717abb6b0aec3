import "server-only";
import { type Pool, type Sql, transaction } from "#db/client.ts";
import { findMembership, type Membership } from "#lib/access/queries.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { findProject } from "#lib/session/queries.ts";
import { fileDays, runningPerProject, tidiedKinds, uploadHours } from "#lib/tasks/limits.ts";
import { mailTaskEnd } from "#lib/tasks/mails/commands.ts";
import type { ProjectNeed } from "./action.ts";
import { AuditSheet } from "./audit.ts";
import { projectToday } from "./clock.ts";
import type { Ctx, CtxProject, CtxUser } from "./ctx.ts";
import { AppError, type Params } from "./error.ts";
import { projectCtx } from "./gate.ts";
import type { Locale } from "./locale.ts";
import { presentTime } from "./present-time.ts";
import type { Outcome, Task, TaskStatus } from "./task.ts";

/** Rows a chunk wrote and refused: counted in the commit of the chunk. */
export type Tally = { done: number; failed: number };

/** The context of a running task: reads go over the pool, writes through `chunk`. */
export type JobCtx = Ctx & {
  task: Task;
  /** Aborted when the task is cancelled, taken by another worker or has to leave this one. */
  signal: AbortSignal;
  /**
   * One transaction of the task. It commits only while this attempt is the task's; the commit counts the chunk, so that a later attempt begins behind it.
   * @throws TaskStopped before it begins when the task is cancelled, lost or has to leave
   */
  chunk: <T>(fn: (ctx: Ctx, tally: Tally) => Promise<T>) => Promise<T>;
  /** Tells how far the work has come, on a connection of its own: visible while a chunk is still open. */
  progress: (done: number, total: number) => void;
  /** Whether somebody has asked to stop the task. */
  cancelled: () => Promise<boolean>;
};

/** Why a job ends before its work: asked to, taken by another worker, or the worker is leaving. */
export class TaskStopped extends Error {
  readonly reason: "cancelled" | "lost" | "leaving";

  constructor(reason: "cancelled" | "lost" | "leaving") {
    super(`task ${reason}`);
    this.name = "TaskStopped";
    this.reason = reason;
  }
}

/** A claimed task with what ends it. */
export type OpenJob = {
  job: JobCtx;
  finish: (outcome: Outcome) => Promise<void>;
  fail: (messageKey: string, args: Params) => Promise<void>;
  /** @param leave ends what the task would leave half done, in a transaction of its own */
  cancel: (leave?: (ctx: Ctx) => Promise<Outcome["message"]>) => Promise<void>;
  /** Gives the task back without counting the attempt. */
  release: () => Promise<void>;
  /** Ends what watches over the task in this process. */
  close: () => Promise<void>;
};

/** Codes of the database for what a second try of the transaction may get past: deadlock, serialization, a key taken meanwhile. */
const passing = new Set(["40P01", "40001", "23505"]);

const progressMs = 500;
const watchMs = 1_000;

type TaskRow = Task & { status: TaskStatus; cancelRequested: boolean; attemptLimit: number; locale: Locale };
const columns = (
  sql: Sql,
) => sql`id, project_id as "projectId", kind, direction, title, params, input_file_id as "inputFileId", attempt, chunks_done as "chunksDone",
  done_count as "doneCount", failed_count as "failedCount", origin_key as "originKey", created_by as "createdBy", status, cancel_requested as "cancelRequested",
  attempt_limit as "attemptLimit", locale, request_id as "requestId"`;

/**
 * Takes a task for this worker and reads person, project and rights anew.
 * @param leaving aborted when the worker is asked to end
 * @returns `over` when nothing is left to do, `wait` when the project already runs as many tasks as it may
 */
export async function openJob(pool: Pool, taskId: string, leaving: AbortSignal): Promise<OpenJob | "over" | "wait"> {
  const task = await transaction(pool, (sql) => claim(sql, taskId));
  if (typeof task === "string") return task;
  const stop = new AbortController();
  const signal = AbortSignal.any([leaving, stop.signal]);
  const made = await makeJob(pool, task, signal, stop, leaving);
  return made;
}

/** The claim: under a lock of the project, so that two workers together keep to what a project may run. */
async function claim(sql: Sql, taskId: string): Promise<TaskRow | "over" | "wait"> {
  const [found] = await sql<{ projectId: number }[]>`select project_id as "projectId" from task where id = ${taskId}`;
  if (!found) return "over";
  await sql`select pg_advisory_xact_lock(hashtext('task claim'), ${found.projectId}::int)`;
  const [task] = await sql<TaskRow[]>`select ${columns(sql)} from task where id = ${taskId} for no key update`;
  if (!task || (task.status !== "queued" && task.status !== "running")) return "over";
  const now = presentTime();
  if (task.cancelRequested && !tidiedKinds.includes(task.kind)) {
    await sql`update task set status = 'cancelled', finished_at = ${now}, expires_at = ${filesUntil(now)} where id = ${taskId}`;
    return "over";
  }
  if (task.attempt >= task.attemptLimit) {
    await sql`
      update task set status = 'failed', finished_at = ${now}, expires_at = ${filesUntil(now)}, message_key = 'tasks.message.attempts', message_args = ${sql.json({ max: task.attemptLimit })}
      where id = ${taskId}`;
    await mailTaskEnd(sql, taskId, now);
    return "over";
  }
  const [others] = await sql<{ running: number; sameImport: boolean }[]>`
    select count(*)::int as running, coalesce(bool_or(direction = 'import' and kind = ${task.kind}), false) as "sameImport"
    from task where project_id = ${task.projectId} and status = 'running' and id <> ${taskId}`;
  if ((others?.running ?? 0) >= runningPerProject || (task.direction === "import" && others?.sameImport)) return "wait";
  const [taken] = await sql<TaskRow[]>`
    update task set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, ${now}) where id = ${taskId} returning ${columns(sql)}`;
  return taken ?? "over";
}

function filesUntil(now: Date): Date {
  return new Date(now.getTime() + fileDays * 86_400_000);
}

async function makeJob(pool: Pool, task: TaskRow, signal: AbortSignal, stop: AbortController, leaving: AbortSignal): Promise<OpenJob> {
  const requestId = task.requestId ?? `task-${task.id}-${task.attempt}`;
  const own = (sql: Sql) => sql`id = ${task.id} and attempt = ${task.attempt} and status = 'running'`;
  const { user, project, membership } = await readCreator(pool, task);

  const context = (sql: Sql, hooks: (() => void | Promise<void>)[]) => {
    const now = presentTime();
    const caller = { now, locale: task.locale, requestId, signal };
    const sheet = new AuditSheet({ at: now, actorId: user.id, ip: null, requestId, projectId: project.id, address: `task ${task.kind}` });
    const ctx = projectCtx(sql, caller, { user, sid: null }, project, membership, sheet, hooks);
    return { sheet, ctx: { ...ctx, filesUntil: new Date(now.getTime() + uploadHours * 3_600_000) } };
  };

  const check = async () => {
    const [row] = await pool<{ cancelRequested: boolean }[]>`select cancel_requested as "cancelRequested" from task where ${own(pool)}`;
    if (!row) throw new TaskStopped("lost");
    if (row.cancelRequested) throw new TaskStopped("cancelled");
    if (leaving.aborted) throw new TaskStopped("leaving");
  };

  const chunkOnce = async <T>(fn: (ctx: Ctx, tally: Tally) => Promise<T>): Promise<T> => {
    const hooks: (() => void | Promise<void>)[] = [];
    const tally: Tally = { done: 0, failed: 0 };
    const result = await transaction(pool, async (sql) => {
      const { ctx, sheet } = context(sql, hooks);
      const given = await fn(ctx, tally);
      await sheet.write(sql);
      // An export is written anew by every attempt, so its rows are counted anew.
      // Last, so that the row is locked for the commit only and progress written beside the chunk does not wait for it.
      const [kept] = await sql<{ chunksDone: number; doneCount: number; failedCount: number }[]>`
        update task set chunks_done = chunks_done + 1, done_count = ${tally.done} + case direction when 'export' then 0 else done_count end, failed_count = failed_count + ${tally.failed}
        where ${own(sql)} returning chunks_done as "chunksDone", done_count as "doneCount", failed_count as "failedCount"`;
      if (!kept) throw new TaskStopped("lost");
      Object.assign(task, kept);
      return given;
    });
    for (const hook of hooks) await hook();
    return result;
  };

  const meter = progressMeter(async (percent, total) => {
    await pool`update task set progress = ${percent}, total_count = ${total} where ${own(pool)}`;
  });
  const watch = setInterval(() => {
    check().catch((error) => {
      if (error instanceof TaskStopped && error.reason !== "leaving") stop.abort(error);
    });
  }, watchMs);

  const close = async () => {
    clearInterval(watch);
    await meter.settle();
  };

  const end = async (status: TaskStatus, outcome: Outcome, message: { key: string; args?: Params } | undefined) => {
    await close();
    const now = presentTime();
    await transaction(pool, async (sql) => {
      const [kept] = await sql`
        update task set status = ${status}, finished_at = ${now}, expires_at = ${filesUntil(now)},
          progress = case when ${status} in ('succeeded', 'partial') then 100 else progress end, total_count = coalesce(${outcome.total ?? null}, total_count, done_count + failed_count),
          message_key = ${message?.key ?? null}, message_args = ${message?.args ? sql.json(message.args) : null},
          result_file_id = ${outcome.resultFileId ?? null}, error_file_id = ${outcome.errorFileId ?? null}, result = ${outcome.result === undefined ? null : sql.json(outcome.result as never)}
        where ${own(sql)} returning id`;
      if (!kept) throw new TaskStopped("lost");
      const files = [outcome.resultFileId, outcome.errorFileId].filter((id) => id != null);
      if (files.length > 0) await sql`update file_object set expires_at = null where id = any(${files}) and project_id = ${project.id}`;
      await mailTaskEnd(sql, task.id, now);
    });
  };

  const outside = () => {
    throw new Error("a job writes inside job.chunk");
  };
  const job: JobCtx = {
    ...context(pool, []).ctx,
    audit: outside,
    auditFrom: outside,
    signal,
    task,
    chunk: async (fn) => {
      await check();
      try {
        return await chunkOnce(fn);
      } catch (error) {
        // What was in the way is over, or is seen by the second try, as a row that somebody else has made meanwhile.
        if (!passing.has((error as { code?: string }).code ?? "")) throw error;
        return chunkOnce(fn);
      }
    },
    progress: meter.report,
    cancelled: async () => {
      const [row] = await pool<{ asked: boolean }[]>`select cancel_requested as asked from task where id = ${task.id}`;
      return row?.asked ?? true;
    },
  };
  return {
    job,
    finish: (outcome) => end(finalStatus(task), outcome, outcome.message),
    fail: (key, args) => end("failed", {}, { key, args }),
    cancel: async (leave) => {
      const message = leave && (await chunkOnce(leave));
      await end("cancelled", {}, message);
    },
    close,
    release: async () => {
      await close();
      await pool`update task set status = 'queued', attempt = attempt - 1 where ${own(pool)}`;
    },
  };
}

function finalStatus(task: Task): TaskStatus {
  if (task.failedCount === 0) return "succeeded";
  return task.doneCount > 0 ? "partial" : "failed";
}

type Creator = { user: CtxUser; project: CtxProject; membership: Membership };

/** The person a task runs for, as the tables say now. A person who has gone or lost every role holds no right, so the task is refused like a call. */
async function readCreator(sql: Sql, task: Task): Promise<Creator> {
  const [user] = await sql<
    (CtxUser & { active: boolean })[]
  >`select id, account, name, email, kind, country, active from app_user where id = ${task.createdBy}`;
  const [row] = await sql<{ number: string }[]>`select number from project where id = ${task.projectId}`;
  const project = row && (await findProject(sql, row.number));
  if (!user || !project) throw new Error(`task ${task.id} has no person or project`);
  const { active, ...person } = user;
  const membership = await findMembership(sql, user.id, project.id, projectToday(presentTime(), project.tzOffset));
  return { user: person, project, membership: active ? membership : { ...membership, roles: [], delegated: [] } };
}

/**
 * Refuses a task whose creator no longer holds its right, or whose project has been closed.
 * @throws NO_PERMISSION, PROJECT_CLOSED
 */
export function demandRight(job: JobCtx, needs: ProjectNeed): void {
  if (job.project.status === "closed" && job.task.direction !== "export") throw new AppError("PROJECT_CLOSED");
  if (job.user.roles.length === 0) throw new AppError("NO_PERMISSION", { right: "project.enter" });
  if (needs === "member") return;
  const codes = (typeof needs === "string" ? [needs] : needs) as readonly PermissionCode[];
  if (!codes.some((code) => job.can(code))) throw new AppError("NO_PERMISSION", { right: codes.join(", ") });
}

/** Writes progress at most twice a second, one write at a time, the last one always; a write that fails is not worth failing the work. */
function progressMeter(write: (percent: number, total: number) => Promise<void>): {
  report: (done: number, total: number) => void;
  settle: () => Promise<void>;
} {
  let latest: { percent: number; total: number } | null = null;
  let written = -1;
  let busy: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  const flush = () => {
    timer = null;
    const next = latest;
    if (!next || busy || closed || next.percent === written) return;
    written = next.percent;
    busy = write(next.percent, next.total)
      .catch(() => {})
      .finally(() => {
        busy = null;
        if (latest !== next && !closed) timer ??= setTimeout(flush, progressMs);
      });
  };
  return {
    report: (done, total) => {
      // 100 belongs to the end: the last commit may still fail.
      latest = { percent: total > 0 ? Math.max(0, Math.min(99, Math.floor((done / total) * 100))) : 0, total };
      if (!busy && !timer) timer = setTimeout(flush, written < 0 ? 0 : progressMs);
    },
    settle: async () => {
      closed = true;
      if (timer) clearTimeout(timer);
      await busy;
    },
  };
}

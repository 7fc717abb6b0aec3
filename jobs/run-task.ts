import type { Pool } from "#db/client.ts";
import { AppError } from "#lib/core/error.ts";
import { demandRight, type OpenJob, openJob, TaskStopped } from "#lib/core/job.ts";
import { log, tagged } from "#lib/core/log.ts";
import type { TaskKind } from "#lib/core/task.ts";

/** The kinds a worker knows, each loaded when its first task comes. */
export type TaskKinds = Record<string, () => Promise<TaskKind>>;

/**
 * Runs one task to its end. Safe to call twice for the same task: what is over is left alone, and a second runner takes the attempt number away
 * from the first, which can then commit nothing.
 * @throws when the task has to go back to the queue: its project is busy, the worker is leaving, or the database was not reachable
 */
export async function runTask(pool: Pool, kinds: TaskKinds, taskId: string, leaving: AbortSignal): Promise<void> {
  const opened = await openJob(pool, taskId, leaving);
  if (opened === "over") return;
  if (opened === "wait") throw new Error("the project runs as many tasks as it may");
  const { id, attempt } = opened.job.task;
  await tagged({ requestId: opened.job.requestId, task: id, attempt }, () => runOpened(opened, kinds, leaving));
}

async function runOpened(opened: OpenJob, kinds: TaskKinds, leaving: AbortSignal): Promise<void> {
  const { job } = opened;
  const begin = performance.now();
  try {
    await opened.finish(await work(opened, kinds));
    log.info({ kind: job.task.kind, ms: Math.round(performance.now() - begin) }, "task done");
  } catch (error) {
    await settle(opened, kinds, job.signal.aborted && job.signal.reason instanceof TaskStopped ? job.signal.reason : error, leaving);
  } finally {
    await opened.close();
  }
}

async function kindOf({ job }: OpenJob, kinds: TaskKinds): Promise<TaskKind> {
  const load = Object.hasOwn(kinds, job.task.kind) ? kinds[job.task.kind] : undefined;
  if (!load) throw new Error(`no task kind ${job.task.kind}`);
  return load();
}

async function work(opened: OpenJob, kinds: TaskKinds) {
  const { job } = opened;
  const kind = await kindOf(opened, kinds);
  if (kind.cancelled && (await job.cancelled())) throw new TaskStopped("cancelled");
  demandRight(job, kind.needs);
  const outcome = await kind.run(job, kind.params.parse(job.task.params));
  return outcome ?? {};
}

/** Ends a task whose work threw. */
async function settle(opened: OpenJob, kinds: TaskKinds, error: unknown, leaving: AbortSignal): Promise<void> {
  const { task } = opened.job;
  if (error instanceof TaskStopped) {
    if (error.reason === "cancelled") {
      const { cancelled, params } = await kindOf(opened, kinds);
      return opened.cancel(cancelled && ((ctx) => cancelled(ctx, params.parse(task.params))));
    }
    if (error.reason === "lost") return log.warn("task taken by another worker");
    await opened.release();
    throw error;
  }
  if (leaving.aborted) {
    await opened.release();
    throw error;
  }
  // A database without a connection to spare says nothing of the task, which waits until it has one.
  if (hasCode(error, (code) => code === tooManyConnections)) {
    log.warn({ kind: task.kind }, "the database has no connection to spare: the task waits");
    await opened.release().catch(() => {});
    throw error;
  }
  // What the database or the network refused is tried again, up to the limit of attempts.
  if (hasCode(error, (code) => passing.has(code) || code.startsWith("08"))) throw error;
  if (error instanceof AppError) return opened.fail(`errors.${error.code}`, error.params);
  log.error({ kind: task.kind, error }, "task failed");
  return opened.fail("tasks.message.fault", { requestId: opened.job.requestId });
}

const tooManyConnections = "53300";
const passing = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "40001",
  "40P01",
  "57P01",
  "57P02",
  "57P03",
]);

function hasCode(error: unknown, isOne: (code: string) => boolean): boolean {
  for (let at = error; at && typeof at === "object"; at = (at as { cause?: unknown }).cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string" && isOne(code)) return true;
  }
  return false;
}

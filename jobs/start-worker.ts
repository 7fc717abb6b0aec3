import { randomUUID } from "node:crypto";
import cron from "node-cron";
import type { Pool } from "#db/client.ts";
import { startHeartbeat } from "#lib/core/heartbeat.ts";
import { log } from "#lib/core/log.ts";
import { presentTime } from "#lib/core/present-time.ts";
import { Consumer } from "#lib/core/queue.ts";
import { clearHits } from "#lib/core/rate-limit.ts";
import { claimSlots, clearSlots, runSlot, type Schedule, type ScheduleJob } from "#lib/core/schedule.ts";
import { resendTasks } from "#lib/core/task.ts";
import { watchTrust } from "#lib/core/trust.ts";
import { sweepFiles } from "#lib/tasks/commands.ts";
import { runningPerProject } from "#lib/tasks/limits.ts";
import { MailDrain } from "./mail.ts";
import { runTask, type TaskKinds } from "./run-task.ts";

/** Work of every minute beside the schedules: any number of workers may do it at once. */
export type Tick = (pool: Pool, now: Date) => Promise<unknown>;

/** Tasks and scheduled runs at once in one worker process. */
const tasksAtOnce = 4;
const schedulesAtOnce = 2;
/** Running tasks get this long to reach the border of a chunk when the worker is asked to end. */
const graceMs = 5_000;
const sweepEveryMs = 86_400_000;

/**
 * Takes tasks and scheduled runs from the queue, ticks the schedules once a minute and gives a sign of life, until the returned function is called.
 * Any number of workers may run beside each other.
 */
export async function startWorker(
  pool: Pool,
  kinds: TaskKinds,
  schedules: readonly Schedule[],
  ticks: Readonly<Record<string, Tick>> = {},
): Promise<() => Promise<void>> {
  const leaving = new AbortController();
  const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]));
  const consumer = new Consumer(pool);
  const workerId = randomUUID();
  const mail = new MailDrain(pool, workerId);
  let stopHeartbeat = async () => {};
  let stopTrust = async () => {};
  const stop = async () => {
    leaving.abort();
    await Promise.all([consumer.stop(graceMs), mail.stop(graceMs)]);
    await stopHeartbeat();
    await stopTrust();
  };
  try {
    await consumer.start();
    stopHeartbeat = await startHeartbeat("worker", workerId);
    stopTrust = await watchTrust(pool);
    await consumer.consume<{ taskId: string }>("tasks", { atOnce: tasksAtOnce, perGroup: runningPerProject }, (job) =>
      runTask(pool, kinds, job.data.taskId, AbortSignal.any([leaving.signal, job.signal])),
    );
    await consumer.consume<ScheduleJob>("schedules", { atOnce: schedulesAtOnce }, async ({ data }) => {
      const schedule = byName.get(data.name);
      if (schedule) await runSlot(pool, schedule, data, presentTime());
    });
    await mail.start();
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  const tick = makeTick(pool, schedules, mail, ticks);
  await tick();
  const ticker = cron.schedule("* * * * *", tick, { timezone: "UTC", noOverlap: true });
  return async () => {
    await ticker.stop();
    await stop();
  };
}

/** The work of every minute: claim what is due, give tasks without a job one, tidy up. One step that fails does not keep the others from running. */
function makeTick(pool: Pool, schedules: readonly Schedule[], mail: MailDrain, ticks: Readonly<Record<string, Tick>>): () => Promise<void> {
  let sweptAt = 0;
  const steps: Record<string, (now: Date) => Promise<unknown>> = {
    claimSlots: (now) => claimSlots(pool, schedules, now),
    resendTasks: () => resendTasks(pool),
    ...Object.fromEntries(Object.entries(ticks).map(([name, run]) => [name, (now: Date) => run(pool, now)])),
    drainMails: async () => mail.wake(),
    clearHits: (now) => clearHits(pool, now),
    daily: async (now) => {
      if (Date.now() - sweptAt < sweepEveryMs) return;
      sweptAt = Date.now();
      await clearSlots(pool, now);
      await sweepFiles(pool, now);
    },
  };
  return async () => {
    for (const [name, step] of Object.entries(steps)) {
      try {
        await step(presentTime());
      } catch (error) {
        log.error({ step: name, error }, "tick");
      }
    }
  };
}

import { endSql, getSql } from "#db/client.ts";
import { log } from "#lib/core/log.ts";
import { keepReaderReady } from "#lib/core/workbook.ts";
import { importKindNames } from "#lib/imports/limits.ts";
import { loadKind } from "#lib/imports/registry/commands.ts";
import { schedules, ticks } from "./schedule.ts";
import { startWorker } from "./start-worker.ts";
import { taskKinds } from "./tasks.ts";

// A job that does not let go ends with the process: the queue gives it back when its signs of life stop.
const hardExitMs = 10_000;

const retryMs = 1_000;

let leaving = false;
let stop = async () => {};
async function leave(reason: string): Promise<void> {
  if (leaving) return;
  leaving = true;
  log.info({ reason }, "worker leaves");
  setTimeout(() => process.exit(1), hardExitMs).unref();
  await stop();
  await endSql();
  process.exit(0);
}

process.on("SIGTERM", () => void leave("SIGTERM"));
process.on("SIGINT", () => void leave("SIGINT"));
// The supervisor's channel: when it closes, nobody is left to start or stop this process.
process.on("disconnect", () => void leave("supervisor gone"));

// The database may still be starting, or be back in a moment.
for (let started = false; !started && !leaving; ) {
  try {
    stop = await startWorker(getSql(), taskKinds, schedules, ticks);
    started = true;
    log.info("worker ready");
  } catch (error) {
    log.warn({ error }, "worker not started yet");
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

// Ahead of the first task of each kind, which would wait for its code otherwise. Code that cannot be loaded is the fault of its own tasks.
for (const load of [...Object.values(taskKinds), ...importKindNames.map((kind) => () => loadKind(kind))])
  if (!leaving) await load().catch((error) => log.error({ error }, "code of a task not loaded"));
if (!leaving) keepReaderReady();

import { Worker } from "node:worker_threads";
import { getSql } from "#db/client.ts";
import { addDays } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import { AppError } from "#lib/core/error.ts";
import { type JobCtx, TaskStopped } from "#lib/core/job.ts";
import { presentTime } from "#lib/core/present-time.ts";
import { type Outcome, taskKind } from "#lib/core/task.ts";
import { type ErrorCode, errors } from "#lib/errors.ts";
import { exactFolder } from "#lib/planning-engine/exact/queries.ts";
import { runNetExport } from "#lib/planning-engine/output-material/commands.ts";
import { runApply, runOutputExport } from "#lib/planning-engine/outputs/commands.ts";
import { ApplyParams, ExportNet, ExportParams } from "#lib/planning-engine/outputs/schema.ts";
import { beginRun, endTerminated, failRun, publishRun, type RunStep, type RunToDo, tellRun } from "#lib/planning-engine/runs/commands.ts";
import { progressEveryMs, runsPerProcess } from "#lib/planning-engine/runs/limits.ts";
import { withNotes } from "#lib/planning-engine/runs/logic.ts";
import { getRun } from "#lib/planning-engine/runs/queries.ts";
import { type Incumbent, RunParams } from "#lib/planning-engine/runs/schema.ts";
import type { LevelValues, RunEnd, RunOrder, RunTelling } from "./planning-engine-run.ts";

let running = 0;

/** Calculates a version. A worker killed in the middle has published nothing; the next one begins anew from the frozen input and comes to the same plan. */
export const planTask = taskKind({
  params: RunParams,
  needs: "engine.run",
  run: async (job, { runId }) => {
    // Others take it, or this one in a moment: waiting here would keep a place from all other tasks.
    if (running >= runsPerProcess) throw new TaskStopped("leaving");
    running++;
    try {
      return await calculate(job, runId);
    } finally {
      running--;
    }
  },
  cancelled: async (ctx, { runId }) => ({ key: `engine-runs.task.${(await endTerminated(ctx, runId)) ? "terminated" : "over"}` }),
});

/** Writes the dates of a run into the rollout plan. */
export const applyTask = taskKind({ params: ApplyParams, needs: "engine.apply", run: runApply });

/** Writes what has to be bought for a run as a workbook. */
export const netExportTask = taskKind({ params: ExportNet, needs: "engine.view", run: runNetExport });

/** Writes the output of a run as a workbook. */
export const outputExportTask = taskKind({ params: ExportParams, needs: "engine.view", run: runOutputExport });

async function calculate(job: JobCtx, runId: number): Promise<Outcome> {
  const todo = await job.chunk((ctx) => beginRun(ctx, runId));
  if (!todo) {
    // An attempt that was killed at its end had ended the run.
    const { hasOutput, incumbent, stoppedEarly, errorCode } = await getRun(job, runId);
    if (hasOutput && incumbent) return published(runId, incumbent, stoppedEarly ? "kept" : "done");
    if (errorCode !== null && Object.hasOwn(errors, errorCode)) throw new AppError(errorCode as ErrorCode);
    throw new TaskStopped("cancelled");
  }
  let end: RunEnd | "discarded";
  try {
    end = await watch(job, todo);
  } catch (error) {
    // A run that another worker may take up again is left as it is.
    if (job.signal.aborted || !(error instanceof CalculationFault)) throw error;
    await job.chunk((ctx) => failRun(ctx, runId, { code: "ENGINE_FAULT" }));
    throw error;
  }
  if (end === "discarded" || end.kind === "stopped") throw new TaskStopped("cancelled");
  if (end.kind === "none") {
    const { code, diagnosis, report } = end;
    await job.chunk((ctx) => failRun(ctx, runId, { code, diagnosis, report: report && { ...report, at: ctx.now } }));
    throw new AppError(code);
  }
  const { texts, report, components, stoppedEarly, levels, bounds, provedLevels, warnings, planStart } = end;
  const { gapDus, lateDus, lateDays, makespan } = end;
  const incumbent = { gapDus, lateDus, lateDays, makespan, finishDate: finishOf(planStart, makespan) };
  const bound = levels.findIndex(({ level }) => level === "makespan");
  const kind = await job.chunk((ctx) =>
    publishRun(ctx, runId, {
      texts,
      incumbent,
      bound: bound < 0 ? null : { makespan: bounds[bound] as number },
      levels: levels.map((level, at) => ({ ...level, bound: bounds[at] ?? null, exact: at < provedLevels })),
      warnings,
      evaluations: { total: components.reduce((sum, { done }) => sum + done.reduce((all, own) => all + own, 0), 0), components },
      report: { ...report, at: ctx.now },
      stoppedEarly,
    }),
  );
  if (!kind) throw new TaskStopped("cancelled");
  return published(runId, incumbent, kind);
}

/** What the task of a run with a plan tells. */
const published = (runId: number, incumbent: Incumbent, kind: "done" | "kept"): Outcome => ({
  result: { runId, ...incumbent },
  message: { key: `engine-runs.task.${kind}`, args: { lateDus: incumbent.lateDus, gapDus: incumbent.gapDus } },
});

/** The calculation itself broke off, not what surrounds it. */
class CalculationFault extends Error {}

/** Runs the calculation in a thread, tells once a second how far it is, and stops it when somebody asks for it or the task is no longer this worker's. */
async function watch(job: JobCtx, todo: RunToDo): Promise<RunEnd | "discarded"> {
  const { snapshot, baseSnapshot, planStart, startedAt, ...order } = todo;
  const workerData: RunOrder = {
    ...order,
    snapshot: Uint8Array.from(snapshot),
    baseSnapshot: baseSnapshot && Uint8Array.from(baseSnapshot),
    exactFolder: exactFolder(env().DATA_DIR),
  };
  const thread = new Worker(new URL("./planning-engine-run.ts", import.meta.url), { workerData });
  let step: RunStep = { phase: "prepare", percent: 0, evaluations: 0, incumbent: null, bound: null, notes: [] };
  let discarded = false;
  let telling: Promise<void> = Promise.resolve();
  const tell = async () => {
    const { executing, cancelMode } = await tellRun(getSql(), todo.runId, step, presentTime());
    job.progress(Math.floor(step.percent), 100);
    if (!executing || cancelMode === "discard") {
      discarded = true;
      await thread.terminate();
    } else if (cancelMode === "keep_best") thread.postMessage("stop");
  };
  const ticker = setInterval(() => {
    // A sign of life that could not be written is not worth failing the run.
    telling = telling.then(tell).catch(() => {});
  }, progressEveryMs);
  const leave = () => void thread.terminate();
  job.signal.addEventListener("abort", leave, { once: true });
  try {
    const end = await new Promise<RunEnd | null>((resolve, reject) => {
      let last: RunEnd | null = null;
      thread.on("message", (message: RunTelling | RunEnd) => {
        if (message.kind !== "telling") {
          last = message;
          return;
        }
        const { phase, percent, evaluations, levels } = message;
        const incumbent = levels && summary(levels, planStart);
        const at = Math.round((presentTime().getTime() - startedAt.getTime()) / 1000);
        step = { phase, percent, evaluations, incumbent, bound: null, notes: withNotes(step.notes, { at, phase, incumbent }) };
      });
      thread.once("error", (error) => reject(new CalculationFault("the calculation broke off", { cause: error })));
      thread.once("exit", () => resolve(last));
      if (job.signal.aborted) leave();
    });
    if (job.signal.aborted) throw job.signal.reason;
    if (discarded) return "discarded";
    if (!end) throw new CalculationFault("the calculation ended without a word");
    // What was told last is kept, however quick the rest was.
    telling = telling.then(tell).catch(() => {});
    return end;
  } finally {
    clearInterval(ticker);
    await telling;
    job.signal.removeEventListener("abort", leave);
    await thread.terminate();
  }
}

/** The best plan so far in figures; of a re-planning, whose levels are others, only what they say. */
function summary(levels: LevelValues, planStart: string): Incumbent {
  const value = (name: string) => levels.find(({ level }) => level === name)?.value ?? 0;
  const makespan = value("makespan");
  return {
    gapDus: value("gapDus"),
    lateDus: value("lateDus"),
    lateDays: value("lateDays"),
    makespan,
    finishDate: finishOf(planStart, makespan),
  };
}

const finishOf = (planStart: string, makespan: number) => (makespan > 0 ? addDays(planStart, makespan - 1) : null);

import { Worker } from "node:worker_threads";
import { findComponents } from "#lib/planning-engine/components/logic.ts";
import { newIncumbents } from "#lib/planning-engine/incumbents/logic.ts";
import { levelList } from "#lib/planning-engine/levels/logic.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import type { Budget, Run } from "#lib/planning-engine/searches/logic.ts";
import { evaluationsOf, levelsOf, newRun, planOf } from "#lib/planning-engine/solver/logic.ts";
import { openExactStep } from "./planning-engine-exact.ts";
import { type ExactOutcome, proveComponents } from "./planning-engine-exact-components.ts";
import type { ThreadTask } from "./planning-engine-thread.ts";

/** Milliseconds between two looks at how far the threads are. */
const LOOK_MS = 250;

/** How far a run is: evaluations of all threads, and the levels of the best plan so far (null before the first). */
export type Progress = { evaluations: number; levels: number[] | null };

/** A component by its size, and the evaluations of each island in it. */
export type ComponentEffort = { dus: number; jobs: number; done: number[] };

/**
 * Solves a checked problem in threads, while this one stays free. The same plan comes out of any number of threads.
 * @param signal stops the run early; the plan so far is still given
 * @param progress called four times a second at most
 * @param exact folder of the exact step and the seconds it has after the search; a run stopped early goes without. Its proofs are apart from the plan's bounds,
 *   and so are its plans unless they are proved to be the best.
 * @throws Error when a thread fails, or the relations of a flow go round in a circle
 */
export async function solveInThreads(
  problem: Problem,
  budget: Budget,
  threads: number,
  signal: AbortSignal,
  progress: (state: Progress) => void = () => {},
  exact: { folder: string; seconds: number } | null = null,
): Promise<{ exact: ExactOutcome[] | null; plan: Plan | null; evaluations: number; components: ComponentEffort[]; stoppedEarly: boolean }> {
  const { ready } = normalise(problem);
  if (!ready) throw new Error("the relations of a flow go round in a circle");
  const incumbents = newIncumbents(ready, findComponents(ready), levelList(ready).length, budget.islands, true);
  const run: Run = newRun(ready, budget, () => false, incumbents);
  const stop = () => {
    Atomics.store(incumbents.signals, 2, 1);
    Atomics.notify(incumbents.signals, 1);
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const look = setInterval(() => progress({ evaluations: evaluationsOf(run), levels: levelsArray(run) }), LOOK_MS);
  const started: Worker[] = [];
  try {
    await Promise.all(
      Array.from({ length: threads }, (_, thread) => {
        const workerData: ThreadTask = { problem, budget, incumbents, thread, threads };
        const worker = new Worker(new URL("./planning-engine-thread.ts", import.meta.url), { workerData });
        started.push(worker);
        return new Promise<void>((resolve, reject) => {
          worker.once("error", reject);
          worker.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a planning thread ended with ${code}`))));
        });
      }),
    );
  } catch (failure) {
    // The others would wait at a barrier for the one that failed.
    stop();
    await Promise.all(started.map((worker) => worker.terminate()));
    throw failure;
  } finally {
    clearInterval(look);
    signal.removeEventListener("abort", stop);
  }
  const stoppedEarly = incumbents.signals[2] === 1;
  const proofs = exact && !stoppedEarly ? await askExactStep(run, exact, budget.seed, signal) : null;
  const evaluations = evaluationsOf(run);
  progress({ evaluations, levels: levelsArray(run) });
  const components = run.components.map(({ number, dus, jobs }) => ({
    dus: dus.length,
    jobs,
    done: Array.from({ length: budget.islands }, (_, island) => incumbents.done[island * run.components.length + number]!),
  }));
  return { plan: planOf(run), evaluations, components, exact: proofs, stoppedEarly };
}

async function askExactStep(
  run: Run,
  { folder, seconds }: { folder: string; seconds: number },
  seed: number,
  signal: AbortSignal,
): Promise<ExactOutcome[]> {
  const step = openExactStep(folder, seed);
  try {
    return await proveComponents(run, step, seconds, signal);
  } finally {
    await step.end();
  }
}

function levelsArray(run: Run): number[] | null {
  const levels = levelsOf(run);
  return levels ? [...levels] : null;
}

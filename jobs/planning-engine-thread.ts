import { workerData } from "node:worker_threads";
import type { Incumbents } from "#lib/planning-engine/incumbents/logic.ts";
import type { Problem } from "#lib/planning-engine/model/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import type { Budget } from "#lib/planning-engine/searches/logic.ts";
import { newRun, runAll } from "#lib/planning-engine/solver/logic.ts";

/** What a thread of a run is given: it does every search whose number leaves the remainder `thread`. */
export type ThreadTask = { problem: Problem; budget: Budget; incumbents: Incumbents; thread: number; threads: number };

const { problem, budget, incumbents, thread, threads } = workerData as ThreadTask;
const { signals } = incumbents;
const stopped = () => Atomics.load(signals, 2) === 1;

/** Waits for all threads; a stop ends the waiting, for a stopped thread does not come. */
function barrier(): void {
  const times = Atomics.load(signals, 1);
  if (Atomics.add(signals, 0, 1) + 1 === threads) {
    Atomics.store(signals, 0, 0);
    Atomics.add(signals, 1, 1);
    Atomics.notify(signals, 1);
    return;
  }
  while (Atomics.load(signals, 1) === times && !stopped()) Atomics.wait(signals, 1, times, 200);
}

const { ready } = normalise(problem);
if (!ready) throw new Error("a run begins with a problem that was checked");
runAll(
  newRun(ready, budget, (search) => search % threads === thread, incumbents),
  stopped,
  undefined,
  barrier,
);

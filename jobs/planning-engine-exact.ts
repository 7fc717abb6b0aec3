import { Worker } from "node:worker_threads";
import { EXACT_MEGABYTES, EXACT_OVERRUN_SECONDS, EXACT_START_SECONDS } from "#lib/planning-engine/exact-model/limits.ts";
import { type Answer, decodeAnswer, encodeModel, encodeSettings, type Model } from "#lib/planning-engine/exact-model/logic.ts";
import type { ExactFolder, ExactQuestion } from "./planning-engine-exact-thread.ts";

/** Asks one model after the other. What takes longer than it was given, or fails, is "unknown". */
export type ExactStep = {
  /** @param signal ends the solve early */
  solve(model: Model, seconds: number, signal?: AbortSignal): Promise<Answer>;
  end(): Promise<void>;
};

const UNKNOWN: Answer = { status: "unknown", values: [], objective: 0, bound: Number.NEGATIVE_INFINITY, conflict: [] };

/**
 * Opens the exact step: a thread of its own, begun with the first question. It is ended when it takes longer than a question may, and begun anew for the next.
 * @param seed the same question with the same seed is searched the same way, as far as the time lasts
 */
export function openExactStep(folder: string, seed: number): ExactStep {
  let worker: Worker | null = null;
  const end = async () => {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  };
  return {
    async solve(model, seconds, signal) {
      if (signal?.aborted) return UNKNOWN;
      if (!worker) {
        const workerData: ExactFolder = { folder, megabytes: EXACT_MEGABYTES };
        worker = new Worker(new URL("./planning-engine-exact-thread.ts", import.meta.url), { workerData });
        // What happens between two questions is told by the next one.
        worker.on("error", () => {});
        const ready = await nextMessage(worker, EXACT_START_SECONDS, signal);
        if (ready !== "ready") {
          await end();
          return UNKNOWN;
        }
      }
      const question: ExactQuestion = {
        model: encodeModel(model),
        settings: encodeSettings({ seconds, seed, minimises: model.objective !== null }),
      };
      worker.postMessage(question);
      const answer = await nextMessage(worker, seconds + EXACT_OVERRUN_SECONDS, signal);
      if (answer instanceof Uint8Array) return decodeAnswer(answer);
      await end();
      return UNKNOWN;
    },
    end,
  };
}

/** The next message of a thread; null when it ends, takes too long, or the signal comes first. */
function nextMessage(worker: Worker, seconds: number, signal?: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const give = (message: unknown) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      worker.off("message", give);
      worker.off("exit", stop);
      worker.off("error", stop);
      resolve(message);
    };
    const stop = () => give(null);
    const timer = setTimeout(stop, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
    worker.once("message", give);
    worker.once("exit", stop);
    worker.once("error", stop);
  });
}

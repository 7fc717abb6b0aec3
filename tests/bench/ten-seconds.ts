import type { ExactStep } from "#jobs/planning-engine-exact.ts";
import { destructiveBound } from "#lib/planning-engine/destructive-bounds/logic.ts";
import { projectModel } from "#lib/planning-engine/exact-project/logic.ts";
import { searchProject } from "#lib/planning-engine/genetic/logic.ts";
import type { Project } from "#lib/planning-engine/model/logic.ts";

const SECONDS = 10;
/** Schedules before the first proof is tried, and at most. */
const FIRST_SCHEDULES = 10_000;
const MOST_SCHEDULES = 500_000;
/** The exact step gets all the rest of the time in projects of so many jobs, and less by the square of their number. */
const EXACT_JOBS = 36;

/** A schedule, the bound that is known, and what it is known by. */
export type TenSeconds = { start: Int32Array; makespan: number; bound: number; proof: "search" | "refuted" | "exact" | null };

/** Ten seconds of genetic search, own bounds and, where it is installed, exact step, one after the other on one core; less when a proof comes first. */
export async function tenSeconds(project: Project, seed: number, step: ExactStep | null): Promise<TenSeconds> {
  const end = performance.now() + 1000 * SECONDS;
  const left = () => (end - performance.now()) / 1000;
  const first = searchProject(project, FIRST_SCHEDULES, seed, () => left() <= 0);
  let best: TenSeconds = { ...first, proof: first.makespan === first.bound ? "search" : null };
  const refute = () => {
    if (best.makespan === best.bound) return;
    best.bound = Math.max(best.bound, destructiveBound(project, best.makespan));
    if (best.bound === best.makespan) best.proof = "refuted";
  };
  refute();
  const exactly = async (seconds: number) => {
    const until = performance.now() + 1000 * seconds;
    while (step && best.makespan > best.bound) {
      const rest = (until - performance.now()) / 1000;
      if (rest < 0.05) return;
      const { status, values } = await step.solve(projectModel(project, best.makespan - 1), rest);
      if (status === "infeasible") best = { ...best, bound: best.makespan, proof: "exact" };
      else if (status === "optimal" || status === "feasible")
        best = { ...best, start: Int32Array.from(values), makespan: values.at(-1)!, proof: null };
      else return;
    }
    if (best.makespan === best.bound) best.proof ??= "refuted";
  };
  const share = step ? Math.min(1, (EXACT_JOBS / project.durations.length) ** 2) : 0;
  if (share < 1 && best.makespan > best.bound) {
    const searched = left() * (1 - share);
    const until = performance.now() + 1000 * searched;
    const found = searchProject(project, MOST_SCHEDULES, seed, () => performance.now() > until);
    if (found.makespan < best.makespan) {
      best = { ...best, start: found.start, makespan: found.makespan };
      refute();
      if (best.makespan === best.bound) best.proof ??= "refuted";
    }
  }
  await exactly(left());
  return best;
}

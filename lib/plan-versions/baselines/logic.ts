import { isApplicable, type PlanBlock } from "#lib/rollout-plan/plan-rows/logic.ts";

/** Copies the plan dates of one row into its baseline; what does not apply has none. */
export function copyToBaseline(block: PlanBlock, row: number): void {
  const { width, state, planStart, planEnd, baselineStart, baselineEnd } = block;
  for (let at = row * width + 1, end = (row + 1) * width; at < end; at++) {
    const applies = isApplicable(state[at] as number);
    baselineStart[at] = applies ? (planStart[at] as number) : 0;
    baselineEnd[at] = applies ? (planEnd[at] as number) : 0;
  }
}

import { activityStatus, isApplicable, isIncomplete, type PlanBlock } from "#lib/rollout-plan/plan-rows/logic.ts";

/** What a card says of the activities of its DU: the incomplete one whose plan end comes first, how many are late, who has open work. */
export type CardFigures = { next: number | null; delayed: number; ownerSets: number[] };

/** The figures of one row of a block; owner sets by the plan ends of their activities, those without one last. */
export function cardFigures(block: PlanBlock, row: number, today: number): CardFigures {
  const base = row * block.width;
  const open: { slot: number; end: number }[] = [];
  let delayed = 0;
  for (let slot = 1; slot < block.width; slot++) {
    const state = block.state[base + slot] as number;
    const [end, done] = [block.planEnd[base + slot] as number, block.actualEnd[base + slot] as number];
    if (!isApplicable(state) || !isIncomplete(state, done)) continue;
    open.push({ slot, end });
    if (activityStatus(state, end, done, today) === "delayed") delayed++;
  }
  open.sort((a, b) => (a.end || Number.MAX_SAFE_INTEGER) - (b.end || Number.MAX_SAFE_INTEGER) || a.slot - b.slot);
  const sets = open.map(({ slot }) => block.planOwner[base + slot] as number).filter(Boolean);
  return { next: open[0]?.end ? open[0].slot : null, delayed, ownerSets: [...new Set(sets)] };
}

import { addDays } from "#lib/core/clock.ts";

/** How closely the load of teams is shown. */
export const loadGrains = ["week", "month"] as const;
export type LoadGrain = (typeof loadGrains)[number];

/** A column of the load: its key, its first and last day, and the weeks it is made of. */
export type LoadStep = { key: string; from: string; to: string; places: number[] };

/** Weeks, or the months that hold their Wednesdays, so that every week counts once. */
export function loadSteps(weeks: readonly string[], grain: LoadGrain): LoadStep[] {
  const steps: LoadStep[] = [];
  weeks.forEach((from, at) => {
    const to = addDays(from, 6);
    const key = grain === "week" ? from : addDays(from, 3).slice(0, 7);
    const last = steps.at(-1);
    if (last && last.key === key) {
      last.to = to;
      last.places.push(at);
    } else steps.push({ key, from, to, places: [at] });
  });
  return steps;
}

/** Step of the sequential colours for a share, 0 for none to 6 for all. */
export function shareStep(share: number): number {
  return share <= 0 ? 0 : Math.min(6, Math.max(1, Math.ceil(share * 6)));
}

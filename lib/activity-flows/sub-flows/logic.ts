/** Dates of an activity that come from its steps; 0 = empty. */
export type RolledUp = { actualStart: number; actualEnd: number };

/**
 * The actual dates of an activity by the days its steps were done on, 0 where a step is open: it starts with the first step done,
 * and ends with the last once all are.
 */
export function rollUp(days: readonly number[]): RolledUp {
  const done = days.filter((day) => day !== 0);
  if (done.length === 0) return { actualStart: 0, actualEnd: 0 };
  return { actualStart: Math.min(...done), actualEnd: done.length === days.length ? Math.max(...done) : 0 };
}

/** Share of the weights of steps that are done, in percent, rounded down: all of it is reached by the last step only. */
export function progressOf(steps: readonly { weight: number; done: boolean }[]): number {
  // Weights have two decimals; in hundredths their sums are exact.
  const sum = (list: typeof steps) => list.reduce((total, { weight }) => total + Math.round(weight * 100), 0);
  const all = sum(steps);
  return all === 0 ? 0 : Math.floor((sum(steps.filter(({ done }) => done)) * 100) / all);
}

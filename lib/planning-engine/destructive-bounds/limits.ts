/** Rounds of narrowing windows before a makespan counts as not refuted. */
export const NARROWINGS = 20;

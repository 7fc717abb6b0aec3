/** Jobs a conflict may name at most, and placings of a job that are tried to confirm it. */
export const CONFLICT_JOBS = 12;
export const CONFLICT_NODES = 5_000_000;

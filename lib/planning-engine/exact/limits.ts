/** Jobs of a component the exact step is asked about at most. */
export const EXACT_JOBS = 120;

/** Seconds of a question at least: below, it is not worth asking. */
export const LEAST_EXACT_SECONDS = 0.2;

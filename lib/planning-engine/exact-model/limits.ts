/** Memory of the exact step's solver at most, and what its search may hold of it before it gives back. */
export const EXACT_MEGABYTES = 768;
export const EXACT_SEARCH_MEGABYTES = 640;

/** Seconds its thread may take to begin, and to answer after the time of a question is over, before it is ended. */
export const EXACT_START_SECONDS = 20;
export const EXACT_OVERRUN_SECONDS = 1;

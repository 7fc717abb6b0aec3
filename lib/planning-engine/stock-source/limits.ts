/** How long one answer of the other system may take. */
export const stockTimeoutMs = 15_000;
/** Pauses before the second and further tries, and the longest one the other system may ask for. */
export const stockPausesMs: readonly number[] = [500, 2_000, 5_000];
export const stockPauseMaxMs = 30_000;
/** Rows of a page, and of a whole synchronisation. */
export const stockPageRows = 1_000;
export const stockRowsMax = 200_000;
export const cursorChars = 200;

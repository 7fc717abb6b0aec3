/** Batches read at once. */
export const batchPageMax = 100;

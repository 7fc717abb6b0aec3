/** Rows of a plan workbook written in one transaction: each may change hundreds of cells. */
export const planChunkRows = 1_000;

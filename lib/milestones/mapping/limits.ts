/** Cells of the matrix one call writes. */
export const mappingRowsMax = 5000;

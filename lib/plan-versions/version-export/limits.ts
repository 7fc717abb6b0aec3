/** Conditions one export may carry. */
export const exportFiltersMax = 100;
/** DUs read at a time while the workbook is written. */
export const exportSlice = 500;

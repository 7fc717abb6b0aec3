/** Rows that are counted and paged; behind them the filter has to be narrower. */
export const replicationRowsMax = 10_000;

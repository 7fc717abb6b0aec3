/** Log rows that are counted and paged; behind them the filter has to be narrower. */
export const logRowsMax = 10_000;
/** Days a period may span without DUs. */
export const logDaysMax = 366;
/** Activities of a picker. */
export const activitiesMax = 2000;
/** Rows of a batch shown at once. */
export const batchRowsMax = 2000;

/** Minutes a query's result is kept. */
export const queryMinutes = 10;
/** Values a facet offers. */
export const facetMax = 500;
/** Summaries this process keeps, each of some activities over some DUs. */
export const keptSummaries = 200;

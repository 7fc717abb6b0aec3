/** Minutes a query's result is kept. */
export const queryMinutes = 10;
/** Values a facet offers. */
export const facetMax = 500;

/** Longest text of the conditions of a list, decoded [OPS-31]. */
export const filterChars = 3000;
/** Entries a search box takes [OPS-30]. */
export const searchEntriesMax = 500;
/** Fields of search boxes: what is looked for is bounded by its entries, and its characters do not count among those of the conditions. */
export const searchBoxes: ReadonlySet<string> = new Set(["search", "sn", "du"]);
/** Longest text of a search box: its entries of 100 characters each, with what separates them. */
export const searchChars = 51_000;

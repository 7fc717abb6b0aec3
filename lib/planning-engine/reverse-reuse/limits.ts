/** Donors in a row that are promised to a DU without covering anything, before no more are looked for: the parts of a substitute may come from several. */
export const MOST_IDLE = 6;

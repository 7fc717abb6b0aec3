/** Minutes after the end of a batch in which it can be undone. */
export const undoMinutes = 10;

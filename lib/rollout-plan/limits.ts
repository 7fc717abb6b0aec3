/** Largest state of a home page, as JSON text. */
export const stateBytesMax = 65_536;
/** DUs one stored selection may hold. OPS map */
export const selectionDusMax = 5000;
/** Hours a stored selection is kept. */
export const selectionHours = 24;
/** DUs the jump box finds. */
export const quickFindMax = 10;

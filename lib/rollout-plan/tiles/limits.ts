/** DUs of one tile. */
export const tileRowsMax = 200;
/** Columns of one tile besides the plan: attributes of DUs, and those of activities in each unfolded one. */
export const tileColumnsMax = 2000;
/** DUs above which a client is told to load everything anew. */
export const changedDusMax = 2000;
/** Whole tiles a process keeps. */
export const keptTilesMax = 120;
/** Owner sets whose members and names a process keeps. */
export const keptOwnersMax = 5_000;

/** Maps of queries a process keeps. */
export const keptMapsMax = 8;
/** DUs without coordinates that are named. */
export const unlocatedMax = 500;
/** DUs one call describes. */
export const mapDusMax = 200;
/** A degree in the units points travel in. */
export const degree = 1_000_000;

/** Statuses of points: those of a DU, then those only an activity has. A point carries its place in this list. */
export const pointStatuses = [
  "noFlow",
  "notApplicable",
  "completed",
  "notPlanned",
  "delayed",
  "within7",
  "after7",
  "na",
  "inv",
  "closed",
  "approving",
] as const;
export type PointStatus = (typeof pointStatuses)[number];

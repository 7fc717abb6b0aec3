/** Individuals of each population by schedules allowed; between the rows they grow evenly. */
export const populations = [
  { schedules: 0, size: 8 },
  { schedules: 1_000, size: 16 },
  { schedules: 5_000, size: 38 },
  { schedules: 50_000, size: 200 },
  { schedules: 500_000, size: 500 },
] as const;

/** Parents looked at for each mother: the best becomes it. */
export const TOURNAMENT = 3;

/** Of a hundred children, how many are made by a pass with delay: between one that leaves nothing idle and one that follows the list. */
export const DELAYED_PERCENT = 75;

/** Part of the father's list that is crossed over, in per cent, and how many such windows are looked at: the densest is taken. */
export const LEAST_WINDOW_PERCENT = 15;
export const MOST_WINDOW_PERCENT = 50;
export const WINDOWS = 2;

/** One child of so many keeps the father's list but for the window, once there are schedules enough. */
export const INVERSE_OF = 4;
export const INVERSE_OF_SMALL = 2;
export const INVERSE_FROM_SCHEDULES = 3_000;

/** Jobs of a child that are moved within their relations at most; one more for each child in turn of this father that was there already, up to a limit. */
export const MOST_SHIFTS = 1;
/** The same in projects of at most so many jobs: there the same schedules come back sooner, which larger populations and more shifts put off. */
export const SMALL_JOBS = 40;
export const MOST_SHIFTS_SMALL = 4;
export const POPULATION_PERCENT_SMALL = 150;
export const MOST_SHIFTS_AGAIN = 8;

/** Of a hundred children, how many may be one day longer than what they replace, unless that is the best. */
export const LONGER_PERCENT = 5;

/** Generations without any child accepted before all but the best begin anew. */
export const IDLE_GENERATIONS = 6;

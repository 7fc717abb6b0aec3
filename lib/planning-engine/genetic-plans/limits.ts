/** Lists of a population: so many, fewer in components of more jobs than so many, and one more for so many evaluations, up to a limit. */
export const LEAST_LISTS = 14;
export const LARGE_JOBS = 3_000;
export const LEAST_LARGE_LISTS = 4;
export const EVALUATIONS_OF_LIST = 100;
export const MOST_LISTS = 60;

/** Entries of the lists of one island at most, all components together: 48 MB. */
export const MOST_ENTRIES = 12_000_000;

/** A list is scattered by up to twice its length, so that any order can come of it, and by up to so many places in larger components. */
export const SCATTER = 2;
export const MOST_SCATTERED = 600;

/** Lists looked at for each mother: the best becomes it. */
export const TOURNAMENT = 2;

/** Part of the father's list that a child keeps, in per cent. */
export const LEAST_WINDOW_PERCENT = 15;
export const MOST_WINDOW_PERCENT = 50;

/** One child of so many keeps the father's list but for the window. */
export const INVERSE_OF = 4;

/** Jobs of a child that are moved between those they are related to, at most. */
export const MOST_SHIFTS = 2;

/** Generations without any child accepted before all but the best begin anew. */
export const IDLE_GENERATIONS = 6;

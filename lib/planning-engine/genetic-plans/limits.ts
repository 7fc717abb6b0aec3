/** Jobs of a component at most. */
export const GENETIC_JOBS = 300;

/** Lists of a population: so many, and one more for so many evaluations, up to a limit. */
export const LEAST_LISTS = 14;
export const EVALUATIONS_OF_LIST = 100;
export const MOST_LISTS = 60;

/** A list is scattered by up to so many times its length: any order can come of it. */
export const SCATTER = 2;

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

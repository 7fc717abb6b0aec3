/** Evaluations of a component at least. */
export const LEAST_EVALUATIONS = 50;

/** Evaluations by rules of a component whose plans are bred: so many per cent, but no more than so many, however many follow. */
export const RULES_PERCENT = 40;
export const MOST_BY_RULES = 250;

/** Barriers of a run: what components and islands tell one another, they tell at these, which grow as the square of their number. */
export const ROUNDS = 20;

/** Turns a component gets in a round, so that a run stopped early has served all alike. */
export const TURNS = 8;

/** Evaluations of a component at least. */
export const LEAST_EVALUATIONS = 50;

/** Evaluations by rules of a component whose plans are bred: so many per cent, but no more than so many, however many follow. */
export const RULES_PERCENT = 40;
export const MOST_BY_RULES = 250;

/** Places of a list from which a pass can go on instead of beginning anew. */
export const CHECKPOINTS = 8;

/** Barriers of a run: what components and islands tell one another, they tell at these. */
export const ROUNDS = 20;

/** Turns a component gets in a round, so that a run stopped early has served all alike. */
export const TURNS = 8;

/** Evaluations of a component at least. */
export const LEAST_EVALUATIONS = 50;

/** Places of a list from which a pass can go on instead of beginning anew. */
export const CHECKPOINTS = 8;

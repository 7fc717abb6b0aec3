/** Barriers of a run: what components and islands tell one another, they tell at these, which grow as the square of their number. */
export const ROUNDS = 20;

/** Turns a component gets in a round, so that a run stopped early has served all alike. */
export const TURNS = 8;

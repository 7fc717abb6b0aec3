/** How a condition on a field compares. Apart from the schema of lists, so that a screen can read a kept view without it. */
export const filterTypes = ["eq", "in", "like", "range", "preset", "empty", "notEmpty"] as const;
export type FilterType = (typeof filterTypes)[number];

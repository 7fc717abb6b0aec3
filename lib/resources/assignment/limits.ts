/** Farthest distance a rule may ask for, in kilometres. */
export const distanceMax = 99_999.9;
/** Activities one call sets. */
export const activitiesPerCall = 2_000;

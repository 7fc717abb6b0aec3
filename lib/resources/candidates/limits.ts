/** Parts of a score, which together are 100. */
export const scoreParts = { skill: 40, distance: 30, orders: 20, stars: 10 } as const;
/** Distance from which nearness counts nothing, and the one that is taken where it is not known, in kilometres. */
export const farKm = 200;
export const unknownKm = 100;
/** Open orders from which being free counts nothing. */
export const busyOrders = 20;
/** Stars a person has at most, and who has none yet. */
export const starsMax = 5;
export const starsWithout = 3;
/** DUs candidates are looked for at once. */
export const candidateDusMax = 200;
/** Candidates that are named. */
export const candidatesMax = 200;

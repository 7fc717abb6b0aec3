/** Changes one call decides: with all their DUs they are one transaction. */
export const decisionsMax = 20;

/** Activities one call locks, unlocks or marks. */
export const toolLocksMax = 200;

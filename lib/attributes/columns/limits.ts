/** Rows the cursor of attribute columns reads at a time. */
export const columnRows = 2000;
/** What stands in a column of days where there is none; every day number is a day, also 0. */
export const blankDay = -(2 ** 31);

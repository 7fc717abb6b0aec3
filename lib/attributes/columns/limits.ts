/** Rows the cursor of attribute columns reads at a time. */
export const columnRows = 2000;

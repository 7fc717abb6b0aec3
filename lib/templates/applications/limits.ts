/** Rows of a foreign plan that are shown before it is checked. */
export const previewRowsMax = 20;
/** DUs a plan template is applied to at once. */
export const applyDusMax = 200;

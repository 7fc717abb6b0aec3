/** What can become of a template. */
export const templateActs = ["made", "changed", "deleted", "transferred", "shared", "widths"] as const;
export type TemplateAct = (typeof templateActs)[number];
/** Rows that are counted and paged; behind them the filter has to be narrower. */
export const templateLogRowsMax = 10_000;
/** Characters of a cell that names changes: what a cell of a workbook takes. */
export const detailChars = 32_767;

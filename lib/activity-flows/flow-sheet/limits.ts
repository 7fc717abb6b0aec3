/** Version of the form of the workbook. */
export const flowSheetVersion = 1;

/** Flows one workbook may hold, in either direction. */
export const sheetFlowsMax = 100;
/** Rows of one imported workbook: it is checked and written as a whole. */
export const sheetRowsMax = 10_000;
/** Highest number a row may carry; numbers need not be consecutive. */
export const rowNumberMax = 99_999;

/** What a row says of its activity besides its place and name. */
export const sheetFlags = ["isAnchor", "isMilestone", "needDeliverable", "needApproval", "naNeedsApproval", "docPdMayCancelNa"] as const;
export type SheetFlag = (typeof sheetFlags)[number];

/** Columns of the workbook: a row is an activity of a flow; `remove` takes it out. */
export const sheetColumns = ["flow", "no", "code", "name", "leadTimeDays", "predecessors", ...sheetFlags, "remove"] as const;
export type SheetColumn = (typeof sheetColumns)[number];

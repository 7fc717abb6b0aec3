/** Version of the form of the workbook. */
export const calendarSheetVersion = 1;

/** What a row of the workbook says of its day: nobody works, or people do. */
export const dayKinds = ["off", "work"] as const;
export type DayKind = (typeof dayKinds)[number];

/** Columns of the workbook: a row names a weekday or a single day. */
export const sheetColumns = ["weekday", "day", "kind", "name"] as const;
export type SheetColumn = (typeof sheetColumns)[number];

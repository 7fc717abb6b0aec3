/** Mails whose words a project may choose; where it has not, the standard text is sent. */
export const templateKinds = [
  "DIGEST",
  "CHANGE_ACT_DATE",
  "CHANGE_COL_VALUE",
  "ACT_DEVIATION",
  "ACTUAL_TIME",
  "DOC_PUBLISH",
  "DOC_CHANGE",
  "DEVIATION",
  "RFI",
  "RFI_EXCEPTION",
  "DU_NOTIFICATION",
] as const;
export type TemplateKind = (typeof templateKinds)[number];

/** Words in curly brackets that stand for what a mail tells of. `table` stands on a line of its own. */
export const placeholders = ["duCode", "duName", "activity", "field", "old", "new", "days", "project", "table"] as const;
export type Placeholder = (typeof placeholders)[number];

/** Longest subject and text, in characters. */
export const templateSubjectChars = 200;
export const templateBodyChars = 4_000;
/** Rows of a table inside a mail; its workbook has all of them. */
export const inlineRowsMax = 200;

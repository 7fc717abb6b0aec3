/** Columns of a workbook of answers that are read. */
export const answerColumns = ["du", "activity", "proposedStart", "proposedEnd", "remark"] as const;
export type AnswerColumn = (typeof answerColumns)[number];

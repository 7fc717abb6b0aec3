import { workbookMime } from "#lib/core/workbook-limits.ts";

/** Tasks of one project that may run at once, whatever the number of workers. */
export const runningPerProject = 2;
/** Times a task is taken before it counts as failed: a killed worker costs one. */
export const attemptLimit = 3;
/** Days the files of a finished task are kept. */
export const fileDays = 30;
/** Hours an uploaded file waits for the call that uses it. */
export const uploadHours = 24;
/** How often an open task page asks again when live events do not arrive. */
export const pollMs = 5_000;
/** Which tasks a list holds. */
export const lists = ["import", "export", "process", "all"] as const;
export type TaskList = (typeof lists)[number];
export const statuses = ["queued", "running", "succeeded", "partial", "failed", "cancelled", "expired"] as const;
/** Files a task can have. */
export const fileParts = ["input", "result", "error"] as const;
export type FilePart = (typeof fileParts)[number];
/** What can be asked for: these, and the marked copy of one of several imported files, which the result of the task names. */
export const sentParts = [...fileParts, "marked"] as const;
export type SentPart = (typeof sentParts)[number];
/** Endings of files that can be uploaded, and how their content begins. OPS-15 */
export const uploadTypes = {
  xlsx: { begins: "zip", mime: workbookMime },
  xlsm: { begins: "zip", mime: "application/vnd.ms-excel.sheet.macroEnabled.12" },
  csv: { begins: "text", mime: "text/csv" },
} as const;
export type UploadType = keyof typeof uploadTypes;
/** Endings every import takes; others only where its kind says so. OPS-15 */
export const commonEndings: readonly UploadType[] = ["xlsx", "xlsm"];

/** Kinds of tasks that would leave something half done when they are cancelled: a worker ends them, also those that have not begun. */
export const tidiedKinds: readonly string[] = ["workOrders.na", "planningEngine.run"];

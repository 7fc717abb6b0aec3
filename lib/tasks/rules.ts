import type { Rule } from "#lib/core/rule.ts";
import type { TaskStatus } from "#lib/core/task.ts";

/** What the rules need to know of a task. */
export type TaskFacts = { status: TaskStatus };

const open: readonly TaskStatus[] = ["queued", "running"];
const repeatable: readonly TaskStatus[] = ["failed", "cancelled"];

/** Only what has not ended can be stopped. */
export const cancelRules: readonly Rule<TaskFacts>[] = [
  { code: "WRONG_STATUS", broken: ({ status }) => (open.includes(status) ? false : { status }) },
];

/** Only what ended without its work can be run again. */
export const retryRules: readonly Rule<TaskFacts>[] = [
  { code: "WRONG_STATUS", broken: ({ status }) => (repeatable.includes(status) ? false : { status }) },
];

/** Only what has ended can be removed from the list. */
export const deleteRules: readonly Rule<TaskFacts>[] = [
  { code: "WRONG_STATUS", broken: ({ status }) => (open.includes(status) ? { status } : false) },
];

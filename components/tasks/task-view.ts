import type { Tone } from "#components/ui/status-tag.tsx";
import type { Filter } from "#lib/core/paging.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";

/** Whether a task has not ended yet. */
export function isOpen(task: Pick<TaskRow, "status">): boolean {
  return task.status === "queued" || task.status === "running";
}

/** Word of a task's state: a running one that was asked to stop is stopping. */
export function stateOf(task: Pick<TaskRow, "status" | "cancelRequested">): TaskRow["status"] | "stopping" {
  return task.status === "running" && task.cancelRequested ? "stopping" : task.status;
}

const tones: Record<TaskRow["status"], Tone> = {
  queued: "neutral",
  running: "info",
  succeeded: "ok",
  partial: "warn",
  failed: "danger",
  cancelled: "neutral",
  expired: "neutral",
};

export function toneOf(task: Pick<TaskRow, "status">): Tone {
  return tones[task.status];
}

/** Milliseconds a task has run or did run; null before it began. */
export function runTime(task: Pick<TaskRow, "startedAt" | "finishedAt">, now: number): number | null {
  if (!task.startedAt) return null;
  const end = task.finishedAt ? new Date(task.finishedAt).getTime() : now;
  return Math.max(0, end - new Date(task.startedAt).getTime());
}

// A guess from the first few percent would jump about.
const leastPercent = 5;

/** Milliseconds a running task still needs at its present speed; null while that is not known. */
export function timeLeft(task: Pick<TaskRow, "status" | "progress" | "startedAt" | "finishedAt">, now: number): number | null {
  const elapsed = runTime(task, now);
  if (task.status !== "running" || elapsed === null || task.progress < leastPercent) return null;
  return (elapsed * (100 - task.progress)) / task.progress;
}

/** Groups of states a list can be narrowed to. */
export const groups = {
  any: [],
  open: ["queued", "running"],
  done: ["succeeded"],
  trouble: ["partial", "failed"],
} as const satisfies Record<string, readonly TaskRow["status"][]>;
export type Group = keyof typeof groups;

/** Filters of the list call. */
export function filtersOf(group: Group, mine: boolean, title = ""): Filter[] {
  const filters: Filter[] = [];
  if (groups[group].length > 0) filters.push({ field: "status", type: "in", values: [...groups[group]] });
  if (title.trim()) filters.push({ field: "title", type: "like", values: [title.trim()] });
  if (mine) filters.push({ field: "mine", type: "eq", values: [true] });
  return filters;
}

import type { SentPart } from "#lib/tasks/limits.ts";

/** Address of a file of a task. */
export const taskFile = (id: string, part: SentPart, project: string): string =>
  `/api/task/file/${id}/${part}?projectNumber=${encodeURIComponent(project)}`;

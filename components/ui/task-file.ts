import type { FilePart } from "#lib/tasks/limits.ts";

/** Address of a file of a task. */
export const taskFile = (id: string, part: FilePart, project: string): string =>
  `/api/task/file/${id}/${part}?projectNumber=${encodeURIComponent(project)}`;

import { longTaskMs, planFileKinds } from "./limits.ts";

export type EndedTask = { kind: string; importKind: string | null; startedAt: Date | null; finishedAt: Date; left: boolean };

/** Whether the end of a task is told by mail: a checked plan file always, anything else when it took long or its person has left. */
export function isMailed({ kind, importKind, startedAt, finishedAt, left }: EndedTask): boolean {
  if (kind === "imports.preview" && importKind !== null && planFileKinds.includes(importKind)) return true;
  return left || (startedAt !== null && finishedAt.getTime() - startedAt.getTime() > longTaskMs);
}

import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { lists, sentParts } from "./limits.ts";

export const TaskId = z.object({ id: z.uuid() });

/** A file of a task; `at` says which of the imported files the marked copy is of. */
export const TaskFile = z.object({ id: z.uuid(), part: z.enum(sentParts), at: z.coerce.number().int().min(0).max(99).default(0) });
export type TaskFile = z.output<typeof TaskFile>;

/** `mine` leaves out the tasks of others for those who may see them. */
export const TaskListInput = z
  .object({ direction: z.enum(lists) })
  .and(listInput({ status: ["eq", "in"], title: ["like"], createdBy: ["eq", "in"], createdAt: ["range"], mine: ["eq"] }, { sortable: [] }));

export const RecordUpload = z.object({
  id: z.uuid(),
  name: z.string().min(1).max(1_000),
  size: z.int().min(0),
  sha256: z.string().length(64),
  mime: z.string().max(120),
});

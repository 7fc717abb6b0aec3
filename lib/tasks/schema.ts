import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { fileParts, lists } from "./limits.ts";

export const TaskId = z.object({ id: z.uuid() });

export const TaskFile = z.object({ id: z.uuid(), part: z.enum(fileParts) });

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

import { z } from "zod";
import { bindDusMax } from "../binding/limits.ts";
import { changeReasonMax } from "../changes/limits.ts";
import { decisionsMax } from "./limits.ts";

const id = z.int().min(1);
const ids = z
  .array(id)
  .refine((given) => given.length > 0, { params: { code: "NO_SELECTION", object: "change" } })
  .transform((given) => [...new Set(given)])
  .refine((given) => given.length <= decisionsMax, { params: { code: "TOO_MANY", max: decisionsMax } });
const comment = z.string().trim().max(changeReasonMax);

export const DecideDuChanges = z.strictObject({ ids, comment: comment.nullish() });
export const RejectDuChanges = z.strictObject({
  ids,
  comment: comment.refine((text) => text !== "", { params: { code: "COMMENT_REQUIRED" } }),
});
export const TransferDuChange = z.strictObject({ changeId: id, toAccount: z.string().trim().min(1).max(100), comment: comment.nullish() });
export const FindTransferApprovers = z.strictObject({ changeId: id });
/** The DUs of the change that is being made. */
export const FindTlApprovers = z.strictObject({ duIds: z.array(id).max(bindDusMax) });

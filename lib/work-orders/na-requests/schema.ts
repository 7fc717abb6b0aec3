import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { orderBatchMax, orderReasonMax } from "../orders/limits.ts";
import { Places, Reason } from "../schema.ts";

const id = z.int().min(1);

export const SetNa = z.strictObject({ ...Places, kind: z.enum(["NA", "INV"]), reason: Reason, approverId: id.optional() });
export const CancelNa = z.strictObject({ ...Places, reason: Reason, approverId: id.optional() });

const ids = z
  .array(id)
  .refine((given) => given.length > 0, { params: { code: "NO_SELECTION", object: "request" } })
  .transform((given) => [...new Set(given)])
  .refine((given) => given.length <= orderBatchMax, { params: { code: "TOO_MANY", max: orderBatchMax } });
export const ApproveNa = z.strictObject({ ids, comment: z.string().trim().max(orderReasonMax).optional() });
export const RejectNa = z.strictObject({
  ids,
  comment: z
    .string()
    .trim()
    .max(orderReasonMax)
    .refine((text) => text !== "", { params: { code: "COMMENT_REQUIRED" } }),
});

/** Requests; `mine` those the caller is to decide or has made. */
export const ListRequests = listInput(
  { status: ["eq", "in"], kind: ["eq", "in"], mine: ["eq"], search: ["like", "in"] },
  { sortable: ["number", "createdAt", "status"] },
);
export const Nothing = z.strictObject({});

/** Parameters of the background task. */
export const NaTask = z.object({ ids: z.array(id).max(orderBatchMax * 500) });
export type NaTask = z.output<typeof NaTask>;

import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { bindDusMax } from "../binding/limits.ts";
import { changeDusMax, changeKinds, changeReasonMax } from "./limits.ts";

const id = z.int().min(1);

const items = z
  .array(z.strictObject({ duId: id, newFlowId: id.nullish() }))
  .refine((given) => given.length > 0, { params: { code: "NO_SELECTION", object: "du" } })
  .refine((given) => given.length <= changeDusMax, { params: { code: "TOO_MANY", max: changeDusMax } })
  .superRefine((given, context) => {
    const seen = new Set<number>();
    given.forEach(({ duId }, at) => {
      if (seen.has(duId)) context.addIssue({ code: "custom", path: [at, "duId"], params: { code: "VALUE_REPEATED" } });
      seen.add(duId);
    });
  });
const asked = { kind: z.enum(changeKinds), items, mappingId: id.nullish() };

/** A change names the new flow of every DU, an unbind of none. */
const flowsFit = (given: { kind: string; items: { newFlowId?: number | null | undefined }[] }, context: z.RefinementCtx) => {
  given.items.forEach(({ newFlowId }, at) => {
    if (given.kind === "change" && newFlowId == null)
      context.addIssue({ code: "custom", path: ["items", at, "newFlowId"], params: { code: "VALUE_MISSING" } });
    if (given.kind === "unbind" && newFlowId != null)
      context.addIssue({ code: "custom", path: ["items", at, "newFlowId"], params: { code: "VALUE_UNKNOWN" } });
  });
};

export const CheckDuChange = z.strictObject(asked).superRefine(flowsFit);
export const SubmitDuChange = z
  .strictObject({
    ...asked,
    reason: z
      .string()
      .trim()
      .max(changeReasonMax)
      .refine((text) => text !== "", { params: { code: "REASON_REQUIRED" } }),
    approverId: id.nullish(),
    tlApproverId: id.nullish(),
  })
  .superRefine(flowsFit);

/** Changes; `mine` those the caller is to decide, `flowId` those from or to a flow. */
export const ListDuChanges = listInput(
  { search: ["like"], status: ["eq", "in"], kind: ["eq", "in"], deliveryType: ["eq", "in"], flowId: ["eq", "in"], mine: ["eq"] },
  { sortable: ["number", "submittedAt", "status"] },
);
export const FindDuChange = z.strictObject({ id: z.coerce.number().pipe(id) });

const duIds = z
  .array(id)
  .min(1)
  .refine((ids) => ids.length <= bindDusMax, { params: { code: "TOO_MANY_DU", max: bindDusMax } })
  .transform((ids) => [...new Set(ids)]);
export const UnbindDus = z.strictObject({ duIds });

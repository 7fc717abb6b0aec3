import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { deleteFlowsMax, deliveryTypeChars, deliveryTypesMax, flowDescriptionChars, flowNameChars } from "./limits.ts";

const id = z.int().min(1);
const rowVersion = z.int().min(1);

/** Head of a flow: a new one without id, else the draft or working copy as it was read. */
export const SaveFlow = z
  .strictObject({
    id: id.optional(),
    name: z.string().trim().min(1).max(flowNameChars),
    description: z.string().trim().max(flowDescriptionChars).nullish(),
    deliveryTypes: z.array(z.string().trim().min(1).max(deliveryTypeChars)).max(deliveryTypesMax).default([]),
    rowVersion: rowVersion.optional(),
  })
  .refine((flow) => flow.id === undefined || flow.rowVersion !== undefined, { path: ["rowVersion"], params: { code: "VALUE_MISSING" } });

export const FindFlow = z.strictObject({ id: z.coerce.number().pipe(id) });
export const EditFlow = z.strictObject({ id });
export const DiscardFlow = z.strictObject({ id, rowVersion: rowVersion.optional() });
export const DeleteFlows = z.strictObject({ ids: z.array(id).min(1).max(deleteFlowsMax) });
export const ChangeFlowStatus = z.strictObject({ id, rowVersion });

export const ListFlows = listInput(
  { name: ["like"], status: ["eq", "in"], deliveryType: ["eq", "in"] },
  { sortable: ["name", "status", "version", "activityCount", "duCount", "updatedAt"] },
);

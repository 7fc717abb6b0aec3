import { z } from "zod";
import { stepNameChars, stepsMax, subFlowNameChars, subFlowStatuses, subFlowsMax, weightDecimals, weightMax } from "./limits.ts";

const id = z.int().min(1);
const smallest = 10 ** -weightDecimals;

export const ListSubFlows = z.strictObject({});

/** A sub-flow with all of its steps in their order; without id a new one. */
export const SaveSubFlow = z
  .strictObject({
    subFlow: z.strictObject({
      id: id.optional(),
      name: z.string().trim().min(1).max(subFlowNameChars),
      status: z.enum(subFlowStatuses).default("active"),
      rowVersion: z.int().min(1).optional(),
    }),
    steps: z
      .array(
        z.strictObject({
          id: id.optional(),
          name: z.string().trim().min(1).max(stepNameChars),
          weight: z.number().min(smallest).max(weightMax).multipleOf(smallest).default(1),
          needDeliverable: z.boolean().default(false),
        }),
      )
      .min(1)
      .max(stepsMax),
  })
  .superRefine(({ subFlow, steps }, context) => {
    if (subFlow.id !== undefined && subFlow.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["subFlow", "rowVersion"], params: { code: "VALUE_MISSING" } });
    const names = new Set<string>();
    const ids = new Set<number>();
    steps.forEach((step, at) => {
      const name = step.name.toLowerCase();
      if (names.has(name)) context.addIssue({ code: "custom", path: ["steps", at, "name"], params: { code: "VALUE_REPEATED" } });
      if (step.id !== undefined && ids.has(step.id))
        context.addIssue({ code: "custom", path: ["steps", at, "id"], params: { code: "VALUE_REPEATED" } });
      names.add(name);
      if (step.id !== undefined) ids.add(step.id);
    });
  });

export const DeleteSubFlows = z.strictObject({ ids: z.array(id).min(1).max(subFlowsMax) });

import { z } from "zod";
import { numberFault } from "#lib/core/number-fault.ts";
import { activityNameChars, durationDaysMax, offsetDaysMax, relations, relationsMax } from "../activity-relations/limits.ts";
import { countMax, inputRowsMax, resourceNameChars, skillTypeChars, workflowNameChars } from "../inputs/limits.ts";

const id = z.int().min(1);
const text = (max: number) =>
  z
    .string()
    .refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } })
    .trim()
    .refine((given) => [...given].length <= max, { params: { code: "VALUE_TOO_LONG", max } });
const required = (max: number) => text(max).refine((given) => given !== "", { params: { code: "VALUE_MISSING" } });
const optional = (max: number) =>
  text(max)
    .transform((given) => given || null)
    .nullish();
const whole = (min: number, max: number) =>
  z.number().superRefine((given, context) => {
    const fault = numberFault(given, { min, max, decimals: 0 });
    if (fault) context.addIssue({ code: "custom", params: { code: fault.code, ...fault.params } });
  });

/** What an activity waits for: never without saying how. */
const predecessor = z
  .strictObject({
    activityName: required(activityNameChars),
    relation: z.enum(relations).nullish(),
    offsetDays: whole(-offsetDaysMax, offsetDaysMax).default(0),
  })
  .superRefine(({ activityName, relation }, context) => {
    if (!relation) context.addIssue({ code: "custom", path: ["relation"], params: { code: "RELATION_REQUIRED", names: activityName } });
  })
  .transform(({ activityName, relation, offsetDays }) => ({ activityName, relation: relation!, offsetDays }));

const names = z
  .array(required(activityNameChars))
  .max(relationsMax)
  .default([])
  .transform((given) => [...new Set(given)]);

/** Activities of workflows; others of the same workflow are called by their names. [ENG-11] */
export const SaveEngineActivities = z.strictObject({
  versionId: id,
  rows: z
    .array(
      z
        .strictObject({
          id: id.optional(),
          rowVersion: z.int().min(1).optional(),
          workflowName: required(workflowNameChars),
          activityName: required(activityNameChars),
          sort: whole(1, countMax).default(1),
          durationDays: whole(0, durationDaysMax),
          materialRelated: z.boolean().default(false),
          needSubcontractor: z.boolean().default(false),
          disassembly: z.boolean().default(false),
          assembly: z.boolean().default(false),
          skillType: optional(skillTypeChars),
          resourceName: optional(resourceNameChars),
          predecessors: z.array(predecessor).max(relationsMax).default([]),
          coResource: names,
          coTeam: names,
        })
        .superRefine((row, context) => {
          const add = (field: string, code: string, more: Record<string, string> = {}) =>
            context.addIssue({ code: "custom", path: [field], params: { code, ...more } });
          if (row.id !== undefined && row.rowVersion === undefined) add("rowVersion", "VALUE_MISSING");
          if (row.needSubcontractor && !row.skillType) add("skillType", "VALUE_MISSING");
          const seen = new Set<string>();
          for (const { activityName } of row.predecessors) {
            if (seen.has(activityName)) add("predecessors", "RELATION_REPEAT", { names: activityName });
            seen.add(activityName);
          }
        }),
    )
    .refine((given) => given.length > 0, { params: { code: "NOTHING_MODIFIED" } })
    .refine((given) => given.length <= inputRowsMax, { params: { code: "TOO_MANY", max: inputRowsMax } }),
});

/** The version whose activities are taken from the flows of its DUs. */
export const TakeFromFlows = z.strictObject({ versionId: id });

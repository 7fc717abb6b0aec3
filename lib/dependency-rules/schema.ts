import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { listInput } from "#lib/core/paging.ts";
import { rulesPerCall, violationDusMax, violationEditsMax } from "./limits.ts";
import { activityEvents, prerequisitesMax, targetsMax } from "./rule-set/limits.ts";
import { eventKey, type ObjectEvent } from "./rule-set/logic.ts";

const id = z.int().min(1);

/** An event of an activity, or an attribute that is filled in [DEP-03]. */
const ObjectNode = z.union([
  z.strictObject({ activityId: id, event: z.enum(activityEvents) }),
  z.strictObject({ attributeId: id, event: z.literal("MAINTAIN") }),
]) satisfies z.ZodType<ObjectEvent>;

const nodes = (max: number, code: "TOO_MANY_TARGETS" | "TOO_MANY_PREREQUISITES") =>
  z
    .array(ObjectNode)
    .min(1)
    .refine((given) => given.length <= max, { params: { code, max }, abort: true })
    .superRefine((given, context) => {
      const seen = new Set<string>();
      given.forEach((node, at) => {
        if (seen.has(eventKey(node))) context.addIssue({ code: "custom", path: [at], params: { code: "VALUE_REPEATED", where: at + 1 } });
        seen.add(eventKey(node));
      });
    });

const draft = {
  /** Without flow the rule holds in every flow that contains its activities. */
  flowId: id.nullable().default(null),
  prerequisites: nodes(prerequisitesMax, "TOO_MANY_PREREQUISITES"),
  targets: nodes(targetsMax, "TOO_MANY_TARGETS"),
};

/** A configuration: one rule is stored for each target [DEP-08]. A rule that is changed has one. */
export const SaveDependencies = z
  .strictObject({
    id: id.optional(),
    rowVersion: z.int().min(1).optional(),
    ...draft,
    /** Last day on which the rules hold. */
    expireDate: z
      .string()
      .refine(isIsoDay, { params: { code: "DATE_FORMAT" } })
      .nullable()
      .default(null),
  })
  .refine((rule) => rule.id === undefined || rule.rowVersion !== undefined, {
    path: ["rowVersion"],
    params: { code: "VALUE_MISSING" },
  })
  .refine((rule) => rule.id === undefined || rule.targets.length === 1, {
    path: ["targets"],
    params: { code: "TOO_MANY_TARGETS", max: 1 },
  });
export type SaveDependencies = z.output<typeof SaveDependencies>;

/** A configuration that is being typed; `id` is the rule it would replace. */
export const CheckLoop = z.strictObject({ draft: z.strictObject({ id: id.optional(), ...draft }) });

export const ChangeDependencies = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(rulesPerCall)
    .transform((given) => [...new Set(given)]),
  confirm: z.literal(true),
});

export const ListDependencies = listInput({ flowId: ["eq"], status: ["eq"], activityId: ["eq"], attributeId: ["eq"] }, { sortable: [] });

/** DUs of a grid with the edits that are not saved yet; only dates and attributes of the DU change anything. */
export const FindViolations = z.strictObject({
  duIds: z.array(id).min(1).max(violationDusMax),
  edits: z
    .array(
      z.object({
        duId: id,
        activityId: id.optional(),
        field: z.string().max(60),
        value: z.union([z.string().max(5000), z.number(), z.boolean(), z.null(), z.array(id).max(1000)]),
      }),
    )
    .max(violationEditsMax)
    .default([]),
});
export type FindViolations = z.output<typeof FindViolations>;

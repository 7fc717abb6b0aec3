import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { listInput } from "#lib/core/paging.ts";
import {
  conditionRowsMax,
  conditionTextChars,
  conditionValuesMax,
  logics,
  operatorNames,
  parenthesesMax,
} from "#lib/plan-rules/conditions/limits.ts";
import type { ConditionRef } from "#lib/plan-rules/conditions/logic.ts";
import {
  actFields,
  actionRowsMax,
  aggregates,
  blankModes,
  descriptionChars,
  eventsMax,
  filtersMax,
  fixedChars,
  frequencies,
  moments,
  offsetMax,
  regionsMax,
  ruleNameChars,
  rulesMax,
  ruleTypes,
  sortMax,
  sourcesMax,
} from "#lib/plan-rules/limits.ts";

const id = z.int().min(1);
const unique = (given: number[]) => [...new Set(given)];
const ids = z.array(id).min(1).max(rulesMax).transform(unique);
const key = z.string().regex(/^a\d{1,15}$/);
const sortNo = z.int().min(1).max(sortMax);
const fieldChars = 40;
const parentheses = z.int().min(0).max(parenthesesMax).default(0);
const day = z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } });

const Act = z.strictObject({ k: z.literal("ACT"), a: id, f: z.enum(actFields), key: key.optional() });
const Attr = z.strictObject({ k: z.literal("ATTR"), key });
const Fixed = z.strictObject({ k: z.literal("FIXED"), value: z.union([z.number(), z.string().trim().min(1).max(fixedChars)]) });
const ConditionObject: z.ZodType<ConditionRef, ConditionRef> = z.union([
  Act,
  Attr,
  z.strictObject({ k: z.literal("DU"), f: z.string().min(1).max(fieldChars) }),
]);

/** One row of the conditions of a rule, as it travels. */
const Condition = z.strictObject({
  open: parentheses,
  object: ConditionObject,
  operator: z.enum(operatorNames),
  values: z
    .array(z.union([z.number(), z.string().trim().max(conditionTextChars)]))
    .max(conditionValuesMax)
    .default([]),
  close: parentheses,
  logic: z.enum(logics).nullable().default(null),
});

/** One row from sources to a target. */
const Action = z.strictObject({
  sources: z
    .array(z.union([Act, Attr, Fixed]))
    .min(1)
    .max(sourcesMax),
  aggregate: z.enum(aggregates).nullable().default(null),
  blanks: z.enum(blankModes).default("REQUIRE_ALL"),
  offset: z.int().min(0).max(offsetMax).default(0),
  target: z.union([Act, Attr]),
  overwrite: z.boolean().default(true),
});

const DuFilter = z.strictObject({
  field: z.string().min(1).max(fieldChars),
  type: z.enum(["eq", "in", "like", "range", "preset", "empty", "notEmpty"]),
  values: z
    .array(z.union([z.string().max(conditionTextChars), z.number()]))
    .max(conditionValuesMax)
    .default([]),
});

const Event = z.strictObject({
  moment: z.enum(moments),
  activityId: id.optional(),
  attributeId: id.optional(),
  docCategory: z.string().trim().min(1).max(ruleNameChars).optional(),
});

/** A rule as it is typed: no region for every region, no place behind the others. */
export const PlanRuleInput = z.strictObject({
  name: z.string().trim().min(1).max(ruleNameChars),
  ruleType: z.enum(ruleTypes),
  flowId: id,
  regionIds: z.array(id).max(regionsMax).default([]).transform(unique),
  duFilter: z.array(DuFilter).max(filtersMax).default([]),
  effectiveAt: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .nullable()
    .default(null),
  expireDate: day.nullable().default(null),
  autoExecute: z.boolean().default(false),
  frequency: z
    .number()
    .refine((hours) => (frequencies as readonly number[]).includes(hours), { params: { code: "VALUE_UNKNOWN" } })
    .nullable()
    .default(null),
  sortNo: sortNo.optional(),
  description: z.string().trim().max(descriptionChars).default(""),
  events: z.array(Event).max(eventsMax).default([]),
  conditions: z.array(Condition).max(conditionRowsMax).default([]),
  actions: z.array(Action).max(actionRowsMax).default([]),
});
export type PlanRuleInput = z.output<typeof PlanRuleInput>;

export const SavePlanRule = PlanRuleInput.extend({ id: id.optional(), rowVersion: z.int().min(1).optional() }).refine(
  (rule) => rule.id === undefined || rule.rowVersion !== undefined,
  { path: ["rowVersion"], params: { code: "VALUE_MISSING" } },
);
export type SavePlanRule = z.output<typeof SavePlanRule>;

export const ListPlanRules = listInput(
  {
    name: ["like"],
    type: ["eq", "in"],
    flow: ["eq", "in"],
    region: ["eq", "in"],
    status: ["eq", "in"],
    auto: ["eq"],
    creator: ["like"],
    target: ["like"],
  },
  { sortable: ["sortNo", "name", "updatedAt"] },
);
export const GetPlanRule = z.strictObject({ id });
/** Rules that are put into force or taken out of it, once the person has confirmed. */
export const SwitchPlanRules = z.strictObject({ ids, confirm: z.literal(true) });
export const DeletePlanRules = z.strictObject({ ids });
export const CopyPlanRule = z.strictObject({ id });
/** Places of rules, each with the one it was read with. */
export const SortPlanRules = z.strictObject({
  items: z
    .array(z.strictObject({ id, sortNo, was: sortNo }))
    .min(1)
    .max(rulesMax),
});
export type SortPlanRules = z.output<typeof SortPlanRules>;
export const CheckRepeated = z.strictObject({ ruleType: z.enum(ruleTypes), rule: PlanRuleInput, excludeId: id.optional() });
/** What rules can look at and fill in a flow. */
export const ListRuleObjects = z.strictObject({ flowId: id.optional() });
export const FindDates = z.strictObject({ flowId: id.optional(), usage: z.enum(["SOURCE", "TARGET", "CONDITION"]).default("SOURCE") });

import { z } from "zod";
import {
  conditionRowsMax,
  conditionTextChars,
  conditionValuesMax,
  logics,
  operatorNames,
  parenthesesMax,
} from "#lib/plan-rules/conditions/limits.ts";
import type { ConditionRef, ConditionRow } from "#lib/plan-rules/conditions/logic.ts";
import { priorityMax, ruleNameChars } from "./limits.ts";

const id = z.int().min(1);
const ids = z
  .array(id)
  .min(1)
  .max(priorityMax)
  .transform((given) => [...new Set(given)]);

const fieldChars = 40;
const parentheses = z.int().min(0).max(parenthesesMax).default(0);

/** What a condition of a flow rule looks at: a DU without flow has no activities. */
const DuObject: z.ZodType<ConditionRef, ConditionRef> = z.union([
  z.strictObject({ k: z.literal("ATTR"), key: z.string().regex(/^a\d{1,15}$/) }),
  z.strictObject({ k: z.literal("DU"), f: z.string().min(1).max(fieldChars) }),
]);

/** One row of the conditions of a rule, as it travels. */
const Condition = z.strictObject({
  open: parentheses,
  object: DuObject,
  operator: z.enum(operatorNames),
  values: z
    .array(z.union([z.number(), z.string().trim().max(conditionTextChars)]))
    .max(conditionValuesMax)
    .default([]),
  close: parentheses,
  logic: z.enum(logics).nullable().default(null),
}) satisfies z.ZodType<ConditionRow>;

export const ListFlowRules = z.strictObject({});

/** A rule as it is typed: without region for every region, without priority behind the others. */
export const FlowRuleInput = z.strictObject({
  name: z.string().trim().min(1).max(ruleNameChars),
  flowId: id,
  regionId: id.nullable().default(null),
  priority: z.int().min(1).max(priorityMax).optional(),
  conditions: z.array(Condition).max(conditionRowsMax).default([]),
});
export type FlowRuleInput = z.output<typeof FlowRuleInput>;

export const SaveFlowRule = FlowRuleInput.extend({ id: id.optional(), rowVersion: z.int().min(1).optional() }).refine(
  (rule) => rule.id === undefined || rule.rowVersion !== undefined,
  { path: ["rowVersion"], params: { code: "VALUE_MISSING" } },
);
export type SaveFlowRule = z.output<typeof SaveFlowRule>;

export const ChangeFlowRules = z.strictObject({ ids });
/** All rules of the project in the order in which they are to decide. */
export const SortFlowRules = z.strictObject({ ids });

import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { listInput } from "#lib/core/paging.ts";
import { conditionRowsMax, conditionTextChars, conditionValuesMax } from "#lib/plan-rules/conditions/limits.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import {
  descriptionChars,
  type FillMode,
  fillModes,
  ruleActivitiesMax,
  ruleFieldNames,
  ruleFlowsMax,
  ruleNameChars,
  ruleOperatorNames,
  rulesPerCall,
  sortNoMax,
} from "./limits.ts";

const id = z.int().min(1);
const distinct = <T>(given: T[]) => [...new Set(given)];
const ids = z.array(id).min(1).max(rulesPerCall).transform(distinct);
const sortNo = z.int().min(1).max(sortNoMax);
const fieldChars = 40;
const accountChars = 100;

/** What is asked of one attribute or field of a DU; the conditions of a rule have to hold together. */
const Condition = z.strictObject({
  object: z.union([
    z.strictObject({ k: z.literal("ATTR"), key: z.string().regex(/^a\d{1,15}$/) }),
    z.strictObject({ k: z.literal("DU"), f: z.string().min(1).max(fieldChars) }),
  ]),
  operator: z.enum(ruleOperatorNames),
  values: z
    .array(z.union([z.number(), z.string().trim().max(conditionTextChars)]))
    .max(conditionValuesMax)
    .default([]),
});
export type ConditionInput = z.output<typeof Condition>;

/** Accounts of people, one to as many as an owner cell holds. */
export const Accounts = z.array(z.string().trim().min(1).max(accountChars)).max(ownersMax);

/** What each fill mode has to say besides its name. */
const needed: Partial<Record<FillMode, "accounts" | "attributeId" | "groupId">> = {
  FIXED: "accounts",
  ATTRIBUTE: "attributeId",
  GROUP_LEADER: "groupId",
};

/** A rule as it is typed: without place behind the others, without activities for all of its flows. `id` and `rowVersion` name the stored one it changes. */
export const SaveOwnerRule = z
  .strictObject({
    id: id.optional(),
    rowVersion: z.int().min(1).optional(),
    name: z.string().trim().min(1).max(ruleNameChars),
    sortNo: sortNo.optional(),
    flowIds: z
      .array(id)
      .max(ruleFlowsMax)
      .refine((given) => given.length > 0, { params: { code: "FLOW_REQUIRED" } })
      .transform(distinct),
    activityIds: z.array(id).max(ruleActivitiesMax).default([]).transform(distinct),
    ownerFields: z.array(z.enum(ruleFieldNames)).min(1).max(ruleFieldNames.length).transform(distinct),
    fillMode: z.enum(fillModes),
    fillValue: z.strictObject({ accounts: Accounts.min(1).optional(), attributeId: id.optional(), groupId: id.optional() }).default({}),
    overwrite: z.boolean().default(false),
    description: z.string().trim().max(descriptionChars).nullable().default(null),
    expireDate: z
      .string()
      .refine(isIsoDay, { params: { code: "DATE_FORMAT" } })
      .nullable()
      .default(null),
    conditions: z.array(Condition).max(conditionRowsMax).default([]),
  })
  .superRefine(({ id: stored, rowVersion, fillMode, fillValue }, context) => {
    if (stored !== undefined && rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
    const key = needed[fillMode];
    if (key && fillValue[key] === undefined)
      context.addIssue({ code: "custom", path: ["fillValue", key], params: { code: "VALUE_MISSING" } });
  });
export type SaveOwnerRule = z.output<typeof SaveOwnerRule>;

export const DeleteOwnerRules = z.strictObject({ ids });
export const SwitchOwnerRules = z.strictObject({ ids, confirm: z.literal(true) });
/** Places of rules in the order in which they decide, each with the one it was read with. */
export const SortOwnerRules = z.strictObject({
  items: z
    .array(z.strictObject({ id, sortNo, was: sortNo }))
    .min(1)
    .max(rulesPerCall),
});
export type SortOwnerRules = z.output<typeof SortOwnerRules>;
export const ListOwnerRules = listInput(
  { name: ["like"], status: ["in", "eq"], fillMode: ["in", "eq"], field: ["in", "eq"], flowId: ["in", "eq"] },
  { sortable: ["sortNo", "name", "status", "expireDate", "updatedAt"] },
);
export const OwnerRuleDetail = z.strictObject({ id: id.optional() });

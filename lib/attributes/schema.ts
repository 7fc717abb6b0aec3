import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { attributeTypes, enumChars, longTextBytes } from "#lib/rollout-plan/columns/limits.ts";
import {
  attributeFlags,
  attributeLevels,
  attributesPerCall,
  classificationChars,
  enumsMax,
  flowsMax,
  nameChars,
  personsMax,
  sortMax,
  sortMin,
} from "./limits.ts";
import { limitFaults, nameFault, remarkFault, tidyLimit } from "./logic.ts";
import { standards } from "./standards/limits.ts";

const id = z.int().min(1);
const distinct = <T>(given: T[]) => [...new Set(given)];
const text = () => z.string().refine((given) => given.isWellFormed() && !given.includes("\0"), { params: { code: "VALUE_FORMAT" } });

/** A name of at most 250 characters without special characters. */
export const AttributeName = text()
  .trim()
  .superRefine((given, context) => {
    const fault = nameFault(given);
    if (fault) context.addIssue({ code: "custom", params: { ...fault.params, code: fault.code } });
  });

/** A sort value from 1 to 10000. */
export const SortNo = z.number().refine((given) => Number.isInteger(given) && given >= sortMin && given <= sortMax, {
  params: { code: "SORT_RANGE", min: sortMin, max: sortMax },
});

const short = (max: number) =>
  text()
    .trim()
    .refine((given) => [...given].length <= max, { params: { code: "VALUE_TOO_LONG", max } });
const long = text()
  .trim()
  .superRefine((given, context) => {
    const fault = remarkFault(given);
    if (fault) context.addIssue({ code: "custom", params: { ...fault.params, code: fault.code } });
  });

/** Text of a choice: 1 to 70 characters. */
export const ChoiceText = short(enumChars).refine((given) => given !== "", { params: { code: "VALUE_MISSING" } });

export const Choice = z.strictObject({
  id: id.optional(),
  value: ChoiceText,
  sortNo: SortNo.optional(),
  active: z.boolean().default(true),
});
export type Choice = z.output<typeof Choice>;

/** Refuses a list in which an active text comes twice. */
export function refuseRepeats(values: readonly { value: string; active?: boolean; parentId?: unknown }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  values.forEach(({ value, active = true, parentId }, index) => {
    const key = `${parentId ?? ""} ${value.toLowerCase()}`;
    if (active && seen.has(key)) context.addIssue({ code: "custom", path: [index, "value"], params: { code: "ENUM_REPEAT", value } });
    if (active) seen.add(key);
  });
}

export const Choices = z.array(Choice).max(enumsMax).superRefine(refuseRepeats);

const bound = z.union([z.number(), short(30)]).nullish();
const Limit = z
  .strictObject({
    min: bound,
    max: bound,
    decimals: z.number().nullish(),
    step: z.number().nullish(),
    maxLength: z.number().nullish(),
    pattern: text().max(longTextBytes).nullish(),
    allowed: z.array(id).max(enumsMax).nullish(),
  })
  .nullish()
  .transform((given) => tidyLimit(given as Parameters<typeof tidyLimit>[0]));

/** An attribute with its choices, flows and people; a change names the id and the revision it was read at. */
export const SaveAttribute = z
  .strictObject({
    id: id.optional(),
    rowVersion: z.int().min(1).optional(),
    name: AttributeName,
    standardName: short(nameChars).nullish(),
    /** The one of the standard library it is a copy of. */
    standardAttributeId: id
      .refine((given) => standards.some((one) => one.id === given), { params: { code: "VALUE_UNKNOWN", value: "" } })
      .nullish(),
    type: z.enum(attributeTypes),
    level: z.enum(attributeLevels).default("DU"),
    classification: short(classificationChars).nullish(),
    valueLimit: Limit,
    duTabId: id.nullish(),
    lookupListId: id.nullish(),
    lookupParentId: id.nullish(),
    required: z.boolean().default(false),
    visibleCustomer: z.boolean().default(false),
    visibleSubcon: z.boolean().default(false),
    editableSubcon: z.boolean().default(false),
    mobileDisplay: z.boolean().default(false),
    inRolloutPlan: z.boolean().default(false),
    defaultValue: long.nullish(),
    projectDefaultValue: long.nullish(),
    editablePersonControl: z.boolean().default(false),
    sortNo: SortNo.optional(),
    remark: long.nullish(),
    custom: z.boolean().default(false),
    enums: Choices.default([]),
    flowIds: z.array(id).max(flowsMax).transform(distinct).default([]),
    users: z
      .array(z.strictObject({ userId: id, mode: z.enum(["RO", "RW"]) }))
      .max(personsMax)
      .default([]),
    editablePersonIds: z.array(id).max(personsMax).transform(distinct).default([]),
    /** The values stored under the old type may be cleared. */
    clearValues: z.boolean().default(false),
  })
  .superRefine((given, context) => {
    const missing = (path: string) => context.addIssue({ code: "custom", path: [path], params: { code: "VALUE_MISSING", field: path } });
    if (given.id !== undefined && given.rowVersion === undefined) missing("rowVersion");
    for (const { key, fault } of limitFaults(given.type, given.valueLimit ?? {}))
      context.addIssue({ code: "custom", path: ["valueLimit", key], params: { ...fault.params, code: fault.code } });
    if (given.level === "TAB" && !given.duTabId) missing("duTabId");
    if (given.level === "ACTIVITY" && given.duTabId)
      context.addIssue({ code: "custom", path: ["duTabId"], params: { code: "VALUE_UNKNOWN", value: given.duTabId } });
    if (given.level === "TAB" && given.inRolloutPlan)
      context.addIssue({ code: "custom", path: ["inRolloutPlan"], params: { code: "VALUE_UNKNOWN", value: "true" } });
    if (given.type === "LOOKUP_ENUM" && !given.lookupListId) missing("lookupListId");
    if (given.editablePersonControl && given.editablePersonIds.length === 0) missing("editablePersonIds");
    const people = given.users.map(({ userId }) => userId);
    people.forEach((userId, index) => {
      if (people.indexOf(userId) !== index)
        context.addIssue({ code: "custom", path: ["users", index, "userId"], params: { code: "VALUE_REPEATED" } });
    });
  })
  // Who may edit also sees.
  .transform((given) => ({ ...given, visibleSubcon: given.visibleSubcon || given.editableSubcon }));
export type SaveAttribute = z.output<typeof SaveAttribute>;

export const AttributeIds = z.strictObject({ ids: z.array(id).min(1).max(attributesPerCall).transform(distinct) });
export type AttributeIds = z.output<typeof AttributeIds>;
export const AttributeId = z.strictObject({ id });
/** Sort values of attributes, each with the one it was read with. */
export const SaveSort = z.strictObject({
  items: z
    .array(z.strictObject({ id, sortNo: SortNo, was: SortNo }))
    .min(1)
    .max(attributesPerCall),
});
export type SaveSort = z.output<typeof SaveSort>;
export const SetFlags = z.strictObject({
  ids: AttributeIds.shape.ids,
  flags: z
    .partialRecord(z.enum(attributeFlags), z.boolean())
    .refine((given) => Object.keys(given).length > 0, { params: { code: "VALUE_MISSING" } }),
});
export type SetFlags = z.output<typeof SetFlags>;
export const ApplyDefault = z.strictObject({ id, confirm: z.literal(true) });
/** What the task of a default keeps. */
export const ApplyParams = z.strictObject({ id });
export type ApplyParams = z.output<typeof ApplyParams>;

export const AttributeInfo = z.strictObject({
  ids: z.array(id).max(attributesPerCall).optional(),
  level: z.enum(attributeLevels).optional(),
  duTabId: id.optional(),
  flowId: id.optional(),
  inRolloutPlan: z.boolean().optional(),
});
export type AttributeInfo = z.output<typeof AttributeInfo>;
export const NamedAttributes = z.strictObject({ attributeIds: z.array(id).min(1).max(attributesPerCall), duId: id.optional() });
export type NamedAttributes = z.output<typeof NamedAttributes>;

const flagTypes = Object.fromEntries(attributeFlags.map((flag) => [flag, ["eq"] as const]));
export const ListAttributes = listInput(
  {
    name: ["like"],
    standardName: ["like"],
    type: ["in", "eq"],
    classification: ["in", "eq", "like"],
    level: ["in", "eq"],
    duTab: ["in", "eq"],
    flow: ["in", "eq"],
    custom: ["eq"],
    default: ["like"],
    sortNo: ["range"],
    used: ["eq"],
    updatedBy: ["in", "eq"],
    updatedAt: ["range"],
    ...flagTypes,
  },
  { sortable: ["name", "type", "classification", "sortNo", "updatedAt"] },
);

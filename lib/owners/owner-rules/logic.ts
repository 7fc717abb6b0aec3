import type { ConfigRef } from "#lib/attributes/config-refs/logic.ts";
import type { ObjectType, Operator } from "#lib/plan-rules/conditions/limits.ts";
import {
  type ConditionFault,
  type ConditionObjects,
  type ConditionRef,
  type ConditionRow,
  conditionFaults,
  conditionRefs,
  refKey,
} from "#lib/plan-rules/conditions/logic.ts";
import { type FillMode, type InvalidReason, type RuleOperator, ruleOperators } from "./limits.ts";

/** What a rule asks of one attribute or field of a DU. */
export type OwnerCondition = { object: Exclude<ConditionRef, { k: "ACT" }>; operator: RuleOperator; values: (string | number)[] };
/** The same with the type its object had when it was written. */
export type TypedCondition = OwnerCondition & { type: ObjectType };
/** Where the people of a rule come from. */
export type FillValue = { userIds?: number[]; attributeId?: number; groupId?: number };

const plain: Record<RuleOperator, Operator> = { IN: "in", NOT_IN: "notIn", EQ: "eq", IS_EMPTY: "isEmpty", IS_NOT_EMPTY: "isNotEmpty" };

/** The conditions as rows of the general form, all of them joined by AND. */
export function conditionRows(conditions: readonly (OwnerCondition & { type?: ObjectType })[]): ConditionRow[] {
  return conditions.map(({ object, operator, values, type }, at) => ({
    open: 0,
    object,
    // A choice is one of some, even where it is one.
    operator: operator === "EQ" && type === "choice" ? "in" : plain[operator],
    values,
    close: 0,
    logic: at === conditions.length - 1 ? null : "AND",
  }));
}

/** Faults of conditions that cannot be stored. @param most values one may name */
export function ownerConditionFaults(conditions: readonly OwnerCondition[], objects: ConditionObjects, most: number): ConditionFault[] {
  const faults: ConditionFault[] = [];
  conditions.forEach(({ object, operator, values }, row) => {
    const type = objects.get(refKey(object))?.type;
    if (type && !(ruleOperators[type] as readonly string[]).includes(operator))
      faults.push({ row, part: "operator", code: "VALUE_UNKNOWN", params: { field: "operator", value: operator } });
    else if (operator === "EQ" && values.length > 1) faults.push({ row, part: "values", code: "TOO_MANY", params: { max: 1 } });
  });
  if (faults.length > 0) return faults;
  const rows = conditionRows(conditions.map((condition) => ({ ...condition, ...typeOf(condition, objects) })));
  // A text that is none of some is judged as one that is one of them.
  const judged = rows.map((row): ConditionRow => (row.operator === "notIn" ? { ...row, operator: "in" } : row));
  return conditionFaults(judged, objects, most);
}

const typeOf = ({ object }: OwnerCondition, objects: ConditionObjects): { type?: ObjectType } => {
  const type = objects.get(refKey(object))?.type;
  return type ? { type } : {};
};

/** What an owner rule rests on, as it is now. */
export type OwnerRuleFacts = {
  today: string;
  flows: ReadonlyMap<number, { name: string; released: boolean }>;
  activities: ReadonlyMap<number, { name: string; valid: boolean }>;
  regions: ReadonlyMap<number, { name: string; valid: boolean }>;
  attributes: ReadonlyMap<string, { name: string; type: ObjectType; shown: boolean; deleted: boolean }>;
  groups: ReadonlyMap<number, string>;
};

/** One thing that keeps a rule from being enabled, with its name. */
export type OwnerRuleFault = { reason: Exclude<InvalidReason, "DISABLED">; name: string };

type Judged = {
  flowIds: readonly number[];
  activityIds: readonly number[];
  fillMode: FillMode;
  fillValue: FillValue;
  expireDate: string | null;
  conditions: readonly TypedCondition[];
};

/** Everything that keeps a rule from being in force. */
export function ownerRuleFaults(rule: Judged, facts: OwnerRuleFacts): OwnerRuleFault[] {
  const faults: OwnerRuleFault[] = [];
  const add = (reason: OwnerRuleFault["reason"], name: string) => {
    if (!faults.some((fault) => fault.reason === reason && fault.name === name)) faults.push({ reason, name });
  };
  if (rule.expireDate !== null && rule.expireDate < facts.today) add("EXPIRED", rule.expireDate);
  for (const id of rule.flowIds) {
    const flow = facts.flows.get(id);
    if (!flow?.released) add("FLOW_INVALID", flow?.name ?? String(id));
  }
  for (const id of rule.activityIds) {
    const activity = facts.activities.get(id);
    if (!activity?.valid) add("ACTIVITY_INVALID", activity?.name ?? String(id));
  }
  for (const id of regionsOf(rule.conditions)) {
    const region = facts.regions.get(id);
    if (!region?.valid) add("REGION_INVALID", region?.name ?? String(id));
  }
  const used: { key: string; type: ObjectType }[] = rule.conditions.flatMap(({ object, type }) =>
    object.k === "ATTR" ? [{ key: refKey(object), type }] : [],
  );
  if (rule.fillMode === "ATTRIBUTE") used.push({ key: `a${rule.fillValue.attributeId}`, type: "text" });
  for (const { key, type } of used) {
    const attribute = facts.attributes.get(key);
    if (!attribute || attribute.deleted) add("ATTRIBUTE_INVALID", attribute?.name ?? key);
    else if (!attribute.shown) add("ATTRIBUTE_NOT_DISPLAYED", attribute.name);
    else if (attribute.type !== type) add("ATTRIBUTE_TYPE_CHANGED", attribute.name);
  }
  const { groupId } = rule.fillValue;
  if (rule.fillMode === "GROUP_LEADER" && !facts.groups.has(groupId ?? 0)) add("GROUP_INVALID", String(groupId));
  return faults;
}

/** Regions that conditions name. */
export function regionsOf(conditions: readonly Pick<OwnerCondition, "object" | "values">[]): number[] {
  return [...new Set(conditions.flatMap(({ object, values }) => (object.k === "DU" && object.f === "region" ? values.map(Number) : [])))];
}

/** What a rule names, for the index of references. */
export function ownerRuleRefs(rule: Omit<Judged, "expireDate">, objects: ConditionObjects): ConfigRef[] {
  return [
    ...rule.flowIds.map((id): ConfigRef => ({ kind: "FLOW", id, usage: "CONDITION" })),
    ...rule.activityIds.map((id): ConfigRef => ({ kind: "ACTIVITY", id, usage: "TARGET" })),
    ...(rule.fillMode === "ATTRIBUTE" ? [{ kind: "ATTRIBUTE" as const, id: rule.fillValue.attributeId!, usage: "SOURCE" as const }] : []),
    ...conditionRefs(conditionRows(rule.conditions), objects),
  ];
}

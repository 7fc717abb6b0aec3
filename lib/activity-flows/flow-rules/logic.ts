import type { ObjectType } from "#lib/plan-rules/conditions/limits.ts";
import { type ConditionRef, refKey } from "#lib/plan-rules/conditions/logic.ts";
import type { InvalidReason } from "./limits.ts";

/** A condition row with the type its object had when it was written. */
type TypedRow = {
  object: ConditionRef;
  operator: string;
  values: readonly (string | number)[];
  type: ObjectType;
};

/** What a rule rests on, as it is now. */
export type RuleFacts = {
  flows: ReadonlyMap<number, { name: string; released: boolean }>;
  regions: ReadonlyMap<number, { name: string; valid: boolean }>;
  attributes: ReadonlyMap<string, { name: string; type: ObjectType; shown: boolean; deleted: boolean }>;
};

/** One thing that keeps a rule from being enabled, with its name. */
export type RuleFault = { reason: Exclude<InvalidReason, "DISABLED">; name: string };

/** Everything that keeps a rule from being in force: its flow, its regions, and the attributes its conditions look at. */
export function ruleFaults(
  rule: { flowId: number; regionId: number | null; conditions: readonly TypedRow[] },
  facts: RuleFacts,
): RuleFault[] {
  const faults: RuleFault[] = [];
  const add = (reason: RuleFault["reason"], name: string) => {
    if (!faults.some((fault) => fault.reason === reason && fault.name === name)) faults.push({ reason, name });
  };
  const flow = facts.flows.get(rule.flowId);
  if (!flow?.released) add("FLOW_INVALID", flow?.name ?? String(rule.flowId));
  for (const id of regionsOf(rule)) {
    const region = facts.regions.get(id);
    if (!region?.valid) add("REGION_INVALID", region?.name ?? String(id));
  }
  for (const { object, type } of rule.conditions) {
    if (object.k !== "ATTR") continue;
    const key = refKey(object);
    const attribute = facts.attributes.get(key);
    if (!attribute || attribute.deleted) add("ATTRIBUTE_INVALID", attribute?.name ?? key);
    else if (!attribute.shown) add("ATTRIBUTE_NOT_DISPLAYED", attribute.name);
    else if (attribute.type !== type) add("ATTRIBUTE_TYPE_CHANGED", attribute.name);
  }
  return faults;
}

/** The regions a rule names: its own and those of its conditions. */
export function regionsOf({
  regionId,
  conditions,
}: {
  regionId: number | null;
  conditions: readonly Pick<TypedRow, "object" | "values">[];
}): number[] {
  const named = conditions.flatMap(({ object, values }) => (object.k === "DU" && object.f === "region" ? values.map(Number) : []));
  return [...new Set([...(regionId === null ? [] : [regionId]), ...named])];
}

import type { TargetKind } from "#lib/attributes/config-refs/limits.ts";
import type { ConfigRef } from "#lib/attributes/config-refs/logic.ts";
import type { ObjectType } from "#lib/plan-rules/conditions/limits.ts";
import { type ConditionRow, parseConditions, refKey, sentenceOf, structureFaults } from "#lib/plan-rules/conditions/logic.ts";
import type { AttributeType } from "#lib/rollout-plan/columns/limits.ts";
import { type Canonical, canonicalValue, type ValueLimit } from "#lib/rollout-plan/columns/logic.ts";
import {
  type ActField,
  type Aggregate,
  actDates,
  type BlankMode,
  type InvalidReason,
  type Moment,
  type RuleStatus,
  type RuleType,
  type ValueKind,
} from "./limits.ts";

/** A field of an activity; `ATTR` with the key of an attribute of activities. */
export type ActRef = { k: "ACT"; a: number; f: ActField; key?: string | undefined };
/** A field a rule fills: a date of an activity, or an attribute. */
export type FieldRef = ActRef | { k: "ATTR"; key: string };
export type SourceRef = FieldRef | { k: "FIXED"; value: string | number };

/** One row from sources to a target. */
export type RuleAction = {
  sources: SourceRef[];
  aggregate: Aggregate | null;
  blanks: BlankMode;
  offset: number;
  target: FieldRef;
  overwrite: boolean;
};

export type RuleEvent = {
  moment: Moment;
  activityId?: number | undefined;
  attributeId?: number | undefined;
  docCategory?: string | undefined;
};
export type DuFilter = { field: string; type: string; values: (string | number)[] };
export type TypedCondition = ConditionRow & { type: ObjectType };

/** A rule as it is stored. */
export type PlanRule = {
  id: number;
  name: string;
  ruleType: RuleType;
  flowId: number;
  regionIds: number[];
  duFilter: DuFilter[];
  status: RuleStatus;
  invalidReason: InvalidReason | null;
  events: RuleEvent[] | null;
  sinceSeq: number;
  effectiveAt: Date | null;
  expireDate: string | null;
  autoExecute: boolean;
  frequency: number | null;
  /** Wall clock of the project at the slot that ran last, in UTC fields. */
  lastSlot: Date | null;
  nextRunAt: Date | null;
  sortNo: number;
  description: string | null;
  rowVersion: number;
  createdBy: number;
  createdAt: Date;
  conditions: TypedCondition[];
  actions: (RuleAction & { types: Record<string, AttributeType> })[];
};

const kinds: Record<AttributeType, ValueKind> = {
  DATE: "day",
  DATETIME: "datetime",
  TIME: "time",
  NUMBER: "number",
  ENUM: "enum",
  LOOKUP_ENUM: "enum",
  TEXT: "text",
  LONG_TEXT: "text",
  TEXT_AREA: "text",
  READ_ONLY: "text",
};

/** What the values of an attribute are, for rules. */
export function valueKind(type: AttributeType): ValueKind {
  return kinds[type];
}

/** What values of an attribute are judged by. */
export type ValueForm = { type: AttributeType; limit: ValueLimit | null; enums: readonly { id: number; value: string; active: boolean }[] };

/** The value in the form an attribute stores it, or what is wrong with it. Texts that only the system fills take any text. */
export function storedValue({ type, limit, enums }: ValueForm, value: string | number): Canonical {
  const enumIds = enums.filter(({ active }) => active).map(({ id }) => id);
  return canonicalValue({ type: type === "READ_ONLY" ? "TEXT" : type, limit, enumIds }, value);
}

/** Key of a field: `act.7.PLAN_END`, `act.7.a40`, `a12`. */
export function fieldKey(ref: FieldRef): string {
  return refKey(ref);
}

/** Key of the attribute a field is, or null for a date of the plan. */
export function attributeOf(ref: SourceRef): string | null {
  if (ref.k === "ATTR") return ref.key;
  return ref.k === "ACT" && ref.f === "ATTR" ? (ref.key ?? null) : null;
}

/** Id of an attribute by its key. */
export function attributeId(key: string): number {
  return Number(key.slice(1));
}

/** Whether a field is a date of the plan. */
export function isPlanDate(ref: SourceRef): ref is ActRef {
  return ref.k === "ACT" && (actDates as readonly string[]).includes(ref.f);
}

/** Whether a rule over regions and one over others could meet: none means every region. */
export function regionsOverlap(one: readonly number[], other: readonly number[]): boolean {
  return one.length === 0 || other.length === 0 || one.some((id) => other.includes(id));
}

type Edge = { from: string; to: string };

/** What each rule reads to fill what: one edge per source and target. */
export function ruleEdges(actions: readonly Pick<RuleAction, "sources" | "target">[]): Edge[] {
  return actions.flatMap(({ sources, target }) =>
    sources.flatMap((source) => (source.k === "FIXED" ? [] : [{ from: fieldKey(source), to: fieldKey(target) }])),
  );
}

/**
 * A circle that the edges of a rule would close with those of others: the fields on it, the first one again at the end; null when there is none.
 * [RUL-25]
 */
export function findLoop(own: readonly Edge[], others: readonly Edge[]): string[] | null {
  const next = new Map<string, string[]>();
  for (const { from, to } of [...own, ...others]) next.set(from, [...(next.get(from) ?? []), to]);
  for (const { from, to } of own) {
    const path = pathBetween(next, to, from);
    if (path) return [from, ...path];
  }
  return null;
}

function pathBetween(next: ReadonlyMap<string, readonly string[]>, start: string, goal: string): string[] | null {
  const before = new Map<string, string | null>([[start, null]]);
  const waiting = [start];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (at === goal) {
      const path: string[] = [];
      for (let node: string | null = at; node !== null; node = before.get(node) ?? null) path.unshift(node);
      return path;
    }
    for (const to of next.get(at) ?? []) {
      if (before.has(to)) continue;
      before.set(to, at);
      waiting.push(to);
    }
  }
  return null;
}

type Compared = Pick<PlanRule, "ruleType" | "flowId" | "regionIds"> & {
  duFilter: readonly DuFilter[];
  events: readonly RuleEvent[] | null;
  conditions: readonly ConditionRow[];
  actions: readonly RuleAction[];
};

/** Whether two rules say the same: type, flow, conditions and rows, over regions that overlap. [RUL-26] */
export function isSameRule(one: Compared, other: Compared): boolean {
  return (
    one.ruleType !== "ORG_TARGET" &&
    one.ruleType === other.ruleType &&
    one.flowId === other.flowId &&
    regionsOverlap(one.regionIds, other.regionIds) &&
    said(one) === said(other)
  );
}

function said({ duFilter, events, conditions, actions }: Compared): string {
  const sorted = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  const many = (operator: string) => operator === "in" || operator === "notIn";
  return JSON.stringify([
    sorted(duFilter.map(({ field, type, values }) => [field, type, sorted(values.map(String))])),
    sorted(
      (events ?? []).map(({ moment, activityId, attributeId: attribute, docCategory }) => [moment, activityId, attribute, docCategory]),
    ),
    conditions.map(({ open, object, operator, values, close, logic }) => [
      open,
      refKey(object),
      operator,
      many(operator) ? sorted(values.map(String)) : values.map(String),
      close,
      logic,
    ]),
    sorted(
      actions.map(({ sources, aggregate, offset, target }) => [
        sorted(sources.map((source) => (source.k === "FIXED" ? ["FIXED", source.value] : fieldKey(source)))),
        aggregate,
        offset,
        fieldKey(target),
      ]),
    ),
  ]);
}

/** What a rule rests on, as it is now. */
export type RuleFacts = {
  flows: ReadonlyMap<number, { name: string; released: boolean; activities: ReadonlySet<number> }>;
  regions: ReadonlyMap<number, { name: string; valid: boolean }>;
  activities: ReadonlyMap<number, { name: string; valid: boolean; milestone: boolean }>;
  /** By key; `choice` is the type a condition asks by, `type` the one of its values. */
  attributes: ReadonlyMap<string, { name: string; choice: ObjectType; type: AttributeType; shown: boolean; deleted: boolean }>;
  /** The project's day. */
  today: string;
};

/** One thing that keeps a rule from being in force, with its name. */
export type RuleFault = { reason: Exclude<InvalidReason, "DISABLED">; name: string };

type Judged = Pick<PlanRule, "flowId" | "regionIds" | "duFilter" | "expireDate" | "events"> & {
  conditions: readonly TypedCondition[];
  actions: readonly (RuleAction & { types: Record<string, AttributeType> })[];
};

/** Everything that keeps a rule from being in force. [RUL-06] */
export function ruleFaults(rule: Judged, facts: RuleFacts): RuleFault[] {
  const faults: RuleFault[] = [];
  const add = (reason: RuleFault["reason"], name: string) => {
    if (!faults.some((fault) => fault.reason === reason && fault.name === name)) faults.push({ reason, name });
  };
  if (rule.expireDate !== null && rule.expireDate < facts.today) add("EXPIRED", rule.expireDate);
  const flow = facts.flows.get(rule.flowId);
  if (!flow?.released) add("FLOW_INVALID", flow?.name ?? String(rule.flowId));
  for (const id of regionsOf(rule)) {
    const region = facts.regions.get(id);
    if (!region?.valid) add("REGION_INVALID", region?.name ?? String(id));
  }
  for (const id of activitiesOf(rule)) {
    const activity = facts.activities.get(id);
    if (!activity?.valid || (flow && !flow.activities.has(id)))
      add(activity?.milestone ? "MILESTONE_INVALID" : "ACTIVITY_INVALID", activity?.name ?? String(id));
  }
  const judge = (key: string, changed: (attribute: { choice: ObjectType; type: AttributeType }) => boolean) => {
    const attribute = facts.attributes.get(key);
    if (!attribute || attribute.deleted) add("ATTRIBUTE_INVALID", attribute?.name ?? key);
    else if (!attribute.shown) add("ATTRIBUTE_NOT_DISPLAYED", attribute.name);
    else if (changed(attribute)) add("ATTRIBUTE_TYPE_CHANGED", attribute.name);
  };
  for (const { object, type } of rule.conditions) {
    const key = object.k === "DU" ? null : attributeOf(object as FieldRef);
    if (key !== null) judge(key, (attribute) => attribute.choice !== type);
  }
  for (const { types } of rule.actions) for (const [key, type] of Object.entries(types)) judge(key, (attribute) => attribute.type !== type);
  for (const { attributeId: id } of rule.events ?? []) if (id !== undefined) judge(`a${id}`, () => false);
  return faults;
}

type Naming = Pick<PlanRule, "events"> & { conditions: readonly ConditionRow[]; actions: readonly RuleAction[] };

/** The regions a rule names: its own, those of its filters and those of its conditions. */
export function regionsOf({
  regionIds,
  duFilter,
  conditions,
}: Pick<PlanRule, "regionIds" | "duFilter"> & Pick<Naming, "conditions">): number[] {
  const filtered = duFilter.flatMap(({ field, values }) => (field === "region" ? values.map(Number) : []));
  const named = conditions.flatMap(({ object, values }) => (object.k === "DU" && object.f === "region" ? values.map(Number) : []));
  return [...new Set([...regionIds, ...filtered, ...named])];
}

/** The activities a rule names. */
export function activitiesOf({ conditions, actions, events }: Naming): number[] {
  const refs = [...conditions.map(({ object }) => object), ...actions.flatMap(({ sources, target }) => [...sources, target])];
  const named = refs.flatMap((ref) => (ref.k === "ACT" ? [ref.a] : []));
  return [...new Set([...named, ...(events ?? []).flatMap(({ activityId }) => activityId ?? [])])];
}

/** The attributes a rule names, by key. */
export function attributesOf({ conditions, actions, events }: Naming): string[] {
  const refs = [
    ...conditions.flatMap(({ object }) => (object.k === "DU" ? [] : [object as FieldRef])),
    ...actions.flatMap(({ sources, target }) => [...sources, target]),
  ];
  const named = refs.flatMap((ref) => attributeOf(ref) ?? []);
  return [...new Set([...named, ...(events ?? []).flatMap(({ attributeId: id }) => (id === undefined ? [] : [`a${id}`]))])];
}

const choiceKinds: Partial<Record<AttributeType, TargetKind>> = { ENUM: "ENUM_VALUE", LOOKUP_ENUM: "LOOKUP_VALUE" };

/** What the sources, targets and events of a rule name, for the index of references; its filters and conditions are added by their own. */
export function actionRefs({
  flowId,
  regionIds,
  actions,
  events,
}: Pick<PlanRule, "flowId" | "regionIds" | "actions" | "events">): ConfigRef[] {
  const refs: ConfigRef[] = [{ kind: "FLOW", id: flowId, usage: "CONDITION" }];
  for (const id of regionIds) refs.push({ kind: "REGION", id, usage: "CONDITION" });
  const add = (ref: SourceRef, usage: ConfigRef["usage"]) => {
    const key = attributeOf(ref);
    if (ref.k === "ACT") refs.push({ kind: "ACTIVITY", id: ref.a, usage });
    if (key !== null) refs.push({ kind: "ATTRIBUTE", id: attributeId(key), usage });
  };
  for (const { sources, target, types } of actions) {
    const type = types[attributeOf(target) ?? ""];
    const choice = type && choiceKinds[type];
    for (const source of sources) {
      add(source, "SOURCE");
      if (source.k === "FIXED" && choice) refs.push({ kind: choice, id: Number(source.value), usage: "SOURCE" });
    }
    add(target, "TARGET");
  }
  for (const { activityId, attributeId: id } of events ?? []) {
    if (activityId !== undefined) refs.push({ kind: "ACTIVITY", id: activityId, usage: "CONDITION" });
    if (id !== undefined) refs.push({ kind: "ATTRIBUTE", id, usage: "CONDITION" });
  }
  return refs;
}

/** What a filter asks, as an operator of conditions. */
export function filterOperator(type: string, isChoice: boolean): ConditionRow["operator"] {
  const words: Record<string, ConditionRow["operator"]> = {
    eq: isChoice ? "in" : "eq",
    in: "in",
    like: "contains",
    range: "between",
    empty: "isEmpty",
    notEmpty: "isNotEmpty",
  };
  return words[type] ?? "eq";
}

/** Filters of DUs as condition rows, all of which must hold. The types are those of the columns they look at. */
export function filterRows(filters: readonly DuFilter[], typeOf: (key: string) => ObjectType | undefined): ConditionRow[] {
  return filters.map(
    ({ field, type, values }, at): ConditionRow => ({
      open: 0,
      object: { k: "DU", f: field },
      operator: filterOperator(type, typeOf(`du.${field}`) === "choice"),
      values: [...values],
      close: 0,
      logic: at === filters.length - 1 ? null : "AND",
    }),
  );
}

/** Words a sentence of a rule is made of. */
export type SentenceWords = {
  AND: string;
  OR: string;
  /** Said of no conditions at all. */
  every: string;
  field: (ref: SourceRef) => string;
  row: (row: ConditionRow) => string;
  rule: (parts: { condition: string; actions: string }) => string;
  action: (parts: { target: string; source: string; offset: number; aggregate: Aggregate | null }) => string;
};

/** A rule as a sentence with all its parentheses; null while its conditions cannot be read as one. */
export function ruleSentence(conditions: readonly ConditionRow[], actions: readonly RuleAction[], words: SentenceWords): string | null {
  if (structureFaults(conditions).length > 0) return null;
  const tree = parseConditions(conditions);
  const condition =
    tree === null ? words.every : sentenceOf(tree, { row: (at) => words.row(conditions[at]!), AND: words.AND, OR: words.OR });
  const said = actions.map(({ sources, aggregate, offset, target }) =>
    words.action({ target: words.field(target), source: sources.map(words.field).join(", "), offset, aggregate }),
  );
  return words.rule({ condition, actions: said.join("; ") });
}

/** Whether a rule asks what it writes itself: then it settles in its second run only. */
export function settlesLate({
  conditions,
  actions,
}: {
  conditions: readonly Pick<ConditionRow, "object">[];
  actions: readonly Pick<RuleAction, "target">[];
}): boolean {
  const written = new Set(actions.map(({ target }) => fieldKey(target)));
  return conditions.some(({ object }) => written.has(refKey(object)));
}

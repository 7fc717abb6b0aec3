import { blankDay } from "#lib/attributes/columns/limits.ts";
import { dayNumber, firstDay, isoDay, lastDay } from "#lib/core/clock.ts";
import {
  type CompiledConditions,
  type ConditionObjects,
  type ConditionRef,
  compileConditions,
  refKey,
} from "#lib/plan-rules/conditions/logic.ts";
import { dateColumns } from "#lib/plan-rules/limits.ts";
import {
  attributeId,
  attributeOf,
  type FieldRef,
  fieldKey,
  filterRows,
  isPlanDate,
  type PlanRule,
  type RuleAction,
  storedValue,
  type ValueForm,
  valueKind,
} from "#lib/plan-rules/logic.ts";
import { outcomeNumber, type RunProgram } from "#lib/plan-rules/runs/logic.ts";
import type { DuColumnKey } from "#lib/rollout-plan/columns/limits.ts";
import { attributeKey } from "#lib/rollout-plan/columns/logic.ts";
import type { DateField } from "#lib/rollout-plan/plan-rows/limits.ts";

/** An attribute as rules read and fill it. */
export type RunAttribute = ValueForm & { id: number };

/** What rules are compiled with: the project's activities, attributes, and the objects conditions look at. */
export type RunWorld = {
  slots: ReadonlyMap<number, number>;
  attributes: ReadonlyMap<string, RunAttribute>;
  objects: ConditionObjects;
};

/** Where a field is: a date of a slot, or a value of `du.ext`. */
export type Place =
  | { kind: "date"; slot: number; field: DateField }
  | { kind: "attribute"; key: string; slot: number | null; attribute: RunAttribute };

/** A rule ready to run; those that only keep others from their cells come last. */
export type RunnableRule = {
  rule: PlanRule;
  writes: boolean;
  filter: CompiledConditions;
  conditions: CompiledConditions;
  /** Keys its filter and conditions ask. */
  keys: readonly string[];
};

/** A field that is filled, with its arms in the order of priority. */
export type RunTargetField = { ref: FieldRef; key: string; place: Place; arms: { rule: number; action: RuleAction }[] };

/** A run ready to go: what the engine needs, and what has to be read for it. */
export type CompiledRun = {
  program: RunProgram;
  rules: RunnableRule[];
  targets: RunTargetField[];
  /** Flows of the DUs it looks at; null for DUs of every flow and of none. */
  flowIds: number[] | null;
  /** Dates and owners of the plan it reads. */
  dates: Set<DateField>;
  owners: boolean;
  /** Attributes by their key in `du.ext`. */
  attributes: Map<string, { attribute: RunAttribute; slot: number | null }>;
  duFields: Set<DuColumnKey>;
};

/** Where a field is. @throws when the project has no such activity or attribute: rules are judged before they run */
export function placeOf(ref: FieldRef, { slots, attributes }: Pick<RunWorld, "slots" | "attributes">): Place {
  const slot = ref.k === "ACT" ? slots.get(ref.a) : null;
  if (slot === undefined) throw new Error(`no activity ${ref.k === "ACT" ? ref.a : ""}`);
  const key = attributeOf(ref);
  if (key !== null) {
    const attribute = attributes.get(key);
    if (!attribute) throw new Error(`no attribute ${key}`);
    return { kind: "attribute", key: attributeKey(attributeId(key), slot ?? undefined), slot, attribute };
  }
  if (ref.k !== "ACT" || slot === null || !isPlanDate(ref)) throw new Error(`no field ${fieldKey(ref)}`);
  return { kind: "date", slot, field: dateColumns[ref.f as keyof typeof dateColumns] };
}

/** Orders rules by priority: the smaller place, then the smaller id. */
function byPriority(a: PlanRule, b: PlanRule): number {
  return a.sortNo - b.sortNo || a.id - b.id;
}

/**
 * Compiles rules for a run.
 * @param writing rules that write, shadows those in force that only keep their cells; shadows that fill no field of the others are left out
 */
export function compileRun(writing: readonly PlanRule[], shadows: readonly PlanRule[], world: RunWorld): CompiledRun {
  const filled = new Set(writing.flatMap(({ actions }) => actions.map(({ target }) => fieldKey(target))));
  const taking = shadows.filter(({ actions }) => actions.some(({ target }) => filled.has(fieldKey(target))));
  const ordered = [
    ...[...writing].sort(byPriority).map((rule) => ({ rule, writes: true })),
    ...taking.map((rule) => ({ rule, writes: false })),
  ];
  const rules = ordered.map(({ rule, writes }): RunnableRule => {
    const filter = compileConditions(
      filterRows(rule.duFilter, (key) => world.objects.get(key)?.type),
      world.objects,
    );
    const conditions = compileConditions(rule.conditions, world.objects);
    return { rule, writes, filter, conditions, keys: [...new Set([...filter.keys, ...conditions.keys])] };
  });
  const targets = new Map<string, RunTargetField>();
  const priority = rules.map((_, place) => place).sort((a, b) => byPriority(rules[a]!.rule, rules[b]!.rule));
  for (const place of priority)
    for (const action of rules[place]!.rule.actions) {
      const key = fieldKey(action.target);
      if (!filled.has(key)) continue;
      const known = targets.get(key);
      if (known) known.arms.push({ rule: place, action });
      else targets.set(key, { ref: action.target, key, place: placeOf(action.target, world), arms: [{ rule: place, action }] });
    }
  const fields = [...targets.values()];
  const levels = levelsOf(rules, fields);
  const run: CompiledRun = {
    program: {
      rules: rules.map(({ rule, writes }) => ({ id: rule.id, writes })),
      targets: fields.map(({ key, arms }) => ({
        level: levels.get(key) ?? 0,
        arms: arms.map(({ rule, action }) => ({ rule, overwrite: action.overwrite })),
      })),
    },
    rules,
    targets: fields,
    flowIds: [...new Set(writing.map(({ flowId }) => flowId))],
    dates: new Set(),
    owners: false,
    attributes: new Map(),
    duFields: new Set(),
  };
  for (const { place, arms } of fields) {
    need(run, place);
    for (const { action } of arms) for (const source of action.sources) if (source.k !== "FIXED") need(run, placeOf(source, world));
  }
  for (const { rule } of rules) {
    for (const { object } of rule.conditions) {
      if (object.k === "DU") run.duFields.add(object.f as DuColumnKey);
      else if (object.k === "ATTR" || object.f === "ATTR" || isPlanDate(object as FieldRef)) need(run, placeOf(object as FieldRef, world));
      else if (object.f === "PLAN_OWNER" || object.f === "ACTUAL_OWNER") run.owners = true;
    }
    for (const { field } of rule.duFilter) run.duFields.add(field as DuColumnKey);
  }
  // Who is responsible is asked where actual dates are filled.
  run.owners ||= fields.some(({ place }) => place.kind === "date" && place.field.startsWith("actual"));
  return run;
}

/** Notes that a run reads or fills a field. */
export function need(run: CompiledRun, place: Place): void {
  if (place.kind === "date") run.dates.add(place.field);
  else run.attributes.set(place.key, { attribute: place.attribute, slot: place.slot });
}

/** Level of each filled field: one above the highest filled field it is made of or asked with; what would go in a circle is left out. */
function levelsOf(rules: readonly RunnableRule[], targets: readonly RunTargetField[]): Map<string, number> {
  const filled = new Set(targets.map(({ key }) => key));
  const next = new Map<string, Set<string>>();
  const reaches = (from: string, goal: string): boolean => {
    const seen = new Set([from]);
    const waiting = [from];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at === goal) return true;
      for (const to of next.get(at) ?? []) if (!seen.has(to)) waiting.push(to) && seen.add(to);
    }
    return false;
  };
  const add = (from: string, to: string) => {
    if (from === to || !filled.has(from) || !filled.has(to) || next.get(from)?.has(to) || reaches(to, from)) return;
    next.set(from, (next.get(from) ?? new Set()).add(to));
  };
  for (const { arms, key } of targets)
    for (const { action } of arms) for (const source of action.sources) if (source.k !== "FIXED") add(fieldKey(source), key);
  const ordered = [...rules].sort((a, b) => byPriority(a.rule, b.rule));
  for (const { rule } of ordered)
    for (const { object } of rule.conditions)
      for (const key of readKeys(object)) for (const { target } of rule.actions) add(key, fieldKey(target));
  const levels = new Map<string, number>();
  const levelOf = (key: string): number => {
    const known = levels.get(key);
    if (known !== undefined) return known;
    let level = 0;
    for (const [from, tos] of next) if (tos.has(key)) level = Math.max(level, levelOf(from) + 1);
    levels.set(key, level);
    return level;
  };
  for (const { key } of targets) levelOf(key);
  return levels;
}

/** The fields a condition follows from: a status is made of two dates. */
function readKeys(object: ConditionRef): string[] {
  if (object.k !== "ACT" || object.f !== "STATUS") return [refKey(object)];
  return (["PLAN_END", "ACTUAL_END"] as const).map((f) => fieldKey({ k: "ACT", a: object.a, f }));
}

/** Values of an attribute for the DUs of a block: places in a dictionary of stored values, 0 = blank. The dictionary grows as values are made. */
export class ValueColumn {
  readonly codes: Int32Array;
  readonly values: (string | number | null)[];
  private readonly places: Map<string | number, number>;

  constructor(codes: Int32Array, values: (string | number | null)[]) {
    this.codes = codes;
    this.values = values;
    this.places = new Map(values.flatMap((value, place) => (value === null ? [] : [[value, place]])));
  }

  /** The place of a value. */
  placeFor(value: string | number): number {
    let place = this.places.get(value);
    if (place === undefined) {
      place = this.values.push(value) - 1;
      this.places.set(value, place);
    }
    return place;
  }
}

const faultNumbers = {
  range: -outcomeNumber("DATE_OUT_OF_RANGE"),
  limit: -outcomeNumber("VALUE_LIMIT"),
  long: -outcomeNumber("TOO_LONG"),
  enum: -outcomeNumber("ENUM_MISMATCH"),
};

/** A day of the plan as a run stores it: a fault where the plan has no such day. */
export function planDay(day: number): number {
  return day < firstDay || day > lastDay ? faultNumbers.range : day;
}

/** The day of a stored value, `blankDay` where it has none. */
export function dayOf(value: string | number | null): number {
  return value === null ? blankDay : dayNumber(String(value).slice(0, 10));
}

/** A stored moment some days later. */
function shifted(moment: string, offset: number): string {
  return offset === 0 ? moment : `${isoOf(dayOf(moment) + offset)}${moment.slice(10)}`;
}

/** ISO day of a day number, 0 being a day too. */
export function isoOf(day: number): string {
  return isoDay(day) ?? "2000-01-01";
}

/**
 * A value of one attribute as another holds it: the stored value, or the number of the fault below zero. [RUL-33]
 * @param from the attribute the value is of; null for a date of the plan, given as a day number
 */
export function convertValue(
  value: string | number,
  from: RunAttribute | null,
  to: RunAttribute,
  offset: number,
): { value: string | number } | number {
  const kind = from ? valueKind(from.type) : "day";
  const target = valueKind(to.type);
  const made = madeOf(value, kind, target, from, to, offset);
  if (made === null) return faultNumbers.enum;
  const stored = storedValue(to, made);
  if ("value" in stored) return stored.value === null ? faultNumbers.limit : { value: stored.value };
  if (stored.code === "VALUE_TOO_LONG") return faultNumbers.long;
  return target === "enum" ? faultNumbers.enum : faultNumbers.limit;
}

function madeOf(
  value: string | number,
  kind: ReturnType<typeof valueKind>,
  target: ReturnType<typeof valueKind>,
  from: RunAttribute | null,
  to: RunAttribute,
  offset: number,
): string | number | null {
  switch (kind) {
    case "day": {
      const day = isoOf((typeof value === "number" ? value : dayOf(value)) + offset);
      return target === "datetime" ? `${day}T00:00:00` : day;
    }
    case "datetime": {
      const moment = shifted(String(value), offset);
      if (target === "day") return moment.slice(0, 10);
      if (target === "time") return moment.slice(11, 16);
      return target === "text" ? moment.replace("T", " ") : moment;
    }
    case "number":
      return target === "text" ? String(value) : value;
    case "enum": {
      const label = from?.enums.find(({ id }) => String(id) === String(value))?.value;
      if (target === "text") return label ?? null;
      if (to.enums.some(({ id, active }) => active && String(id) === String(value))) return value;
      return label === undefined ? null : enumOf(to, label);
    }
    default:
      return target === "enum" ? enumOf(to, String(value)) : value;
  }
}

function enumOf({ enums }: RunAttribute, label: string): string | null {
  const wanted = label.trim().toLowerCase();
  const found = enums.find(({ value, active }) => active && value.trim().toLowerCase() === wanted);
  return found ? String(found.id) : null;
}

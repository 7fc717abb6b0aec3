import { isoDay } from "#lib/core/clock.ts";
import type { ConditionRef, ConditionRow } from "#lib/plan-rules/conditions/logic.ts";
import type { PlanRule, RuleAction, SourceRef } from "#lib/plan-rules/logic.ts";

/**
 * What rules mean, written down the slow way: one DU after the other, one field after the other, conditions read from left to right. It shares nothing with the
 * engine but the form in which rules are stored.
 */

export type PlainRow = {
  id: number;
  flowId: number;
  regionId: number | null;
  code: string;
  /** Days by the name of their field, 0 = blank. */
  days: Record<string, number>;
  /** Values of attributes by the name of their field, as they are stored. */
  values: Record<string, string | number | null>;
  /** By activity. */
  acts: Record<number, { inFlow: boolean; na: boolean; fixed: boolean; frozen: boolean; closed: boolean; owners: string[] }>;
};

export type PlainWorld = {
  today: number;
  lastPlanDay: number;
  kinds: Record<string, "day" | "datetime" | "number" | "text" | "enum">;
  enums: Record<string, { id: number; value: string }[]>;
  /** Longest text an attribute takes. */
  longest: Record<string, number>;
};

type Value = string | number | null;
type Made = { value: string | number } | { fault: string } | null;
export type PlainCell = { field: string; outcome: string; rule: number; old: Value; now: Value };
export type PlainCounts = {
  matched: number;
  changed: number;
  unchanged: number;
  sourceEmpty: number;
  superseded: number;
  skipped: Record<string, number>;
};

const isDate = (field: string) => field.startsWith("act.") && !field.includes(".a");

/** Name of a field: `act.12.PLAN_END`, `act.12.a5`, `a1`, `du.code`. */
export function refName(ref: ConditionRef | SourceRef): string {
  if (ref.k === "ATTR") return ref.key;
  if (ref.k === "DU") return `du.${ref.f}`;
  if (ref.k === "FIXED") throw new Error("a fixed value has no field");
  return `act.${ref.a}.${ref.f === "ATTR" ? ref.key : ref.f}`;
}

/** Runs rules over DUs, each by itself. */
export function runPlainly(
  writing: readonly PlanRule[],
  shadows: readonly PlanRule[],
  rows: readonly PlainRow[],
  world: PlainWorld,
): { cells: PlainCell[][]; after: Record<string, Value>[]; counts: Map<number, PlainCounts>; scope: number; matched: number } {
  const all = [...writing, ...shadows].sort((a, b) => a.sortNo - b.sortNo || a.id - b.id);
  const fields = [...new Set(writing.flatMap(({ actions }) => actions.map(({ target }) => refName(target))))];
  const order = inOrder(all, fields);
  const counts = new Map(
    writing.map(({ id }): [number, PlainCounts] => [
      id,
      { matched: 0, changed: 0, unchanged: 0, sourceEmpty: 0, superseded: 0, skipped: {} },
    ]),
  );
  let [scope, matched] = [0, 0];
  const told = rows.map((row) => {
    if (writing.some((rule) => isInScope(rule, row, world))) scope++;
    const { cells, after, held } = fillRow(all, writing, order, row, world, counts);
    if (held.size > 0) matched++;
    for (const id of held) counts.get(id)!.matched++;
    return { cells, after };
  });
  return { cells: told.map(({ cells }) => cells), after: told.map(({ after }) => after), counts, scope, matched };
}

/** Fields in the order in which they are filled: what others are made of, or asked with, comes first as long as that goes. */
function inOrder(all: readonly PlanRule[], fields: readonly string[]): string[] {
  const before = new Map(fields.map((field) => [field, new Set<string>()]));
  const isBefore = (one: string, other: string, seen = new Set<string>()): boolean => {
    if (one === other) return true;
    if (seen.has(other)) return false;
    seen.add(other);
    return [...(before.get(other) ?? [])].some((earlier) => isBefore(one, earlier, seen));
  };
  const note = (one: string, other: string) => {
    if (one !== other && before.has(one) && before.has(other) && !isBefore(other, one)) before.get(other)!.add(one);
  };
  const eachAction = (visit: (rule: PlanRule, action: RuleAction) => void) => {
    for (const rule of all) for (const action of rule.actions) visit(rule, action);
  };
  eachAction((_, { sources, target }) => {
    for (const source of sources) if (source.k !== "FIXED") note(refName(source), refName(target));
  });
  for (const rule of all)
    for (const { object } of rule.conditions)
      for (const asked of readBy(refName(object))) for (const { target } of rule.actions) note(asked, refName(target));
  const done: string[] = [];
  while (done.length < fields.length)
    done.push(fields.find((field) => !done.includes(field) && [...before.get(field)!].every((one) => done.includes(one)))!);
  return done;
}

/** The fields a condition depends on: a status follows from two dates. */
function readBy(field: string): string[] {
  return field.endsWith(".STATUS") ? [field.replace("STATUS", "PLAN_END"), field.replace("STATUS", "ACTUAL_END")] : [field];
}

function fillRow(
  all: readonly PlanRule[],
  writing: readonly PlanRule[],
  order: readonly string[],
  row: PlainRow,
  world: PlainWorld,
  counts: Map<number, PlainCounts>,
) {
  const heldBy = (from: PlainRow, field: string): Value => (isDate(field) ? from.days[field] || null : (from.values[field] ?? null));
  const kept = new Map<string, string>();
  for (;;) {
    const now: PlainRow = { ...row, days: { ...row.days }, values: { ...row.values } };
    const cells: PlainCell[] = [];
    const held = new Set<number>();
    const tally: (() => void)[] = [];
    for (const field of order) {
      const old = heldBy(row, field);
      // Every rule is asked before the field is filled.
      const arms = all.flatMap((rule) => {
        const action = rule.actions.find(({ target }) => refName(target) === field);
        if (!action || !isInScope(rule, row, world) || !holds(rule.conditions, now, world)) return [];
        return [{ rule, action, made: make(action, field, now, world) }];
      });
      const winner = arms.find(({ made }) => made !== null);
      let outcome = "UNCHANGED";
      if (winner?.made) {
        const { rule, action, made } = winner;
        const isSame = "value" in made && made.value === old;
        if (writing.includes(rule) && !isSame && (action.overwrite || old === null)) {
          outcome = "fault" in made ? made.fault : (kept.get(field) ?? guard(field, Number(made.value), row, world) ?? "CHANGED");
          cells.push({ field, outcome, rule: rule.id, old, now: "fault" in made ? old : made.value });
          if (outcome === "CHANGED" && "value" in made) {
            if (isDate(field)) now.days[field] = Number(made.value);
            else now.values[field] = made.value;
          }
        }
      }
      for (const arm of arms) {
        const count = counts.get(arm.rule.id);
        if (!count) continue;
        held.add(arm.rule.id);
        tally.push(() => {
          if (arm.made === null) count.sourceEmpty++;
          else if (arm !== winner) count.superseded++;
          else if (outcome === "CHANGED") count.changed++;
          else if (outcome === "UNCHANGED") count.unchanged++;
          else count.skipped[outcome] = (count.skipped[outcome] ?? 0) + 1;
        });
      }
    }
    const changed = cells.filter(({ outcome }) => outcome === "CHANGED").map(({ field }) => field);
    const wrong = disorder(now, changed);
    const blamed = wrong.length > 0 ? wrong : broken(row, now, changed);
    if (blamed.length === 0) {
      for (const count of tally) count();
      const after = Object.fromEntries(order.map((field) => [field, heldBy(now, field)]));
      return { cells, after, held };
    }
    for (const [field, outcome] of blamed) kept.set(field, outcome);
  }
}

function isInScope({ flowId, regionIds, duFilter }: PlanRule, row: PlainRow, world: PlainWorld): boolean {
  return (
    row.flowId === flowId &&
    (regionIds.length === 0 || regionIds.includes(row.regionId ?? 0)) &&
    duFilter.every(({ values }) => asked("du.code", "contains", values, row, world))
  );
}

/** Reads conditions as they are written: what stands in parentheses first, then AND, then OR. */
function holds(rows: readonly ConditionRow[], row: PlainRow, world: PlainWorld): boolean {
  const words = rows.flatMap(({ open, object, operator, values, close, logic }): (string | boolean)[] => [
    ..."(".repeat(open),
    asked(refName(object), operator, values, row, world),
    ...")".repeat(close),
    ...(logic === null ? [] : [logic]),
  ]);
  if (words.length === 0) return true;
  const one = (): boolean => {
    const word = words.shift();
    if (word !== "(") return word as boolean;
    const inner = any();
    words.shift();
    return inner;
  };
  const every = (): boolean => {
    let held = one();
    while (words[0] === "AND") {
      words.shift();
      held = one() && held;
    }
    return held;
  };
  const any = (): boolean => {
    let held = every();
    while (words[0] === "OR") {
      words.shift();
      held = every() || held;
    }
    return held;
  };
  return any();
}

function asked(field: string, operator: string, values: readonly (string | number)[], row: PlainRow, world: PlainWorld): boolean {
  const found = present(field, row, world);
  const blank = found === null || found.length === 0;
  if (operator === "isEmpty") return blank;
  if (operator === "isNotEmpty") return !blank;
  if (blank) return operator === "ne" || operator === "notContains" || operator === "notIn";
  const isNumber = world.kinds[field] === "number";
  const plain = (value: string | number) => (isNumber ? Number(value) : String(value).trim().toLowerCase());
  const wanted = values.map(plain);
  const has = found.map(plain);
  // A moment is compared with a day by its day.
  const isMoment = world.kinds[field] === "datetime";
  const test = (value: string | number, other: string | number) => {
    const given = isMoment && String(other).length === 10 ? String(value).slice(0, 10) : value;
    return { same: given === other, less: given < other };
  };
  const [value] = has as [string | number];
  const [first, second] = wanted as [string | number, string | number];
  switch (operator) {
    case "eq":
      return test(value, first).same;
    case "ne":
      return !test(value, first).same;
    case "lt":
    case "before":
      return test(value, first).less;
    case "le":
    case "onOrBefore":
      return test(value, first).less || test(value, first).same;
    case "gt":
    case "after":
      return !test(value, first).less && !test(value, first).same;
    case "ge":
    case "onOrAfter":
      return !test(value, first).less;
    case "between":
      return !test(value, first).less && (test(value, second).less || test(value, second).same);
    case "contains":
      return String(value).includes(String(first));
    case "notContains":
      return !String(value).includes(String(first));
    case "startsWith":
      return String(value).startsWith(String(first));
    case "endsWith":
      return String(value).endsWith(String(first));
    case "in":
      return has.some((one) => wanted.includes(one));
    case "notIn":
      return has.every((one) => !wanted.includes(one));
    default:
      throw new Error(operator);
  }
}

/** The values a field has, null for none. */
function present(field: string, row: PlainRow, { today }: PlainWorld): (string | number)[] | null {
  if (field === "du.code") return [row.code];
  if (field === "du.region") return row.regionId === null ? null : [String(row.regionId)];
  const [, activity, name] = /^act\.(\d+)\.([A-Z_]+)$/.exec(field) ?? [];
  const act = row.acts[Number(activity)];
  if (name === "PLAN_OWNER") return act!.owners;
  if (name === "FIX_PLAN") return act!.inFlow ? [act!.fixed ? "Y" : "N"] : null;
  if (name === "STATUS") {
    if (!act!.inFlow) return null;
    const [plan, actual] = [row.days[`act.${activity}.PLAN_END`], row.days[`act.${activity}.ACTUAL_END`]];
    if (act!.na) return ["na"];
    if (act!.closed) return ["closed"];
    if (actual) return ["completed"];
    if (!plan) return ["notPlanned"];
    return [plan < today ? "delayed" : plan <= today + 7 ? "within7" : "after7"];
  }
  if (isDate(field)) return row.days[field] ? [isoDay(row.days[field])!] : null;
  const value = row.values[field] ?? null;
  return value === null ? null : [value];
}

/** What an action makes of its sources; null where one that is needed is blank. */
function make({ sources, aggregate, blanks, offset }: RuleAction, field: string, row: PlainRow, world: PlainWorld): Made {
  const to = isDate(field) ? "plan" : world.kinds[field]!;
  const [source] = sources as [SourceRef];
  if (source.k === "FIXED") {
    const isKnown = to !== "enum" || world.enums[field]!.some(({ id }) => String(id) === source.value);
    return fitted(isKnown ? { value: source.value } : { fault: "ENUM_MISMATCH" }, field, world);
  }
  if (aggregate !== null) {
    const days = sources.map((one) => dayIn(refName(one), row));
    const known = days.filter((day) => day !== null);
    if (known.length === 0 || (blanks !== "IGNORE" && known.length < days.length)) return null;
    return onDay(aggregate === "EARLIEST" ? Math.min(...known) : Math.max(...known), offset, to, field, world);
  }
  const from = refName(source);
  const kind = isDate(from) ? "day" : world.kinds[from]!;
  if (kind === "day" || to === "plan") {
    const day = dayIn(from, row);
    return day === null ? null : onDay(day, offset, to, field, world);
  }
  const value = row.values[from] ?? null;
  if (value === null) return null;
  if (kind === "datetime") {
    const moved = `${isoDay(dayIn(from, row)! + offset)}${String(value).slice(10)}`;
    return fitted({ value: to === "day" ? moved.slice(0, 10) : to === "text" ? moved.replace("T", " ") : moved }, field, world);
  }
  if (kind === "number") return fitted({ value: to === "text" ? String(value) : value }, field, world);
  const label = kind === "enum" ? world.enums[from]!.find(({ id }) => String(id) === value)!.value : String(value);
  return fitted(to === "enum" ? byLabel(label, field, world) : { value: label }, field, world);
}

const epoch = Date.UTC(2000, 0, 1);

function dayIn(field: string, row: PlainRow): number | null {
  if (isDate(field)) return row.days[field] || null;
  const value = row.values[field] ?? null;
  return value === null ? null : (Date.parse(`${String(value).slice(0, 10)}T00:00:00Z`) - epoch) / 86_400_000;
}

function onDay(day: number, offset: number, to: string, field: string, world: PlainWorld): Made {
  const moved = day + offset;
  if (to === "plan") return moved < 1 || moved > 32_767 ? { fault: "DATE_OUT_OF_RANGE" } : { value: moved };
  const iso = new Date(epoch + moved * 86_400_000).toISOString().slice(0, 10);
  return fitted({ value: to === "datetime" ? `${iso}T00:00:00` : iso }, field, world);
}

function byLabel(label: string, field: string, { enums }: PlainWorld): { value: string } | { fault: string } {
  const found = enums[field]!.find(({ value }) => value.toLowerCase() === label.trim().toLowerCase());
  return found ? { value: String(found.id) } : { fault: "ENUM_MISMATCH" };
}

function fitted(made: { value: string | number } | { fault: string }, field: string, { longest }: PlainWorld): Made {
  if ("fault" in made) return made;
  const text = typeof made.value === "string" ? made.value.trim() : made.value;
  return typeof text === "string" && text.length > (longest[field] ?? 1024) ? { fault: "TOO_LONG" } : { value: text };
}

function guard(field: string, day: number, row: PlainRow, { today, lastPlanDay }: PlainWorld): string | null {
  const activity = /^act\.(\d+)\./.exec(field)?.[1];
  if (activity === undefined) return null;
  const act = row.acts[Number(activity)]!;
  if (!act.inFlow) return "NO_ACTIVITY";
  if (!isDate(field)) return null;
  const isPlan = field.includes(".PLAN_");
  if (act.na) return "NA_OR_INV";
  if (act.closed) return "TASK_CLOSED";
  if (isPlan && act.frozen) return "FROZEN";
  if (isPlan && row.days[`act.${activity}.ACTUAL_END`]) return "ACTIVITY_COMPLETED";
  if (isPlan && day > lastPlanDay) return "PLAN_TOO_FAR";
  if (!isPlan && day > today) return "ACTUAL_AFTER_TODAY";
  return !isPlan && act.owners.length === 0 ? "OWNER_REQUIRED" : null;
}

/** Starts behind their ends, as far as the run has written them. */
function disorder(row: PlainRow, changed: readonly string[]): [string, string][] {
  return changed.flatMap((field): [string, string][] => {
    const [, activity, kind] = /^act\.(\d+)\.(PLAN|ACTUAL)_/.exec(field) ?? [];
    if (!kind) return [];
    const [start, end] = [row.days[`act.${activity}.${kind}_START`], row.days[`act.${activity}.${kind}_END`]];
    return start && end && start > end ? [[field, `${kind}_ORDER`]] : [];
  });
}

/**
 * Activity 13 is started only after activity 11 is completed; attribute a1 is filled only after activity 12 is completed; the plan end of 13 lies at most 10 days
 * behind the plan start of 12. Only what the run newly causes counts.
 */
function broken(before: PlainRow, after: PlainRow, changed: readonly string[]): [string, string][] {
  const blame = (fields: readonly string[], outcome: string): [string, string][] =>
    fields.filter((field) => changed.includes(field)).map((field) => [field, outcome]);
  const done = (row: PlainRow, activity: number) => Boolean(row.days[`act.${activity}.ACTUAL_END`]);
  const begun = (row: PlainRow, activity: number) => done(row, activity) || Boolean(row.days[`act.${activity}.ACTUAL_START`]);
  const waits = (activity: number) => after.acts[activity]!.inFlow && !after.acts[activity]!.na && !done(after, activity);
  const found: [string, string][] = [];
  if (after.acts[13]!.inFlow && begun(after, 13) && !begun(before, 13) && waits(11))
    found.push(...blame(["act.13.ACTUAL_START", "act.13.ACTUAL_END"], "DEP_PREREQ_UNMET"));
  if (after.values.a1 != null && before.values.a1 == null && waits(12)) found.push(...blame(["a1"], "DEP_PREREQ_UNMET"));
  const isLate = (row: PlainRow) => {
    const [from, to] = [row.days["act.12.PLAN_START"], row.days["act.13.PLAN_END"]];
    return [12, 13].every((activity) => row.acts[activity]!.inFlow && !row.acts[activity]!.na) && Boolean(from && to && to - from > 10);
  };
  if (isLate(after) && !isLate(before)) found.push(...blame(["act.12.PLAN_START", "act.13.PLAN_END"], "WARNING_MANDATORY"));
  return found;
}

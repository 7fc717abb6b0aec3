import type { ConfigRef } from "#lib/attributes/config-refs/logic.ts";
import { isIsoDay } from "#lib/core/clock.ts";
import type { Params } from "#lib/core/error.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { type Logic, type ObjectType, type Operator, operators, specialCharacters } from "./limits.ts";

/** What a condition looks at: an attribute of the DU by its key, a field of the DU by its column, or a field of an activity, `ATTR` with the key of an attribute of its own. */
export type ConditionRef =
  | { k: "ATTR"; key: string }
  | { k: "DU"; f: string }
  | { k: "ACT"; a: number; f: string; key?: string | undefined };

/** One row: parentheses before it, what is asked, parentheses behind it, and how the next row is joined. No rows at all hold for every DU. */
export type ConditionRow = {
  open: number;
  object: ConditionRef;
  operator: Operator;
  values: (string | number)[];
  close: number;
  logic: Logic | null;
};

/** Something a condition can look at. The values of choices are ids or words, as texts. */
export type ConditionObject = {
  key: string;
  ref: ConditionRef;
  title: string;
  type: ObjectType;
  choices?: { value: string; title: string }[];
  /** The choices are values of a lookup list. */
  lookup?: boolean;
};
export type ConditionObjects = ReadonlyMap<string, Pick<ConditionObject, "type" | "choices" | "lookup">>;

/** Key of what a row looks at: `a12`, `du.region`, `act.7.PLAN_END`, `act.7.a40`. */
export function refKey(ref: ConditionRef): string {
  if (ref.k === "ATTR") return ref.key;
  return ref.k === "DU" ? `du.${ref.f}` : `act.${ref.a}.${ref.f === "ATTR" ? ref.key : ref.f}`;
}

/** What is wrong with a row, and in which part of it. */
export type ConditionFault = {
  row: number;
  part: "object" | "operator" | "values" | "open" | "close" | "logic";
  code: ErrorCode;
  params?: Params;
};

/** The codes of all faults conditions can have. */
export const conditionCodes = [
  "CONDITION_FIRST_CLOSE",
  "CONDITION_LAST_OPEN",
  "CONDITION_LOGIC",
  "CONDITION_PARENTHESES",
  "DATE_FORMAT",
  "NUMBER_FORMAT",
  "RELATIVE_VALUE",
  "SPECIAL_CHARACTERS",
  "TOO_MANY",
  "VALUE_FORMAT",
  "VALUE_MISSING",
  "VALUE_UNKNOWN",
] as const satisfies readonly ErrorCode[];

const needsNone: readonly string[] = ["isEmpty", "isNotEmpty"];
const needsTwo: readonly string[] = ["between"];
const takesMany: readonly string[] = ["in", "notIn"];

/** How many values an operator takes: least and most. */
export function valueCount(operator: string, most: number): readonly [number, number] {
  if (needsNone.includes(operator)) return [0, 0];
  if (needsTwo.includes(operator)) return [2, 2];
  return takesMany.includes(operator) ? [1, most] : [1, 1];
}

/**
 * Faults of conditions that cannot be stored, in the order they are told: what is incomplete, then the parentheses, the joints, and the values.
 * @param most values a row may name where it may name many
 */
export function conditionFaults(rows: readonly ConditionRow[], objects: ConditionObjects, most: number): ConditionFault[] {
  return [
    ...rows.flatMap((row, at) => incomplete(row, at, objects, most)),
    ...structureFaults(rows),
    ...rows.flatMap((row, at) => wrongValues(row, at, objects)),
  ];
}

function incomplete({ object, operator, values }: ConditionRow, row: number, objects: ConditionObjects, most: number): ConditionFault[] {
  const key = refKey(object);
  const known = objects.get(key);
  if (!known) return [{ row, part: "object", code: "VALUE_UNKNOWN", params: { field: "object", value: key } }];
  if (!(operators[known.type] as readonly string[]).includes(operator))
    return [{ row, part: "operator", code: "VALUE_UNKNOWN", params: { field: "operator", value: operator } }];
  const [least, greatest] = valueCount(operator, most);
  if (values.length < least || values.some((value) => value === ""))
    return [{ row, part: "values", code: "VALUE_MISSING", params: { field: "values" } }];
  return values.length > greatest ? [{ row, part: "values", code: "TOO_MANY", params: { max: greatest } }] : [];
}

/** Faults of parentheses and joints alone: they can be told while a row is still being filled in. */
export function structureFaults(rows: readonly Pick<ConditionRow, "open" | "close" | "logic">[]): ConditionFault[] {
  const faults: ConditionFault[] = [];
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  if (first.close > 0 && first.open === 0) faults.push({ row: 0, part: "close", code: "CONDITION_FIRST_CLOSE" });
  if (last.open > 0 && last.close === 0) faults.push({ row: rows.length - 1, part: "open", code: "CONDITION_LAST_OPEN" });
  let depth = 0;
  let torn = -1;
  rows.forEach(({ open, close }, at) => {
    depth += open - close;
    if (depth < 0 && torn < 0) torn = at;
  });
  if (torn >= 0) faults.push({ row: torn, part: "close", code: "CONDITION_PARENTHESES" });
  else if (depth !== 0) faults.push({ row: rows.length - 1, part: "close", code: "CONDITION_PARENTHESES" });
  rows.forEach(({ logic }, at) => {
    if ((logic === null) !== (at === rows.length - 1)) faults.push({ row: at, part: "logic", code: "CONDITION_LOGIC" });
  });
  return faults;
}

const relative = /^(today|now|tomorrow|yesterday|(this|last|next)\s*\w+|[+-]\s*\d+\s*[a-z]+|\{.*\})$/i;
const timePattern = /^([01]\d|2[0-3]):[0-5]\d$/;
const momentPattern = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** Whether a text holds a sign that rules do not take. */
export function hasSpecialCharacter(text: string): boolean {
  return [...text].some((sign) => sign < " " || specialCharacters.includes(sign));
}

/** A stored value as it is compared; null when it is blank or no longer of its type. */
export function normalValue(type: ObjectType, value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (type === "number") return typeof value === "number" && Number.isFinite(value) ? value : null;
  const text = String(value).trim();
  if (text === "") return null;
  switch (type) {
    case "text":
      return text.toLowerCase();
    case "date":
      return isIsoDay(text) ? text : null;
    case "time":
      return timePattern.test(text) ? text : null;
    case "datetime":
      return isIsoDay(momentPattern.exec(text)?.[1] ?? "") ? text : null;
    default:
      return text;
  }
}

function wrongValues({ object, values }: ConditionRow, row: number, objects: ConditionObjects): ConditionFault[] {
  const known = objects.get(refKey(object));
  if (!known) return [];
  for (const value of values) {
    const fault = wrongValue(value, known);
    if (fault) return [{ row, part: "values", ...fault }];
  }
  return [];
}

function wrongValue(
  value: string | number,
  { type, choices }: Pick<ConditionObject, "type" | "choices">,
): { code: ErrorCode; params?: Params } | null {
  if (type === "number") return typeof value === "number" ? null : { code: "NUMBER_FORMAT", params: { value } };
  if (type === "choice")
    return choices?.some((choice) => choice.value === String(value)) ? null : { code: "VALUE_UNKNOWN", params: { field: "values", value } };
  const text = String(value);
  if (type === "text") return hasSpecialCharacter(text) ? { code: "SPECIAL_CHARACTERS", params: { value: text } } : null;
  if (normalValue(type, text) !== null || (type === "datetime" && isIsoDay(text))) return null;
  if (relative.test(text.trim())) return { code: "RELATIVE_VALUE" };
  return { code: type === "time" ? "VALUE_FORMAT" : "DATE_FORMAT", params: { value: text } };
}

/** Conditions as a tree: the number of a row, or two parts joined. AND binds tighter than OR. */
export type ConditionTree = number | { logic: Logic; left: ConditionTree; right: ConditionTree };

/** The tree of conditions whose parentheses and joints are in order; null for none. */
export function parseConditions(rows: readonly Pick<ConditionRow, "open" | "close" | "logic">[]): ConditionTree | null {
  const parts: ConditionTree[] = [];
  const waiting: (Logic | "(")[] = [];
  const join = () => {
    const logic = waiting.pop() as Logic;
    const right = parts.pop() as ConditionTree;
    const left = parts.pop() as ConditionTree;
    parts.push({ logic, left, right });
  };
  rows.forEach(({ open, close, logic }, at) => {
    for (let i = 0; i < open; i++) waiting.push("(");
    parts.push(at);
    for (let i = 0; i < close; i++) {
      while (waiting.at(-1) !== "(") join();
      waiting.pop();
    }
    if (logic === null) return;
    while (waiting.at(-1) === "AND" || (logic === "OR" && waiting.at(-1) === "OR")) join();
    waiting.push(logic);
  });
  while (waiting.length > 0) join();
  return parts[0] ?? null;
}

/** The sentence of a tree with all its parentheses. */
export function sentenceOf(tree: ConditionTree, words: { row: (at: number) => string; AND: string; OR: string }): string {
  const say = (part: ConditionTree): string =>
    typeof part === "number" ? words.row(part) : `(${say(part.left)} ${words[part.logic]} ${say(part.right)})`;
  const whole = say(tree);
  return typeof tree === "number" ? whole : whole.slice(1, -1);
}

/** One value as it is asked; of several choices at once, such as the people of an owner cell, any may be meant. */
export type ConditionValue = string | number | readonly string[] | null;

/** Values of an object for many DUs: for each DU the place of its value among the distinct ones, 0 where it is blank. */
export type ConditionColumn = { codes: Int32Array; values: readonly ConditionValue[] };

/** A column from values as stored, in the order of the DUs. */
export function conditionColumn(type: ObjectType, stored: readonly unknown[]): ConditionColumn {
  const places = new Map<unknown, number>([[null, 0]]);
  const values: (string | number | null)[] = [null];
  const codes = new Int32Array(stored.length);
  stored.forEach((value, at) => {
    let place = places.get(value);
    if (place === undefined) {
      const normal = normalValue(type, value);
      place = normal === null ? 0 : values.push(normal) - 1;
      places.set(value, place);
    }
    codes[at] = place;
  });
  return { codes, values };
}

/** Conditions ready to be asked of columns; every row with the type its object has. */
export type CompiledConditions = {
  tree: ConditionTree | null;
  rows: { key: string; asks: (value: ConditionValue) => boolean }[];
  keys: string[];
};

/** Compiles conditions without faults. @param objects must know every object the rows look at */
export function compileConditions(rows: readonly ConditionRow[], objects: ConditionObjects): CompiledConditions {
  const compiled = rows.map((row) => ({ key: refKey(row.object), asks: question(row, objects.get(refKey(row.object))!.type) }));
  return { tree: parseConditions(rows), rows: compiled, keys: [...new Set(compiled.map(({ key }) => key))] };
}

/** Answers that hold for a blank value too: nothing that is asked of it is said to hold, except that it differs. */
const heldByBlank: readonly string[] = ["ne", "notContains", "notIn", "isEmpty"];

function question({ operator, values }: ConditionRow, type: ObjectType): (value: ConditionValue) => boolean {
  const onBlank = heldByBlank.includes(operator);
  const wanted = values.map((value) =>
    type === "number" ? Number(value) : type === "text" ? String(value).trim().toLowerCase() : String(value).trim(),
  );
  const [first, second] = wanted as [string | number, string | number];
  // A moment is compared with a day by its day.
  const like = (value: string | number, other: string | number | undefined) =>
    type === "datetime" && typeof other === "string" && other.length === 10 ? String(value).slice(0, 10) : value;
  const compare = (value: string | number, other: string | number) => {
    const given = like(value, other);
    return given < other ? -1 : given > other ? 1 : 0;
  };
  const answers: Record<string, (value: string | number) => boolean> = {
    eq: (value) => compare(value, first) === 0,
    ne: (value) => compare(value, first) !== 0,
    gt: (value) => compare(value, first) > 0,
    ge: (value) => compare(value, first) >= 0,
    lt: (value) => compare(value, first) < 0,
    le: (value) => compare(value, first) <= 0,
    before: (value) => compare(value, first) < 0,
    onOrBefore: (value) => compare(value, first) <= 0,
    after: (value) => compare(value, first) > 0,
    onOrAfter: (value) => compare(value, first) >= 0,
    between: (value) => compare(value, first) >= 0 && compare(value, second) <= 0,
    contains: (value) => String(value).includes(String(first)),
    notContains: (value) => !String(value).includes(String(first)),
    startsWith: (value) => String(value).startsWith(String(first)),
    endsWith: (value) => String(value).endsWith(String(first)),
    in: (value) => wanted.includes(value),
    notIn: (value) => !wanted.includes(value),
    isEmpty: () => false,
    isNotEmpty: () => true,
  };
  const answer = answers[operator]!;
  return (value) => {
    if (value === null) return onBlank;
    if (typeof value === "string" || typeof value === "number") return answer(value);
    return operator === "notIn" ? value.every(answer) : value.some(answer);
  };
}

/**
 * Whether the conditions hold, 1 or 0 for each DU: every row is asked once per distinct value, and the rows are joined as whole columns.
 * @param size number of DUs
 */
export function holdConditions(
  { tree, rows }: CompiledConditions,
  columns: { get: (key: string) => ConditionColumn | undefined },
  size: number,
): Uint8Array {
  const hold = (part: ConditionTree): Uint8Array => {
    if (typeof part === "number") {
      const { key, asks } = rows[part]!;
      const { codes, values } = columns.get(key)!;
      const answers = new Uint8Array(values.length);
      for (let code = 0; code < answers.length; code++) answers[code] = asks(values[code]!) ? 1 : 0;
      const held = new Uint8Array(size);
      for (let at = 0; at < size; at++) held[at] = answers[codes[at]!]!;
      return held;
    }
    const left = hold(part.left);
    const right = hold(part.right);
    for (let at = 0; at < size; at++) left[at] = part.logic === "AND" ? left[at]! & right[at]! : left[at]! | right[at]!;
    return left;
  };
  return tree === null ? new Uint8Array(size).fill(1) : hold(tree);
}

/** What conditions name, for the index of references. */
export function conditionRefs(rows: readonly ConditionRow[], objects: ConditionObjects): ConfigRef[] {
  return rows.flatMap(({ object, values }): ConfigRef[] => {
    const key = refKey(object);
    if (object.k === "DU") return object.f === "region" ? values.map((id) => ({ kind: "REGION", id: Number(id), usage: "CONDITION" })) : [];
    const activity: ConfigRef[] = object.k === "ACT" ? [{ kind: "ACTIVITY", id: object.a, usage: "CONDITION" }] : [];
    const attributeKey = object.k === "ATTR" ? object.key : object.f === "ATTR" ? object.key : undefined;
    if (attributeKey === undefined) return activity;
    const refs: ConfigRef[] = [...activity, { kind: "ATTRIBUTE", id: Number(attributeKey.slice(1)), usage: "CONDITION" }];
    const known = objects.get(key);
    if (known?.type !== "choice") return refs;
    const kind = known.lookup ? "LOOKUP_VALUE" : "ENUM_VALUE";
    return [...refs, ...values.map((id): ConfigRef => ({ kind, id: Number(id), usage: "CONDITION" }))];
  });
}

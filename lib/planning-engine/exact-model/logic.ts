import { EXACT_SEARCH_MEGABYTES } from "./limits.ts";

/**
 * Models of the exact step (CP-SAT) as plain data, and their bytes. A literal is the number of a variable with values 0 and 1, or its complement -number - 1.
 * The bytes are protocol buffers; the field numbers are those of `cp_model.proto` and `sat_parameters.proto`.
 */

/** Sum of coefficient x variable, and a constant. */
export type Sum = { vars: number[]; coefficients: number[]; constant: number };

type Rule =
  /** The sum lies in one of the closed stretches `domain[0]..domain[1]`, `domain[2]..domain[3]` and so on. */
  | { kind: "linear"; sum: Sum; domain: number[] }
  | { kind: "interval"; start: Sum; size: Sum; end: Sum }
  /** Intervals by the place of their rule. */
  | { kind: "cumulative"; capacity: number; intervals: number[]; demands: number[] }
  /** At any time the changes at or before it add up to at least 0. */
  | { kind: "reservoir"; most: number; times: Sum[]; changes: number[] }
  | { kind: "element"; index: Sum; target: Sum; values: number[] }
  | { kind: "max"; target: Sum; of: Sum[] }
  | { kind: "exactlyOne"; literals: number[] }
  | { kind: "implies"; literals: number[] };

/** A rule that holds while all literals of `when` are true. */
export type Constraint = Rule & { when?: number[] };

/** Variables with their domains (closed stretches), what they have to keep, and what is to be small. */
export type Model = {
  domains: number[][];
  constraints: Constraint[];
  objective: Sum | null;
  /** A value per variable to begin with; empty without. */
  hint: number[];
  /** Literals taken for true: of an infeasible model the answer names those that suffice. */
  assumptions: number[];
};

/** What bounds a solve, and whether it has something to make small: without, linear relaxations only cost time. */
export type Limits = { seconds: number; seed: number; minimises: boolean };

/** What came out. `bound` is the least value the objective can have, as far as is known. */
export type Answer = {
  status: "optimal" | "feasible" | "infeasible" | "unknown" | "invalid";
  values: number[];
  objective: number;
  bound: number;
  conflict: number[];
};

/** A model without anything. */
export function newModel(): Model {
  return { domains: [], constraints: [], objective: null, hint: [], assumptions: [] };
}

/** Adds a variable between two values. @returns its number */
export function addVariable(model: Model, low: number, high: number): number {
  model.domains.push([low, high]);
  return model.domains.length - 1;
}

/** Adds a rule. @returns its place */
export function addRule(model: Model, rule: Constraint): number {
  model.constraints.push(rule);
  return model.constraints.length - 1;
}

/** A variable and a constant as a sum. */
export function sumOf(variable: number, constant = 0): Sum {
  return { vars: [variable], coefficients: [1], constant };
}

/** A constant as a sum. */
export function constantSum(constant: number): Sum {
  return { vars: [], coefficients: [], constant };
}

/** Adds `left + gap <= right`. */
export function addGap(model: Model, left: Sum, gap: number, right: Sum, when?: number[]): void {
  const sum = {
    vars: [...right.vars, ...left.vars],
    coefficients: [...right.coefficients, ...left.coefficients.map((one) => -one)],
    constant: 0,
  };
  addRule(model, { kind: "linear", sum, domain: [gap + left.constant - right.constant, MOST], ...(when ? { when } : {}) });
}

/** Above every sum of a model. */
export const MOST = 2 ** 52;

const fieldOf = { linear: 12, interval: 19, cumulative: 22, reservoir: 24, element: 14, max: 27, exactlyOne: 29, implies: 4 } as const;

/** Bytes of a model. */
export function encodeModel(model: Model): Uint8Array<ArrayBuffer> {
  const out = newBytes();
  for (const domain of model.domains) message(out, 2, (to) => numbers(to, 2, domain));
  for (const constraint of model.constraints) message(out, 3, (to) => writeConstraint(to, constraint));
  const { objective, hint, assumptions } = model;
  if (objective)
    message(out, 4, (to) => {
      numbers(to, 1, objective.vars);
      numbers(to, 4, objective.coefficients);
      double(to, 2, objective.constant);
    });
  if (hint.length > 0)
    message(out, 6, (to) => {
      numbers(to, 1, [...hint.keys()]);
      numbers(to, 2, hint);
    });
  numbers(out, 7, assumptions);
  return out.bytes.slice(0, out.length);
}

function writeConstraint(to: Bytes, rule: Constraint): void {
  numbers(to, 2, rule.when ?? []);
  message(to, fieldOf[rule.kind], (own) => {
    switch (rule.kind) {
      case "linear":
        numbers(own, 1, rule.sum.vars);
        numbers(own, 2, rule.sum.coefficients);
        numbers(
          own,
          3,
          rule.domain.map((end) => end - rule.sum.constant),
        );
        break;
      case "interval":
        message(own, 4, (sum) => writeSum(sum, rule.start));
        message(own, 5, (sum) => writeSum(sum, rule.end));
        message(own, 6, (sum) => writeSum(sum, rule.size));
        break;
      case "cumulative":
        message(own, 1, (sum) => writeSum(sum, constantSum(rule.capacity)));
        numbers(own, 2, rule.intervals);
        for (const demand of rule.demands) message(own, 3, (sum) => writeSum(sum, constantSum(demand)));
        break;
      case "reservoir":
        number(own, 1, 0);
        number(own, 2, rule.most);
        for (const time of rule.times) message(own, 3, (sum) => writeSum(sum, time));
        for (const change of rule.changes) message(own, 6, (sum) => writeSum(sum, constantSum(change)));
        break;
      case "element":
        message(own, 4, (sum) => writeSum(sum, rule.index));
        message(own, 5, (sum) => writeSum(sum, rule.target));
        for (const value of rule.values) message(own, 6, (sum) => writeSum(sum, constantSum(value)));
        break;
      case "max":
        message(own, 1, (sum) => writeSum(sum, rule.target));
        for (const one of rule.of) message(own, 2, (sum) => writeSum(sum, one));
        break;
      default:
        numbers(own, 1, rule.literals);
    }
  });
}

function writeSum(to: Bytes, { vars, coefficients, constant }: Sum): void {
  numbers(to, 1, vars);
  numbers(to, 2, coefficients);
  number(to, 3, constant);
}

/**
 * Bytes of the settings: one worker and a seed, so that two solves search alike; and for resources that are packed tightly the overload check, timetable edge
 * finding and the precedences known before the search.
 */
export function encodeSettings({ seconds, seed, minimises }: Limits): Uint8Array<ArrayBuffer> {
  const out = newBytes();
  number(out, 31, seed);
  double(out, 36, seconds);
  number(out, 40, EXACT_SEARCH_MEGABYTES);
  for (const field of [78, 79, 215]) number(out, field, 1);
  if (!minimises) number(out, 90, 0);
  number(out, 206, 1);
  return out.bytes.slice(0, out.length);
}

const statuses = ["unknown", "invalid", "feasible", "infeasible", "optimal"] as const;

/** Reads what the solver answered. */
export function decodeAnswer(bytes: Uint8Array): Answer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const answer: Answer = { status: "unknown", values: [], objective: 0, bound: Number.NEGATIVE_INFINITY, conflict: [] };
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("the answer of the exact step ends too early");
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
  };
  const list = (kind: number, into: number[]) => {
    if (kind !== 2) into.push(varint());
    else for (const end = varint() + at; at < end; ) into.push(varint());
  };
  while (at < bytes.length) {
    const tag = varint();
    const kind = tag & 7;
    const field = tag >>> 3;
    if (field === 1) answer.status = statuses[varint()] ?? "unknown";
    else if (field === 2) list(kind, answer.values);
    else if (field === 23) list(kind, answer.conflict);
    else if (kind === 1) {
      if (field === 3) answer.objective = view.getFloat64(at, true);
      if (field === 4) answer.bound = view.getFloat64(at, true);
      at += 8;
    } else if (kind === 5) at += 4;
    else if (kind === 2) {
      const length = varint();
      at += length;
    } else varint();
  }
  return answer;
}

type Bytes = { bytes: Uint8Array<ArrayBuffer>; length: number };

function newBytes(): Bytes {
  return { bytes: new Uint8Array(256), length: 0 };
}

function room(to: Bytes, more: number): void {
  if (to.length + more <= to.bytes.length) return;
  const larger = new Uint8Array(2 * (to.length + more));
  larger.set(to.bytes.subarray(0, to.length));
  to.bytes = larger;
}

function varint(to: Bytes, value: number): void {
  room(to, 10);
  if (value < 0) {
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) to.bytes[to.length++] = Number(rest & 127n) | 128;
    to.bytes[to.length++] = Number(rest);
    return;
  }
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) to.bytes[to.length++] = (rest % 128) | 128;
  to.bytes[to.length++] = rest;
}

function number(to: Bytes, field: number, value: number): void {
  varint(to, field * 8);
  varint(to, value);
}

function numbers(to: Bytes, field: number, values: number[]): void {
  if (values.length === 0) return;
  message(to, field, (own) => {
    for (const value of values) varint(own, value);
  });
}

function double(to: Bytes, field: number, value: number): void {
  varint(to, field * 8 + 1);
  room(to, 8);
  new DataView(to.bytes.buffer).setFloat64(to.length, value, true);
  to.length += 8;
}

function message(to: Bytes, field: number, write: (own: Bytes) => void): void {
  const own = newBytes();
  write(own);
  varint(to, field * 8 + 2);
  varint(to, own.length);
  room(to, own.length);
  to.bytes.set(own.bytes.subarray(0, own.length), to.length);
  to.length += own.length;
}

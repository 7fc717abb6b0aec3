import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conditionValuesMax, type ObjectType, operators } from "#lib/plan-rules/conditions/limits.ts";
import type { ConditionRow } from "#lib/plan-rules/conditions/logic.ts";
import {
  type ConditionColumn,
  type ConditionObjects,
  compileConditions,
  conditionColumn,
  conditionFaults,
  conditionRefs,
  hasSpecialCharacter,
  holdConditions,
  parseConditions,
  sentenceOf,
} from "#lib/plan-rules/conditions/logic.ts";

const objects: ConditionObjects = new Map([
  ["a1", { type: "text" }],
  ["a2", { type: "number" }],
  ["a3", { type: "date" }],
  ["a4", { type: "time" }],
  ["a5", { type: "datetime" }],
  [
    "a6",
    {
      type: "choice",
      choices: [
        { value: "61", title: "Red" },
        { value: "62", title: "Blue" },
      ],
    },
  ],
  ["du.region", { type: "choice", choices: [{ value: "7", title: "North" }] }],
]);
const keyOf: Record<ObjectType, string> = { text: "a1", number: "a2", date: "a3", time: "a4", datetime: "a5", choice: "a6" };

/** A row from a text: `a2 ge 5`, several values by comma. */
function row(text: string, more: Partial<ConditionRow> = {}): ConditionRow {
  const [key = "", operator = "", ...rest] = text.split(" ");
  const object: ConditionRow["object"] = key.startsWith("du.") ? { k: "DU", f: key.slice(3) } : { k: "ATTR", key };
  const given = rest.join(" ");
  const values = given === "" ? [] : given.split(",").map((value) => (objects.get(key)?.type === "number" ? Number(value) : value));
  return { open: 0, object, operator: operator as ConditionRow["operator"], values, close: 0, logic: null, ...more };
}
/** Rows whose shape only matters: `( A AND B ) OR C`. */
function shape(text: string): ConditionRow[] {
  const rows: ConditionRow[] = [];
  let open = 0;
  for (const word of text.split(" ")) {
    if (word === "(") open++;
    else if (word === ")") rows.at(-1)!.close++;
    else if (word === "AND" || word === "OR") rows.at(-1)!.logic = word;
    else {
      rows.push(row(`a1 eq ${word}`, { open }));
      open = 0;
    }
  }
  return rows;
}
const faults = (rows: ConditionRow[]) =>
  conditionFaults(rows, objects, conditionValuesMax).map(({ row: at, part, code }) => `${at} ${part} ${code}`);
const column = (type: ObjectType, ...values: unknown[]) => conditionColumn(type, values);
const holds = (text: string, ...values: unknown[]) => {
  const key = text.split(" ")[0]!;
  const { type } = objects.get(key)!;
  return [...holdConditions(compileConditions([row(text)], objects), new Map([[key, column(type, ...values)]]), values.length)].join("");
};

describe("a row by itself", () => {
  test.each([
    ["a1 eq  TOWER ", ["tower", " Tower", "towers", "", null], "11000"],
    ["a1 ne tower", ["tower", "mast", "", "  ", null], "01111"],
    ["a1 contains ow", ["Tower", "LOW", "mast", null], "1100"],
    ["a1 notContains ow", ["Tower", "mast", null], "011"],
    ["a1 startsWith to", ["Tower", "a tower", null], "100"],
    ["a1 endsWith er", ["Tower", "tower 2", null], "100"],
    ["a1 in tower,Mast", ["TOWER", "mast", "pole", null], "1100"],
    ["a1 isEmpty", ["", " ", null, "x"], "1110"],
    ["a1 isNotEmpty", ["", " ", null, "x"], "0001"],
    ["a2 eq 5", [5, 5.01, null], "100"],
    ["a2 ne 5", [5, 4, null], "011"],
    ["a2 gt 5", [5, 5.01, null], "010"],
    ["a2 ge 5", [4.99, 5, null], "010"],
    ["a2 lt 5", [5, 4.99, null], "010"],
    ["a2 le 5", [5, 5.01, null], "100"],
    ["a2 between 1,3", [0.99, 1, 3, 3.01, null], "01100"],
    ["a2 eq 10", [9, "10", Number.NaN], "000"],
    ["a3 before 2026-10-14", ["2026-10-13", "2026-10-14", null], "100"],
    ["a3 onOrBefore 2026-10-14", ["2026-10-14", "2026-10-15", null], "100"],
    ["a3 after 2026-10-14", ["2026-10-14", "2026-10-15", null], "010"],
    ["a3 onOrAfter 2026-10-14", ["2026-10-13", "2026-10-14", null], "010"],
    ["a3 between 2026-10-01,2026-10-31", ["2026-09-30", "2026-10-01", "2026-10-31", "2026-11-01", null], "01100"],
    ["a3 isEmpty", ["2026-02-30", "soon", "2026-02-28"], "110"],
    ["a4 before 09:30", ["09:29", "09:30", "24:00", null], "1000"],
    ["a5 eq 2026-10-14", ["2026-10-14T00:00:00", "2026-10-14T23:59:59", "2026-10-15T00:00:00", null], "1100"],
    ["a5 after 2026-10-14", ["2026-10-14T23:59:59", "2026-10-15T00:00:00", null], "010"],
    ["a5 after 2026-10-14T12:00:00", ["2026-10-14T12:00:00", "2026-10-14T12:00:01", null], "010"],
    ["a6 in 61,62", ["61", "62", "63", null], "1100"],
    ["a6 notIn 61", ["61", "62", null], "011"],
    ["du.region in 7", [7, 8, null], "100"],
  ])("%s", (text, values, expected) => {
    expect(holds(text, ...values)).toBe(expected);
  });

  test("every operator has its line above, for one type at least", () => {
    for (const [type, list] of Object.entries(operators))
      for (const operator of list)
        expect(() => compileConditions([row(`${keyOf[type as ObjectType]} ${operator} 1,2`)], objects)).not.toThrow();
  });
});

describe("rows together", () => {
  const words = { row: (at: number) => "ABCDEFGHIJ"[at]!, AND: "and", OR: "or" };
  test.each([
    ["A", "A"],
    ["A AND B OR C", "(A and B) or C"],
    ["A OR B AND C", "A or (B and C)"],
    ["( A OR B ) AND C", "(A or B) and C"],
    ["A OR B OR C", "(A or B) or C"],
    ["A AND ( B OR ( C AND D ) )", "A and (B or (C and D))"],
    ["( ( A ) ) OR B", "A or B"],
    ["A AND B OR C AND D", "(A and B) or (C and D)"],
  ])("%s reads as %s", (text, sentence) => {
    expect(sentenceOf(parseConditions(shape(text))!, words)).toBe(sentence);
  });

  test("none at all hold for everybody", () => {
    expect([...holdConditions(compileConditions([], objects), new Map(), 3)]).toEqual([1, 1, 1]);
  });
});

describe("what is refused", () => {
  test.each([
    ["A ) AND B", ["0 close CONDITION_FIRST_CLOSE", "0 close CONDITION_PARENTHESES"]],
    ["A AND ( B", ["1 open CONDITION_LAST_OPEN", "1 close CONDITION_PARENTHESES"]],
    ["( A AND B", ["1 close CONDITION_PARENTHESES"]],
    ["A AND B )", ["1 close CONDITION_PARENTHESES"]],
    ["( A ) ) AND ( B )", ["0 close CONDITION_PARENTHESES"]],
    ["( A OR B )", []],
    ["( A ) AND ( B )", []],
  ])("parentheses: %s [RUL-11]", (text, expected) => {
    expect(faults(shape(text))).toEqual(expected);
  });

  test("joints: all but the last row have one, the last has none [RUL-12]", () => {
    const [one, two] = shape("A AND B") as [ConditionRow, ConditionRow];
    expect(faults([one, two])).toEqual([]);
    expect(faults([{ ...one, logic: null }, two])).toEqual(["0 logic CONDITION_LOGIC"]);
    expect(faults([one, { ...two, logic: "OR" }])).toEqual(["1 logic CONDITION_LOGIC"]);
  });

  test.each([..."<>\"'\\;%&$#{}[]|^~!?*=`", "\t", "\u0000"])("a typed text with %j [RUL-13]", (sign) => {
    expect(hasSpecialCharacter(`a${sign}b`)).toBe(true);
    const rows = [{ ...row("a1 eq x"), values: [`a${sign}b`] }];
    expect(faults(rows)).toEqual(["0 values SPECIAL_CHARACTERS"]);
  });

  test("other signs pass, and chosen values are not typed [RUL-13]", () => {
    expect(hasSpecialCharacter("Tür_1-2.3,4:5/6(7)+8@9 塔")).toBe(false);
    expect(faults([row("a6 in 61")])).toEqual([]);
  });

  test.each(["today", "now", "this week", "This month", "next week", "+3d", "-2w", "{x}"])("the relative value %s [RUL-14]", (value) => {
    for (const key of ["a3", "a5"]) expect(faults([row(`${key} after ${value}`)])).toEqual(["0 values RELATIVE_VALUE"]);
  });

  test.each([
    ["a9 eq x", "0 object VALUE_UNKNOWN"],
    ["a1 gt x", "0 operator VALUE_UNKNOWN"],
    ["a6 eq 61", "0 operator VALUE_UNKNOWN"],
    ["a1 eq", "0 values VALUE_MISSING"],
    ["a2 between 1", "0 values VALUE_MISSING"],
    ["a6 in", "0 values VALUE_MISSING"],
    ["a1 eq x,y", "0 values TOO_MANY"],
    ["a1 isEmpty x", "0 values TOO_MANY"],
    ["a3 eq 2026-02-30", "0 values DATE_FORMAT"],
    ["a4 eq 24:00", "0 values VALUE_FORMAT"],
    ["a6 in 63", "0 values VALUE_UNKNOWN"],
    ["du.region in 8", "0 values VALUE_UNKNOWN"],
  ])("%s", (text, fault) => {
    expect(faults([row(text)])).toEqual([fault]);
  });

  test("50 values pass, 51 do not", () => {
    const many = (count: number) => [{ ...row("a1 in x"), values: Array.from({ length: count }, (_, at) => `v${at}`) }];
    expect(faults(many(50))).toEqual([]);
    expect(faults(many(51))).toEqual(["0 values TOO_MANY"]);
  });
});

test("what conditions name: attributes, their choices, regions", () => {
  const refs = conditionRefs([row("a6 in 61,62"), row("a1 eq x"), row("du.region in 7"), row("du.code eq y")], objects);
  expect(refs.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["ATTRIBUTE 6", "ENUM_VALUE 61", "ENUM_VALUE 62", "ATTRIBUTE 1", "REGION 7"]);
  const lookups = new Map([["a6", { ...objects.get("a6")!, lookup: true }]]);
  expect(conditionRefs([row("a6 in 61")], lookups).map(({ kind, id }) => `${kind} ${id}`)).toEqual(["ATTRIBUTE 6", "LOOKUP_VALUE 61"]);
});

/** A second way to the same truth, DU by DU: reads the rows as a text from left to right, one rule of the grammar per function. */
function slowTruth(rows: readonly ConditionRow[], read: (key: string) => unknown): boolean {
  const words = rows.flatMap((given, at): (string | number)[] => [
    ...Array<string>(given.open).fill("("),
    at,
    ...Array<string>(given.close).fill(")"),
    ...(given.logic ? [given.logic] : []),
  ]);
  let place = 0;
  const either = (): boolean => {
    let truth = both();
    while (words[place] === "OR") {
      place++;
      const right = both();
      truth = truth || right;
    }
    return truth;
  };
  const both = (): boolean => {
    let truth = one();
    while (words[place] === "AND") {
      place++;
      const right = one();
      truth = truth && right;
    }
    return truth;
  };
  const one = (): boolean => {
    const word = words[place++];
    if (word !== "(") return slowRow(rows[word as number]!, read);
    const truth = either();
    place++;
    return truth;
  };
  return rows.length === 0 || either();
}

function slowRow({ object, operator, values }: ConditionRow, read: (key: string) => unknown): boolean {
  const key = object.k === "ATTR" ? object.key : `du.${object.f}`;
  const { type } = objects.get(key)!;
  const stored = read(key);
  const blank = stored === null || stored === "" || (typeof stored === "string" && stored.trim() === "");
  if (operator === "isEmpty") return blank;
  if (operator === "isNotEmpty") return !blank;
  if (blank) return operator === "ne" || operator === "notContains" || operator === "notIn";
  const order = (wanted: string | number): number => {
    if (type === "number") return (stored as number) - (wanted as number);
    let given = String(stored).trim();
    if (type === "text") return given.toLowerCase().localeCompare(String(wanted).trim().toLowerCase(), "en");
    if (type === "datetime" && !String(wanted).includes("T")) given = given.split("T")[0]!;
    if (type === "datetime" || type === "date") return Date.parse(given) - Date.parse(String(wanted));
    return Number(given.replace(":", "")) - Number(String(wanted).replace(":", ""));
  };
  const text = String(stored).trim().toLowerCase();
  const piece = String(values[0]).trim().toLowerCase();
  if (operator === "contains") return text.split(piece).length > 1;
  if (operator === "notContains") return text.split(piece).length === 1;
  if (operator === "startsWith") return text.slice(0, piece.length) === piece;
  if (operator === "endsWith") return text.slice(text.length - piece.length) === piece && text.length >= piece.length;
  if (operator === "in" || operator === "notIn") {
    const found = values.some((value) =>
      type === "text" ? text === String(value).trim().toLowerCase() : String(stored) === String(value),
    );
    return found === (operator === "in");
  }
  if (operator === "between") return order(values[0]!) >= 0 && order(values[1]!) <= 0;
  const sign = Math.sign(order(values[0]!));
  const wanted: Record<string, number[]> = {
    eq: [0],
    ne: [-1, 1],
    gt: [1],
    after: [1],
    ge: [0, 1],
    onOrAfter: [0, 1],
    lt: [-1],
    before: [-1],
    le: [-1, 0],
    onOrBefore: [-1, 0],
  };
  return wanted[operator]!.includes(sign);
}

describe("whole columns say what a plain look at every DU says", () => {
  const pools: Record<ObjectType, fc.Arbitrary<string | number>> = {
    text: fc.constantFrom("a", "A ", "ab", "b", " ba", "塔"),
    number: fc.constantFrom(-1, 0, 0.5, 1, 2),
    date: fc.constantFrom("2026-01-31", "2026-02-01", "2026-02-02", "1999-12-31"),
    time: fc.constantFrom("00:00", "09:05", "10:00", "23:59"),
    datetime: fc.constantFrom("2026-02-01T00:00:00", "2026-02-01T12:30:00", "2026-02-02T00:00:00"),
    choice: fc.constantFrom("61", "62"),
  };
  const leaf = fc.constantFrom(...(Object.keys(operators) as ObjectType[])).chain((type) =>
    fc.constantFrom(...operators[type]).chain((operator) => {
      const [least, most] = operator.startsWith("is")
        ? [0, 0]
        : operator === "between"
          ? [2, 2]
          : operator.toLowerCase().includes("in") && !operator.includes("contains") && !operator.includes("Contains")
            ? [1, 3]
            : [1, 1];
      const pool = type === "datetime" ? fc.oneof(pools.datetime, pools.date) : pools[type];
      return fc
        .array(pool, { minLength: least, maxLength: most })
        .map((values) => ({ ...row(`${keyOf[type]} ${operator}`), values }) as ConditionRow);
    }),
  );
  // A tree of up to ten leaves, written down with parentheses that keep its shape.
  type Tree = ConditionRow | { logic: "AND" | "OR"; left: Tree; right: Tree };
  const tree = (leaves: ConditionRow[], bits: number[]): Tree => {
    if (leaves.length === 1) return leaves[0]!;
    const cut = 1 + (bits[0]! % (leaves.length - 1));
    return {
      logic: bits[0]! % 2 ? "AND" : "OR",
      left: tree(leaves.slice(0, cut), bits.slice(1)),
      right: tree(leaves.slice(cut), bits.slice(2)),
    };
  };
  const write = (part: Tree, depth: number): ConditionRow[] => {
    if (!("left" in part)) return [{ ...part }];
    const rows = [...write(part.left, depth + 1), ...write(part.right, depth + 1)];
    rows[write(part.left, depth + 1).length - 1]!.logic = part.logic;
    // Some go without: then AND and OR bind by themselves.
    if (depth > 0 && depth < 3 && part.logic === "OR") {
      rows[0]!.open++;
      rows.at(-1)!.close++;
    }
    return rows;
  };
  const conditions = fc
    .tuple(fc.array(leaf, { minLength: 1, maxLength: 10 }), fc.array(fc.nat(1000), { minLength: 20, maxLength: 20 }))
    .map(([leaves, bits]) => write(tree(leaves, bits), 0));
  const blankOr = (pool: fc.Arbitrary<string | number>) =>
    fc.oneof({ weight: 1, arbitrary: fc.constantFrom(null, "", " ") }, { weight: 4, arbitrary: pool });
  const dus = fc.array(
    fc.record(
      Object.fromEntries(
        Object.entries(pools).map(([type, pool]) => [keyOf[type as ObjectType], type === "number" ? fc.option(pool) : blankOr(pool)]),
      ),
    ),
    { minLength: 1, maxLength: 12 },
  );

  test("for random conditions and values", () => {
    fc.assert(
      fc.property(conditions, dus, (rows, list) => {
        expect(faults(rows)).toEqual([]);
        const columns = new Map<string, ConditionColumn>(
          Object.entries(keyOf).map(([type, key]) => [
            key,
            conditionColumn(
              type as ObjectType,
              list.map((du) => du[key]),
            ),
          ]),
        );
        const fast = [...holdConditions(compileConditions(rows, objects), columns, list.length)].map(Boolean);
        expect(fast).toEqual(list.map((du) => slowTruth(rows, (key) => du[key])));
      }),
      { numRuns: 500 },
    );
  });

  test("80,000 DUs under ten rows take no time worth speaking of", () => {
    const size = 80_000;
    const texts = conditionColumn(
      "text",
      Array.from({ length: size }, (_, at) => (at % 7 ? `Value ${at % 500}` : null)),
    );
    const numbers = conditionColumn(
      "number",
      Array.from({ length: size }, (_, at) => at % 1000),
    );
    const rows = Array.from({ length: 10 }, (_, at) =>
      row(at % 2 ? `a1 contains ${at}` : `a2 ge ${at * 10}`, { logic: at === 9 ? null : at % 3 ? "AND" : "OR" }),
    );
    const begin = performance.now();
    holdConditions(
      compileConditions(rows, objects),
      new Map([
        ["a1", texts],
        ["a2", numbers],
      ]),
      size,
    );
    expect(performance.now() - begin).toBeLessThan(500);
  });
});

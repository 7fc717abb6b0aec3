import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRule, matchRules } from "#lib/activity-flows/rule-runs/logic.ts";
import type { ConditionRow } from "#lib/plan-rules/conditions/logic.ts";
import { type ConditionObjects, conditionColumn } from "#lib/plan-rules/conditions/logic.ts";

const objects: ConditionObjects = new Map([["a1", { type: "text" }]]);
const condition = (value: string) => [
  { open: 0, object: { k: "ATTR" as const, key: "a1" }, operator: "eq" as const, values: [value], close: 0, logic: null, type: "text" },
];
const north = 1;
const south = 2;
type Given = { regionId?: number | null; inForce?: boolean; conditions?: (ConditionRow & { type?: string })[] };
const rule = ({ regionId = null, inForce = true, conditions = [] }: Given) => ({
  regionId,
  inForce,
  compiled: compileRule({ conditions }, objects),
});
/** What becomes of DUs given as region and value: the place of the rule, or the reason. */
const match = (rules: Given[], dus: [number | null, string | null][]) => {
  const block = {
    duIds: dus.map((_, at) => at + 1),
    regionIds: dus.map(([region]) => region),
    columns: new Map([
      [
        "a1",
        conditionColumn(
          "text",
          dus.map(([, value]) => value),
        ),
      ],
    ]),
  };
  const { winners, reasons } = matchRules(rules.map(rule), block);
  return dus.map((_, at) => (winners[at] === -1 ? reasons[at] : winners[at]));
};

describe("the rule that decides", () => {
  test("a rooftop in the north takes the first rule, one in the south and a DU without region the second", () => {
    const rules = [{ regionId: north, conditions: condition("rooftop") }, {}];
    expect(
      match(rules, [
        [north, "Rooftop"],
        [south, "Rooftop"],
        [null, "Rooftop"],
        [north, "Field"],
      ]),
    ).toEqual([0, 1, 1, 1]);
  });

  test("is the first in order, and one out of force decides nothing", () => {
    expect(match([{}, {}], [[north, null]])).toEqual([0]);
    expect(match([{ inForce: false }, {}], [[north, null]])).toEqual([1]);
  });
});

describe("why none decides", () => {
  test.each([
    ["no rule at all", [], [north, "x"], "NO_RULE"],
    ["none in force fits", [{ conditions: condition("y") }], [north, "x"], "NO_RULE"],
    ["one out of force would", [{ inForce: false }], [north, "x"], "RULE_INVALID"],
    ["one out of force would not", [{ inForce: false, conditions: condition("y") }], [north, "x"], "NO_RULE"],
    ["one out of force of another region", [{ inForce: false, regionId: south }], [north, "x"], "NO_RULE"],
    ["only one with a region would, and the DU has none", [{ regionId: south }], [null, "x"], "NO_REGION"],
    ["its region is another", [{ regionId: south }], [north, "x"], "NO_RULE"],
    ["one with a region, out of force", [{ regionId: south, inForce: false }], [null, "x"], "NO_RULE"],
    ["a region rule in force before an invalid one", [{ inForce: false }, { regionId: south }], [null, "x"], "NO_REGION"],
  ] as [string, Given[], [number | null, string], string][])("%s", (_title, rules, du, reason) => {
    expect(match(rules, [du])).toEqual([reason]);
  });

  test("conditions on what is gone or is of another type hold for nobody", () => {
    const gone = [{ ...condition("x")[0]!, object: { k: "ATTR" as const, key: "a9" } }];
    const other = [{ ...condition("x")[0]!, type: "number" }];
    for (const conditions of [gone, other]) expect(match([{ conditions, inForce: false }], [[north, "x"]])).toEqual(["NO_RULE"]);
  });
});

test("every DU is judged as by itself", () => {
  const given = fc.record({
    regionId: fc.constantFrom(null, north, south),
    inForce: fc.boolean(),
    conditions: fc.constantFrom([], condition("x"), condition("y")),
  });
  const du = fc.tuple(fc.constantFrom(null, north, south), fc.constantFrom(null, "x", "y"));
  fc.assert(
    fc.property(fc.array(given, { maxLength: 6 }), fc.array(du, { minLength: 1, maxLength: 10 }), (rules, dus) => {
      const plain = dus.map(([region, value]) => {
        const holding = rules
          .map((each, at) => ({ ...each, at }))
          .filter(({ conditions }) => conditions.length === 0 || conditions[0]!.values[0] === value);
        const fits = holding.filter(({ regionId }) => regionId === null || regionId === region);
        const first = fits.find(({ inForce }) => inForce);
        if (first) return first.at;
        if (region === null && holding.some(({ regionId, inForce }) => inForce && regionId !== null)) return "NO_REGION";
        return fits.length > 0 ? "RULE_INVALID" : "NO_RULE";
      });
      expect(match(rules, dus)).toEqual(plain);
    }),
  );
});

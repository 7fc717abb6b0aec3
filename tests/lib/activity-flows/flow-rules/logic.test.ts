import { describe, expect, test } from "vitest";
import { type RuleFacts, regionsOf, ruleFaults } from "#lib/activity-flows/flow-rules/logic.ts";

const facts: RuleFacts = {
  flows: new Map([
    [1, { name: "Released", released: true }],
    [2, { name: "Off", released: false }],
  ]),
  regions: new Map([
    [5, { name: "North", valid: true }],
    [6, { name: "Old", valid: false }],
  ]),
  attributes: new Map([
    ["a1", { name: "Good", type: "text", shown: true, deleted: false }],
    ["a2", { name: "Gone", type: "text", shown: true, deleted: true }],
    ["a3", { name: "Hidden", type: "text", shown: false, deleted: false }],
    ["a4", { name: "Number now", type: "number", shown: true, deleted: false }],
  ]),
};
const row = (key: string) => ({ object: { k: "ATTR" as const, key }, operator: "eq", values: ["x"], type: "text" as const });
const region = (...ids: number[]) => ({
  object: { k: "DU" as const, f: "region" },
  operator: "in",
  values: ids.map(String),
  type: "choice" as const,
});
const faults = (rule: Partial<Parameters<typeof ruleFaults>[0]>) =>
  ruleFaults({ flowId: 1, regionId: null, conditions: [], ...rule }, facts).map(({ reason, name }) => `${reason} ${name}`);

describe("what keeps a rule from being in force", () => {
  test.each([
    [{}, []],
    [{ flowId: 2 }, ["FLOW_INVALID Off"]],
    [{ flowId: 9 }, ["FLOW_INVALID 9"]],
    [{ regionId: 5 }, []],
    [{ regionId: 6 }, ["REGION_INVALID Old"]],
    [{ conditions: [region(5, 6)] }, ["REGION_INVALID Old"]],
    [{ conditions: [row("a1")] }, []],
    [{ conditions: [row("a2")] }, ["ATTRIBUTE_INVALID Gone"]],
    [{ conditions: [row("a9")] }, ["ATTRIBUTE_INVALID a9"]],
    [{ conditions: [row("a3")] }, ["ATTRIBUTE_NOT_DISPLAYED Hidden"]],
    [{ conditions: [row("a4")] }, ["ATTRIBUTE_TYPE_CHANGED Number now"]],
    [{ flowId: 2, regionId: 6, conditions: [row("a2"), row("a2")] }, ["FLOW_INVALID Off", "REGION_INVALID Old", "ATTRIBUTE_INVALID Gone"]],
  ])("%j: %j", (rule, expected) => {
    expect(faults(rule)).toEqual(expected);
  });
});

test("a rule names its own region and those of its conditions, each once", () => {
  expect(regionsOf({ regionId: 5, conditions: [region(6, 5), row("a1")] })).toEqual([5, 6]);
});

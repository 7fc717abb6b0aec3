import { describe, expect, test } from "vitest";
import { DeleteNodes, SaveGraph, SaveNode } from "#lib/activity-flows/graph/schema.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";

const node = (fields: object = {}) => ({ key: "a", name: "Survey", ...fields });
const graph = (fields: object = {}) => ({ flowId: 1, rowVersion: 1, nodes: [node()], relations: [], ...fields });
const related = (relation: object) =>
  graph({ nodes: [node(), node({ key: "b", name: "Design" })], relations: [{ pre: "a", node: "b", type: "FS", ...relation }] });

function problems(input: unknown, schema: typeof SaveGraph | typeof SaveNode = SaveGraph): string[] {
  const parsed = schema.safeParse(input);
  return parsed.success ? [] : zodProblems(parsed.error, input).map(({ path, code }) => `${path} ${code}`);
}

describe("an activity", () => {
  test.each([
    ["lead time 0", node({ leadTimeDays: 0 }), []],
    ["lead time 1095", node({ leadTimeDays: 1095 }), []],
    ["lead time 1096", node({ leadTimeDays: 1096 }), ["nodes.0.leadTimeDays VALUE_TOO_LARGE"]],
    ["lead time -1", node({ leadTimeDays: -1 }), ["nodes.0.leadTimeDays NUMBER_NEGATIVE"]],
    ["half a day of lead time", node({ leadTimeDays: 1.5 }), ["nodes.0.leadTimeDays NUMBER_INTEGER"]],
    ["name of 150", node({ name: "n".repeat(150) }), []],
    ["name of 151", node({ name: "n".repeat(151) }), ["nodes.0.name VALUE_TOO_LONG"]],
    ["name of 150 Chinese characters", node({ name: "站".repeat(150) }), []],
    ["blank name", node({ name: "  " }), ["nodes.0.name VALUE_MISSING"]],
    ["unknown field", node({ slot: 3 }), ["nodes.0.slot VALUE_UNKNOWN"]],
  ])("%s", (_title, given, expected) => {
    expect(problems(graph({ nodes: [given] }))).toEqual(expected);
  });
});

describe("an offset is a whole number of days [SCH-08]", () => {
  test.each([
    [0, []],
    [1095, []],
    [-1095, []],
    [1096, ["relations.0.offset VALUE_TOO_LARGE"]],
    [-1096, ["relations.0.offset VALUE_TOO_SMALL"]],
    [0.5, ["relations.0.offset NUMBER_INTEGER"]],
    [-2.25, ["relations.0.offset NUMBER_INTEGER"]],
    ["2", ["relations.0.offset VALUE_FORMAT"]],
    [null, ["relations.0.offset VALUE_FORMAT"]],
  ])("%j, of a graph and of a single activity", (offset, expected) => {
    expect(problems(related({ offset }))).toEqual(expected);
    const single = { flowId: 1, rowVersion: 1, node: { name: "A" }, relations: [{ preNodeId: 1, type: "FS", offset }] };
    expect(problems(single, SaveNode)).toEqual(expected);
  });
});

describe("a graph", () => {
  test.each([
    [
      "relation of every type",
      graph({
        nodes: [node(), node({ key: "b", name: "B" })],
        relations: ["FS", "SS", "FF", "SF"].map((type) => ({ pre: "a", node: "b", type })),
      }),
      [],
    ],
    ["relation of no known type", related({ type: "XX" }), ["relations.0.type VALUE_UNKNOWN"]],
    ["relation to an activity that is not in it", related({ pre: "z" }), ["relations.0.pre VALUE_UNKNOWN"]],
    ["two activities of one key", graph({ nodes: [node(), node({ name: "B" })] }), ["nodes.1.key VALUE_REPEATED"]],
    ["two activities of one id", graph({ nodes: [node({ id: 5 }), node({ key: "b", name: "B", id: 5 })] }), ["nodes.1.id VALUE_REPEATED"]],
    ["500 activities", graph({ nodes: Array.from({ length: 500 }, (_, n) => node({ key: `k${n}`, name: `A${n}` })) }), []],
    ["501 activities", graph({ nodes: Array.from({ length: 501 }, (_, n) => node({ key: `k${n}`, name: `A${n}` })) }), ["nodes TOO_MANY"]],
    ["no revision", { ...graph(), rowVersion: undefined }, ["rowVersion VALUE_MISSING"]],
  ])("%s", (_title, given, expected) => {
    expect(problems(given)).toEqual(expected);
  });

  test("every problem is reported together", () => {
    const given = graph({ nodes: [node({ name: "", leadTimeDays: 2000 }), node({ key: "b", leadTimeDays: -5 })] });
    expect(problems(given)).toEqual([
      "nodes.0.name VALUE_MISSING",
      "nodes.0.leadTimeDays VALUE_TOO_LARGE",
      "nodes.1.leadTimeDays NUMBER_NEGATIVE",
    ]);
  });
});

test("a relation of a single activity names exactly one other end", () => {
  const input = (relation: object) => SaveNode.safeParse({ flowId: 1, rowVersion: 1, node: { name: "A" }, relations: [relation] }).success;
  expect(
    [{ preNodeId: 1, type: "FS" }, { nodeId: 1, type: "FS" }, { type: "FS" }, { preNodeId: 1, nodeId: 2, type: "FS" }].map(input),
  ).toEqual([true, true, false, false]);
});

test("a deletion names at least one activity", () => {
  expect(DeleteNodes.safeParse({ ids: [] }).success).toBe(false);
});

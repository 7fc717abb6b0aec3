import { describe, expect, test } from "vitest";
import type { RelationType } from "#lib/activity-flows/graph/limits.ts";
import type { Graph } from "#lib/activity-flows/graph/logic.ts";
import {
  ACTIVITY_REPEAT,
  CYCLE,
  FLOW_EMPTY,
  NO_ANCHOR,
  RELATION_REPEAT,
  RELATION_REQUIRED,
  releaseGraphRules,
  saveGraphRules,
} from "#lib/activity-flows/graph/rules.ts";
import { brokenRules } from "#lib/core/rule.ts";

/** "A* B C | A>B:FS C>A" : activities (a star is an anchor) and relations (without type where none is written). */
function graph(text: string): Graph {
  const [nodes = "", relations = ""] = text.split("|");
  const words = (part: string) => part.split(" ").filter(Boolean);
  return {
    nodes: words(nodes).map((word) => ({ key: word.replace("*", ""), name: word.replace("*", ""), isAnchor: word.endsWith("*") })),
    relations: words(relations).map((word) => {
      const [ends = "", type] = word.split(":");
      const [pre = "", node = ""] = ends.split(">");
      return { pre, node, type: (type ?? null) as RelationType | null, offset: 0 };
    }),
  };
}

const named = (...names: string[]): Graph => ({
  nodes: names.map((name, at) => ({ key: String(at), name, isAnchor: true })),
  relations: [],
});

describe("ACTIVITY_REPEAT", () => {
  test.each([
    [["Survey", "Design"], false],
    [["Survey", "Survey"], { names: "Survey, Survey" }],
    [["Survey", "sURVEY"], { names: "Survey, sURVEY" }],
    [["Survey", " survey "], { names: "Survey,  survey " }],
    [["Ärger", "ÄRGER"], { names: "Ärger, ÄRGER" }],
    [["勘察", "勘察 2"], false],
  ])("names %j [FLW-32]", (names, expected) => {
    expect(ACTIVITY_REPEAT.broken(named(...names))).toEqual(expected);
  });

  test("one library activity under two names [FLW-32]", () => {
    const nodes = [
      { key: "1", name: "Survey", activityId: 7, isAnchor: true },
      { key: "2", name: "Second survey", activityId: 7, isAnchor: false },
    ];
    expect(ACTIVITY_REPEAT.broken({ nodes, relations: [] })).toEqual({ names: "Survey, Second survey" });
    expect(ACTIVITY_REPEAT.broken({ nodes: nodes.map((node, at) => ({ ...node, activityId: at + 1 })), relations: [] })).toBe(false);
    expect(ACTIVITY_REPEAT.broken({ nodes: nodes.map((node) => ({ ...node, activityId: null })), relations: [] })).toBe(false);
  });
});

describe("RELATION_REQUIRED", () => {
  test("every relation has a type", () => expect(RELATION_REQUIRED.broken(graph("A* B | A>B:SF"))).toBe(false));
  test("one has none", () => expect(RELATION_REQUIRED.broken(graph("A* B C | A>B:FS A>C"))).toEqual({ names: "C" }));
});

describe("RELATION_REPEAT", () => {
  test("same ends, other type", () => expect(RELATION_REPEAT.broken(graph("A* B | A>B:SS A>B:FF"))).toBe(false));
  test("same ends and type", () => expect(RELATION_REPEAT.broken(graph("A* B | A>B:SS A>B:SS"))).toEqual({ names: "B" }));
});

describe("CYCLE", () => {
  test.each([
    ["A* B C | A>B:FS B>C:FS A>C:SS", false],
    ["A* | A>A:FS", { loop: "A → A" }],
    ["A* B | A>B:FS B>A:SS", { loop: "A → B → A" }],
    ["X A* B C | X>A:FS A>B:FS B>C:FF C>A:SF", { loop: "A → B → C → A" }],
  ])("%s", (text, expected) => {
    expect(CYCLE.broken(graph(text))).toEqual(expected);
  });
});

describe("FLOW_EMPTY and NO_ANCHOR", () => {
  test("nothing in it", () => {
    expect(FLOW_EMPTY.broken(graph(""))).toBe(true);
    expect(NO_ANCHOR.broken(graph(""))).toBe(false);
  });
  test("no anchor", () => {
    expect(FLOW_EMPTY.broken(graph("A"))).toBe(false);
    expect(NO_ANCHOR.broken(graph("A B | A>B:FS"))).toBe(true);
  });
  test("one anchor", () => expect(NO_ANCHOR.broken(graph("A B* | A>B:FS"))).toBe(false));
});

test("a draft may be saved without anchor, but not with a loop", () => {
  expect(brokenRules(saveGraphRules, graph("A B | A>B:FS"))).toEqual([]);
  expect(brokenRules(saveGraphRules, graph("A B | A>B:FS B>A:FS")).map((problem) => problem.code)).toEqual(["CYCLE"]);
});

test("a release reports everything that is missing at once, a repeated name among it [FLW-32]", () => {
  expect(brokenRules(releaseGraphRules, graph("A a B | A>B B>A:FS")).map((problem) => problem.code)).toEqual([
    "CYCLE",
    "RELATION_REQUIRED",
    "NO_ANCHOR",
    "ACTIVITY_REPEAT",
  ]);
});

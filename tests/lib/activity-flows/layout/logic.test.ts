import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nodesMax, positionMax } from "#lib/activity-flows/graph/limits.ts";
import { coveredRelations, layoutGraph, nodeHeight, nodeWidth, relationPath } from "#lib/activity-flows/layout/logic.ts";

const keys = Array.from({ length: 8 }, (_, at) => `k${at}`);
const relations = fc.array(fc.record({ pre: fc.constantFrom(...keys), node: fc.constantFrom(...keys) }), { maxLength: 12 });

test("no two activities overlap, loops included", () => {
  fc.assert(
    fc.property(relations, (given) => {
      const places = [...layoutGraph(keys, given).values()];
      expect(places).toHaveLength(keys.length);
      for (const [at, a] of places.entries())
        for (const b of places.slice(at + 1)) expect(Math.abs(a.x - b.x) >= nodeWidth || Math.abs(a.y - b.y) >= nodeHeight).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test("relations run from left to right", () => {
  fc.assert(
    fc.property(relations, (given) => {
      const forward = given.filter(({ pre, node }) => keys.indexOf(pre) < keys.indexOf(node));
      const places = layoutGraph(keys, forward);
      for (const { pre, node } of forward) expect(places.get(pre)!.x).toBeLessThan(places.get(node)!.x);
    }),
    { numRuns: 100 },
  );
});

test("the same input gives the same picture", () => {
  const given = [
    { pre: "k0", node: "k1" },
    { pre: "k0", node: "k2" },
  ];
  expect(layoutGraph(keys, given)).toEqual(layoutGraph(keys, given));
});

describe("the way of an arrow", () => {
  const at = (x: number, y: number, side: "start" | "end") => ({ x, y, side });

  test("is straight along a row, has one step between rows", () => {
    expect(relationPath(at(176, 28, "end"), at(248, 28, "start"), false)).toEqual({ path: "M176,28 H248", labelX: 212, labelY: 28 });
    expect(relationPath(at(176, 28, "end"), at(248, 112, "start"), false).path).toBe("M176,28 H212 V112 H248");
  });

  test.each([
    ["back to an earlier activity", at(500, 28, "end"), at(100, 28, "start"), false],
    ["from start to start", at(0, 28, "start"), at(248, 28, "start"), false],
    ["from end to end", at(176, 28, "end"), at(424, 28, "end"), false],
    ["from start to end", at(0, 28, "start"), at(424, 28, "end"), false],
    ["past an activity in between", at(176, 28, "end"), at(496, 28, "start"), true],
  ])("%s goes around below the row", (_title, source, target, detour) => {
    const { path, labelY } = relationPath(source, target, detour);
    expect(labelY).toBeGreaterThanOrEqual(28 + nodeHeight / 2);
    expect(path.startsWith(`M${source.x},${source.y} H${source.side === "end" ? source.x + 14 : source.x - 14}`)).toBe(true);
    expect(path.endsWith(`H${target.x}`)).toBe(true);
  });

  test("is covered where another activity stands on it", () => {
    const node = (key: string, x: number, y = 0) => ({ key, x, y });
    const relation = { pre: "a", node: "c", type: "FS" };
    expect(coveredRelations({ nodes: [node("a", 0), node("b", 248), node("c", 496)], relations: [relation] })).toEqual([relation]);
    expect(coveredRelations({ nodes: [node("a", 0), node("b", 248, 84), node("c", 496)], relations: [relation] })).toEqual([]);
    expect(coveredRelations({ nodes: [node("a", 0), node("b", 248, 84), node("c", 496, 168)], relations: [relation] })).toEqual([relation]);
  });
});

test("the longest chain and the widest row of a flow get places that can be stored", { timeout: 60_000 }, () => {
  const all = Array.from({ length: nodesMax }, (_, at) => `n${at}`);
  const chain = all.slice(1).map((node, at) => ({ pre: all[at]!, node }));
  const fan = all.slice(1).map((node) => ({ pre: all[0]!, node }));
  for (const given of [chain, fan, []])
    for (const { x, y } of layoutGraph(all, given).values()) expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(positionMax);
});

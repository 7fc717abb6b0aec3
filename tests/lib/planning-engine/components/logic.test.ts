import { expect, test } from "vitest";
import { findComponents } from "#lib/planning-engine/components/logic.ts";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { rollOut } from "#tests/support/roll-out.ts";

test("regions that share neither teams nor warehouses are components, numbered by their smallest DU", () => {
  const { problem } = rollOut(200, 12, 100, 1);
  const components = findComponents(normalise(problem).ready!);
  expect(components).toHaveLength(10);
  expect(components.map(({ number }) => number)).toEqual([...components.keys()]);
  const smallest = components.map(({ dus }) => dus[0]!);
  expect(smallest).toEqual([...smallest].sort((left, right) => left - right));
  for (const { dus, pools, jobs } of components) {
    expect(new Set(Array.from(dus, (du) => problem.dus.region[du])).size).toBe(1);
    expect(pools).toHaveLength(5);
    expect(jobs).toBe(dus.length * 12);
  }
});

test("one central warehouse makes one component", () => {
  const components = findComponents(normalise(rollOut(200, 12, 100, 1, true).problem).ready!);
  expect(components).toHaveLength(1);
  expect(components[0]!.pools).toHaveLength(50);
});

import { describe, expect, it } from "vitest";
import { type DependencyRow, type DependencyRule, findUnmet } from "#lib/dependency-rules/rule-set/logic.ts";

type Slot = { start?: number; end?: number; closed?: boolean; na?: boolean };
const row = (slots: Record<number, Slot>): DependencyRow => ({
  inFlow: (slot) => slot in slots,
  applicable: (slot) => slot in slots && !slots[slot]?.na,
  actualStart: (slot) => slots[slot]?.start ?? 0,
  actualEnd: (slot) => slots[slot]?.end ?? 0,
  closed: (slot) => slots[slot]?.closed ?? false,
});
/** Installation (2) starts only when MOS (1) is completed. */
const rule: DependencyRule = { flowId: null, target: { slot: 2, event: "START" }, prerequisites: [{ slot: 1, event: "COMPLETE" }] };
const unmet = (before: Record<number, Slot>, after: Record<number, Slot>, given = rule) =>
  findUnmet([given], 7, row(before), row(after)).length;

describe("findUnmet", () => {
  const both = { 1: {}, 2: {} };
  const cases: [title: string, count: number][] = [
    ["the target starts while the prerequisite is open", unmet(both, { 1: { start: 5 }, 2: { start: 6 } })],
    ["an actual end causes the start too", unmet(both, { 1: {}, 2: { end: 6 } })],
  ];
  it.each(cases)("%s: one", (_title, count) => {
    expect(count).toBe(1);
  });
  const passing: [title: string, count: number][] = [
    ["one save fills both", unmet(both, { 1: { end: 5 }, 2: { start: 6 } })],
    ["an old violation", unmet({ 1: {}, 2: { start: 6 } }, { 1: {}, 2: { start: 6, end: 7 } })],
    ["an NA prerequisite", unmet({ 1: { na: true }, 2: {} }, { 1: { na: true }, 2: { start: 6 } })],
    ["a prerequisite outside the flow", unmet({ 2: {} }, { 2: { start: 6 } })],
    ["a rule of another flow", unmet(both, { 1: {}, 2: { start: 6 } }, { ...rule, flowId: 8 })],
    ["clearing the prerequisite", unmet({ 1: { end: 5 }, 2: { start: 6 } }, { 1: {}, 2: { start: 6 } })],
  ];
  it.each(passing)("%s: none", (_title, count) => {
    expect(count).toBe(0);
  });
  it("tests closing by its bit", () => {
    const closing: DependencyRule = { flowId: 7, target: { slot: 2, event: "CLOSE" }, prerequisites: [{ slot: 1, event: "CLOSE" }] };
    expect(unmet(both, { 1: {}, 2: { closed: true } }, closing)).toBe(1);
    expect(unmet(both, { 1: { closed: true }, 2: { closed: true } }, closing)).toBe(0);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ActivityEvent,
  type DependencyNode,
  type DependencyRow,
  type DependencyRule,
  eventKey,
  findCleared,
  findLoop,
  findUnmet,
  findViolations,
  type ObjectEvent,
  type ObjectRule,
  ruleKey,
} from "#lib/dependency-rules/rule-set/logic.ts";

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

describe("attributes in rules", () => {
  const needs: DependencyRule = {
    flowId: null,
    target: { slot: 2, event: "COMPLETE" },
    prerequisites: [{ attributeId: 7, event: "MAINTAIN" }],
  };
  const wants: DependencyRule = {
    flowId: null,
    target: { attributeId: 7, event: "MAINTAIN" },
    prerequisites: [{ slot: 1, event: "START" }],
  };
  const held = (slots: Record<number, Slot>, ...ids: number[]) => ({ ...row(slots), maintained: (id: number) => ids.includes(id) });

  it("are prerequisites once they are filled in", () => {
    const [open, done] = [{ 2: {} }, { 2: { end: 5 } }];
    expect(findUnmet([needs], 7, held(open), held(done))).toHaveLength(1);
    expect(findUnmet([needs], 7, held(open), held(done, 7))).toEqual([]);
  });
  it("are targets when they are filled in first", () => {
    expect(findUnmet([wants], 7, held({ 1: {} }), held({ 1: {} }, 7))).toHaveLength(1);
    expect(findUnmet([wants], 7, held({ 1: {} }, 7), held({ 1: {} }, 7))).toEqual([]);
    expect(findUnmet([wants], 7, held({ 1: {} }), held({ 1: { start: 4 } }, 7))).toEqual([]);
  });
  it("taken away from a target that has happened is a question", () => {
    expect(findCleared([needs], 7, held({ 2: { end: 5 } }, 7), held({ 2: { end: 5 } }))).toHaveLength(1);
    expect(findCleared([needs], 7, held({ 2: {} }, 7), held({ 2: {} }))).toEqual([]);
  });
});

describe("findLoop", () => {
  const at = (activityId: number, event: ActivityEvent): ObjectEvent => ({ activityId, event });
  const needs = (target: ObjectEvent, prerequisite: ObjectEvent, flowId: number | null = null): ObjectRule => ({
    flowId,
    target,
    prerequisites: [prerequisite],
  });
  const way = (inForce: ObjectRule[], added: ObjectRule[]) => findLoop(inForce, added)?.map(eventKey) ?? null;

  it("goes along the events of an activity [DEP-10]", () => {
    const install = needs(at(2, "START"), at(1, "COMPLETE"));
    const survey = needs(at(1, "START"), at(2, "COMPLETE"));
    expect(way([install], [survey])).toEqual(["1.START", "1.COMPLETE", "2.START", "2.COMPLETE", "1.START"]);
    expect(way([install], [needs(at(1, "CLOSE"), at(2, "COMPLETE"))])).toBeNull();
  });
  it("closes on an activity that waits for itself", () => {
    expect(way([], [needs(at(1, "START"), at(1, "COMPLETE"))])).toEqual(["1.START", "1.COMPLETE", "1.START"]);
    expect(way([], [needs(at(1, "COMPLETE"), at(1, "COMPLETE"))])).toEqual(["1.COMPLETE", "1.COMPLETE"]);
  });
  it("keeps flows apart, and a rule of every flow in all of them", () => {
    const [there, back] = [needs(at(2, "START"), at(1, "START"), 7), needs(at(1, "START"), at(2, "START"), 8)];
    expect(way([there], [back])).toBeNull();
    expect(way([there], [{ ...back, flowId: 7 }])).not.toBeNull();
    expect(way([there], [{ ...back, flowId: null }])).not.toBeNull();
  });
  it("is found among the added rules themselves", () => {
    expect(way([], [needs(at(1, "START"), at(2, "START")), needs(at(2, "START"), at(1, "START"))])).not.toBeNull();
  });

  const event = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom<ActivityEvent>("START", "COMPLETE", "CLOSE"));
  const rules = fc.array(
    fc.tuple(fc.constantFrom(null, 7, 8), event, fc.array(event, { minLength: 1, maxLength: 3 })).map(
      ([flowId, target, prerequisites]): ObjectRule => ({
        flowId,
        target: at(...target),
        prerequisites: prerequisites.map((given) => at(...given)),
      }),
    ),
    { maxLength: 6 },
  );
  it("says the same as reaching everything step by step", () => {
    fc.assert(
      fc.property(rules, (given) => {
        // Nothing can be done in any order exactly when a circle holds it up.
        const circle = [null, 7, 8].some((flow) => {
          const asked = given.filter(({ flowId }) => flowId === null || flowId === flow);
          const done = new Set<string>();
          const ordered = [1, 2, 3, 4].flatMap((id) => (["START", "COMPLETE", "CLOSE"] as const).map((name) => at(id, name)));
          for (let before = -1; before < done.size; ) {
            before = done.size;
            for (const node of ordered) {
              const { activityId, event: name } = node as { activityId: number; event: ActivityEvent };
              const earlier = name === "START" ? [] : [at(activityId, name === "CLOSE" ? "COMPLETE" : "START")];
              const wanted = asked.flatMap(({ target, prerequisites }) => (eventKey(target) === eventKey(node) ? prerequisites : []));
              if ([...earlier, ...wanted].every((other) => done.has(eventKey(other)))) done.add(eventKey(node));
            }
          }
          return done.size < ordered.length;
        });
        expect(findLoop([], given) !== null).toBe(circle);
      }),
      { numRuns: 300 },
    );
  });
});

describe("rules on random rows", () => {
  const event = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("START", "COMPLETE", "CLOSE", "MAINTAIN" as const));
  const node = event.map(
    ([id, name]): DependencyNode => (name === "MAINTAIN" ? { attributeId: id, event: name } : { slot: id, event: name as ActivityEvent }),
  );
  const ruleOf = fc.record({
    flowId: fc.constantFrom(null, 7, 8),
    target: node,
    prerequisites: fc.array(node, { minLength: 1, maxLength: 5 }),
  });
  const slot = fc.record({
    inFlow: fc.boolean(),
    na: fc.boolean(),
    start: fc.constantFrom(0, 3),
    end: fc.constantFrom(0, 5),
    closed: fc.boolean(),
  });
  type Fact = { inFlow: boolean; na: boolean; start: number; end: number; closed: boolean };
  const plan = fc.record({
    slots: fc.array(slot, { minLength: 4, maxLength: 4 }),
    held: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  });
  type Plan = { slots: Fact[]; held: boolean[] };
  const look = ({ slots, held }: Plan): DependencyRow => ({
    inFlow: (id) => slots[id - 1]!.inFlow,
    applicable: (id) => slots[id - 1]!.inFlow && !slots[id - 1]!.na,
    actualStart: (id) => slots[id - 1]!.start,
    actualEnd: (id) => slots[id - 1]!.end,
    closed: (id) => slots[id - 1]!.closed,
    maintained: (id) => held[id - 1]!,
  });
  /** Every event of a row that has happened, as words. */
  const happenedIn = ({ slots, held }: Plan) =>
    new Set([
      ...slots.flatMap(({ start, end, closed }, at) => [
        ...(start || end ? [`${at + 1} START`] : []),
        ...(end ? [`${at + 1} COMPLETE`] : []),
        ...(closed ? [`${at + 1} CLOSE`] : []),
      ]),
      ...held.flatMap((filled, at) => (filled ? [`${at + 1} MAINTAIN`] : [])),
    ]);
  const word = (given: DependencyNode) => `${given.event === "MAINTAIN" ? given.attributeId : given.slot} ${given.event}`;
  const awaited = ({ slots }: Plan, given: DependencyNode) =>
    given.event === "MAINTAIN" || (slots[given.slot - 1]!.inFlow && !slots[given.slot - 1]!.na);
  const present = ({ slots }: Plan, given: DependencyNode) => given.event === "MAINTAIN" || slots[given.slot - 1]!.inFlow;

  it("unmet, cleared and violated are what sets of events say", () => {
    fc.assert(
      fc.property(fc.array(ruleOf, { maxLength: 8 }), plan, plan, fc.constantFrom(7, 8), (rules, before, after, flowId) => {
        const [was, is] = [happenedIn(before), happenedIn(after)];
        const pairs = rules
          .filter((given) => [null, flowId].includes(given.flowId) && present(after, given.target))
          .flatMap(({ target, prerequisites }) => prerequisites.map((prerequisite) => ({ target, prerequisite })))
          .filter(({ prerequisite }) => awaited(after, prerequisite) && !is.has(word(prerequisite)));
        expect(findUnmet(rules, flowId, look(before), look(after))).toEqual(
          pairs.filter(({ target }) => !was.has(word(target)) && is.has(word(target))),
        );
        expect(findCleared(rules, flowId, look(before), look(after))).toEqual(
          pairs.filter(({ target, prerequisite }) => was.has(word(target)) && is.has(word(target)) && was.has(word(prerequisite))),
        );
        const violated = findViolations(rules, flowId, look(after)).flatMap(({ target, unmet }) =>
          unmet.map((one) => [word(target), word(one)]),
        );
        expect(violated).toEqual(pairs.map(({ target, prerequisite }) => [word(target), word(prerequisite)]));
      }),
      { numRuns: 500 },
    );
  });
});

describe("ruleKey", () => {
  it("is equal whatever the order of the prerequisites, and differs with flow, target and event [DEP-09]", () => {
    const [a, b]: ObjectEvent[] = [
      { activityId: 1, event: "COMPLETE" },
      { attributeId: 4, event: "MAINTAIN" },
    ];
    const target: ObjectEvent = { activityId: 2, event: "START" };
    const key = ruleKey({ flowId: null, target, prerequisites: [a!, b!] });
    expect(ruleKey({ flowId: null, target, prerequisites: [b!, a!] })).toBe(key);
    expect(ruleKey({ flowId: 3, target, prerequisites: [a!, b!] })).not.toBe(key);
    expect(ruleKey({ flowId: null, target: { ...target, event: "CLOSE" } as ObjectEvent, prerequisites: [a!, b!] })).not.toBe(key);
    expect(ruleKey({ flowId: null, target, prerequisites: [a!] })).not.toBe(key);
  });
});

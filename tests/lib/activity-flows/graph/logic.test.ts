import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { relationTypes } from "#lib/activity-flows/graph/limits.ts";
import {
  checkGraph,
  findCycle,
  type GraphRelation,
  graphDiff,
  loopText,
  parseLeadTime,
  parsePredecessors,
  predecessorsText,
  relationLabel,
  unlinkedNodes,
} from "#lib/activity-flows/graph/logic.ts";

const keysOf = (size: number) => Array.from({ length: size }, (_, at) => `k${at}`);
const graphs = fc.integer({ min: 1, max: 9 }).chain((size) =>
  fc.record({
    keys: fc.constant(keysOf(size)),
    relations: fc.array(fc.record({ pre: fc.constantFrom(...keysOf(size)), node: fc.constantFrom(...keysOf(size)) }), { maxLength: 14 }),
  }),
);

/** Reachability by repeated squaring of the relation: a loop exists exactly when something reaches itself. */
function reaches(keys: readonly string[], relations: readonly { pre: string; node: string }[]): Map<string, Set<string>> {
  const next = new Map(
    keys.map((key) => [key, new Set(relations.filter((relation) => relation.pre === key).map((relation) => relation.node))]),
  );
  for (const _ of keys) for (const set of next.values()) for (const key of [...set]) for (const far of next.get(key)!) set.add(far);
  return next;
}

describe("findCycle", () => {
  test("finds a loop exactly when an activity reaches itself", () => {
    fc.assert(
      fc.property(graphs, ({ keys, relations }) => {
        const slow = reaches(keys, relations);
        expect(findCycle(keys, relations) !== null).toBe(keys.some((key) => slow.get(key)!.has(key)));
      }),
      { numRuns: 2000 },
    );
  });

  test("what it names is a loop: every step is a relation, no activity twice", () => {
    fc.assert(
      fc.property(graphs, ({ keys, relations }) => {
        const loop = findCycle(keys, relations);
        if (!loop) return;
        expect(new Set(loop).size).toBe(loop.length);
        loop.forEach((key, at) => {
          const following = loop[(at + 1) % loop.length];
          expect(relations.some((relation) => relation.pre === key && relation.node === following)).toBe(true);
        });
      }),
      { numRuns: 2000 },
    );
  });

  test("a chain of 500 activities is followed without recursion", () => {
    const keys = keysOf(500);
    const relations = keys.slice(1).map((node, at) => ({ pre: keys[at]!, node }));
    expect(findCycle(keys, relations)).toBeNull();
    expect(findCycle(keys, [...relations, { pre: "k499", node: "k0" }])).toHaveLength(500);
  });

  test("relations to activities outside are ignored", () =>
    expect(
      findCycle(
        ["a"],
        [
          { pre: "a", node: "b" },
          { pre: "b", node: "a" },
        ],
      ),
    ).toBeNull());
});

test("a loop is read as arrows and shortened in the middle", () => {
  expect(loopText(["A", "B"])).toBe("A → B → A");
  expect(loopText(["A", "B", "C", "D", "E", "F", "G", "H", "I"])).toBe("A → B → C → D → E → … → H → I → A");
});

describe("unlinkedNodes", () => {
  test("are those outside every component with an anchor", () => {
    const anchored = graphs.chain((graph) => fc.record({ graph: fc.constant(graph), anchors: fc.subarray(graph.keys) }));
    fc.assert(
      fc.property(anchored, ({ graph, anchors }) => {
        const both = graph.relations.flatMap(({ pre, node }) => [
          { pre, node },
          { pre: node, node: pre },
        ]);
        const slow = reaches(graph.keys, both);
        const expected = graph.keys.filter((key) => !anchors.includes(key) && !anchors.some((anchor) => slow.get(anchor)!.has(key)));
        const nodes = graph.keys.map((key) => ({ key, name: key, isAnchor: anchors.includes(key) }));
        expect(unlinkedNodes({ nodes, relations: graph.relations.map((relation) => ({ ...relation, type: "FS", offset: 0 })) })).toEqual(
          expected,
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe("predecessors as text", () => {
  test.each([
    ["FS", 0, "FS"],
    ["FS", 2, "FS+2"],
    ["SS", -1, "SS-1"],
  ] as const)("label %s %i", (type, offset, label) => expect(relationLabel(type, offset)).toBe(label));

  const order = ["a", "b", "c", "d"];
  test.each([
    ["3FS+2, 4SS", ["c FS 2", "d SS 0"], []],
    ["3", ["c FS 0"], []],
    ["3fs + 2；4ss-1", ["c FS 2", "d SS -1"], []],
    ["３ＦＳ＋２、4", ["c FS 2", "d FS 0"], []],
    ["3FF−2d", ["c FF -2"], []],
    ["3SF+0", ["c SF 0"], []],
    ["", [], []],
    ["3FS+1095", ["c FS 1095"], []],
    ["3FS+1096", [], ["3FS+1096 VALUE_RANGE"]],
    ["3XX", [], ["3XX VALUE_FORMAT"]],
    ["9", [], ["9 VALUE_UNKNOWN"]],
    ["0", [], ["0 VALUE_UNKNOWN"]],
    ["1FS", [], ["1FS CYCLE"]],
    ["3FS, 3FS+2", ["c FS 0"], ["3FS+2 RELATION_REPEAT"]],
    ["3FS, 3SS", ["c FS 0", "c SS 0"], []],
  ])("%j", (text, relations, faults) => {
    const parsed = parsePredecessors(text, "a", order);
    expect(parsed.relations.map((relation) => `${relation.pre} ${relation.type} ${relation.offset}`)).toEqual(relations);
    expect(parsed.faults.map((fault) => `${fault.entry} ${fault.code}`)).toEqual(faults);
  });

  test.each(["3FS+1.5", "3SS-0.5", "3FF+.5", "3FS+1e1"])("%j is refused: an offset is a whole number of days [SCH-08]", (text) => {
    const { relations, faults } = parsePredecessors(text, "a", order);
    expect([relations, faults.map(({ entry, code }) => `${entry} ${code}`)]).toEqual([[], [`${text} VALUE_FORMAT`]]);
  });

  test("what is written is read back", () => {
    const relation = fc.record({
      pre: fc.constantFrom("b", "c", "d"),
      type: fc.constantFrom(...relationTypes),
      offset: fc.integer({ min: -1095, max: 1095 }),
    });
    const relations = fc.uniqueArray(relation, { selector: (given) => `${given.pre}${given.type}`, maxLength: 6 });
    const places = new Map(order.map((key, at) => [key, at + 1]));
    const sorted = (given: readonly GraphRelation[]) => given.map((one) => `${one.pre}${one.type}${one.offset}`).sort();
    fc.assert(
      fc.property(relations, (given) => {
        const mine = given.map((one) => ({ ...one, node: "a" }));
        const parsed = parsePredecessors(predecessorsText("a", mine, places), "a", order);
        expect(parsed.faults).toEqual([]);
        expect(sorted(parsed.relations)).toEqual(sorted(mine));
      }),
    );
  });
});

test.each([
  ["5", 5],
  ["5 d", 5],
  ["５天", 5],
  ["0", 0],
  ["1095", 1095],
  ["1096", null],
  ["1.5", null],
  ["-1", null],
  ["", null],
])("lead time %j", (text, days) => expect(parseLeadTime(text)).toBe(days));

test("the live check weighs what it finds", () => {
  const node = (name: string, isAnchor = false) => ({ key: name, name, isAnchor });
  const found = (nodes: ReturnType<typeof node>[], relations: GraphRelation[] = []) =>
    checkGraph({ nodes, relations }).map((finding) => `${finding.weight} ${finding.code} ${finding.keys.join()}`);
  expect(found([])).toEqual(["release FLOW_EMPTY "]);
  expect(found([node("A")])).toEqual(["release NO_ANCHOR "]);
  expect(found([node("A", true), node("B")])).toEqual(["warning UNLINKED B"]);
  expect(found([node("A", true), node("B")], [{ pre: "A", node: "B", type: "FS", offset: 0 }])).toEqual([]);
  expect(found([node("A", true), node("")], [{ pre: "A", node: "", type: "FS", offset: 0 }])).toEqual(["error NAME_REQUIRED "]);
});

test("the difference of two graphs names changed fields only", () => {
  const a = { id: 1, name: "A", leadTimeDays: 1, x: 0 };
  const diff = graphDiff(
    { nodes: [a, { id: 2, name: "B", leadTimeDays: 1, x: 0 }], relations: [{ pre: 1, node: 2, type: "FS", offset: 0 }] },
    {
      nodes: [
        { ...a, leadTimeDays: 5 },
        { id: 3, name: "C", leadTimeDays: 1, x: 0 },
      ],
      relations: [],
    },
  );
  expect(diff.before).toEqual({
    nodes: [
      { id: 2, name: "B", leadTimeDays: 1, x: 0 },
      { id: 1, name: "A", leadTimeDays: 1 },
    ],
    relations: [{ pre: 1, node: 2, type: "FS", offset: 0 }],
  });
  expect(diff.after).toEqual({
    nodes: [
      { id: 1, name: "A", leadTimeDays: 5 },
      { id: 3, name: "C", leadTimeDays: 1, x: 0 },
    ],
    relations: [],
  });
});

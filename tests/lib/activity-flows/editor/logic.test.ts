import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { undoSteps } from "#lib/activity-flows/editor/limits.ts";
import {
  type EditorEvent,
  type EditorGraph,
  type EditorState,
  editGraph,
  isEdited,
  openEditor,
  pasteRows,
} from "#lib/activity-flows/editor/logic.ts";

const empty: EditorGraph = { nodes: [], relations: [] };
const run = (state: EditorState, ...events: EditorEvent[]) => events.reduce(editGraph, state);
const names = (state: EditorState) => state.graph.nodes.map((node) => node.name).join(" ");
const arrows = (state: EditorState) => state.graph.relations.map(({ pre, node, type, offset }) => `${pre}>${node} ${type} ${offset}`);
const three = run(
  openEditor(empty),
  { do: "add", node: { name: "A" } },
  { do: "add", node: { name: "B" }, link: true },
  { do: "add", node: { name: "C" }, link: true },
);

describe("editing", () => {
  test("an added activity follows its predecessor where it is linked", () => {
    expect(names(three)).toBe("A B C");
    expect(arrows(three)).toEqual(["new1>new2 FS 0", "new2>new3 FS 0"]);
    expect(names(run(three, { do: "add", after: "new1", node: { name: "X" } }))).toBe("A X B C");
  });

  test("added activities never cover each other", () => {
    const many = run(openEditor(empty), ...Array.from({ length: 12 }, (): EditorEvent => ({ do: "add", after: "new1" })));
    const places = many.graph.nodes.map(({ x, y }) => `${x},${y}`);
    expect(new Set(places).size).toBe(12);
  });

  test("removing an activity takes its relations along", () => {
    const state = run(three, { do: "remove", keys: ["new2"] });
    expect([names(state), arrows(state)]).toEqual(["A C", []]);
  });

  test("a relation is changed, not doubled, and never leads to itself", () => {
    const changed = run(three, {
      do: "relate",
      relation: { pre: "new1", node: "new2", type: "SS", offset: 3 },
      replaces: { pre: "new1", node: "new2", type: "FS" },
    });
    expect(arrows(changed)).toEqual(["new1>new2 SS 3", "new2>new3 FS 0"]);
    expect(run(three, { do: "relate", relation: { pre: "new1", node: "new1", type: "FS", offset: 0 } })).toBe(three);
    const both = run(three, { do: "relate", relation: { pre: "new1", node: "new2", type: "SS", offset: 0 } });
    const clash: EditorEvent = {
      do: "relate",
      relation: { pre: "new1", node: "new2", type: "SS", offset: 5 },
      replaces: { pre: "new1", node: "new2", type: "FS" },
    };
    expect(run(both, clash)).toBe(both);
  });

  test("rows change places within the list", () => {
    expect(names(run(three, { do: "reorder", key: "new3", by: -2 }))).toBe("C A B");
    expect(run(three, { do: "reorder", key: "new1", by: -1 })).toBe(three);
  });

  test("a new name drops the library activity of a draft, never that of a released activity", () => {
    const graph: EditorGraph = {
      ...three.graph,
      nodes: three.graph.nodes.map((node, at) => ({ ...node, activityId: at + 1, originNodeId: at === 1 ? 9 : null })),
    };
    const rename = (key: string) =>
      run(openEditor(graph), { do: "rename", key, name: "Z", activityId: null }).graph.nodes.find((node) => node.key === key);
    expect([rename("new1")?.activityId, rename("new2")?.activityId]).toEqual([null, 2]);
  });
});

describe("undo", () => {
  const event: fc.Arbitrary<EditorEvent> = fc.oneof(
    fc.constant<EditorEvent>({ do: "add", link: true }),
    fc.nat({ max: 5 }).map((at): EditorEvent => ({ do: "remove", keys: [`new${at}`] })),
    fc
      .record({ at: fc.nat({ max: 5 }), days: fc.nat({ max: 3 }) })
      .map(({ at, days }): EditorEvent => ({ do: "patch", keys: [`new${at}`], patch: { leadTimeDays: days } })),
    fc
      .record({ a: fc.nat({ max: 5 }), b: fc.nat({ max: 5 }) })
      .map(({ a, b }): EditorEvent => ({ do: "relate", relation: { pre: `new${a}`, node: `new${b}`, type: "FS", offset: 0 } })),
    fc.constant<EditorEvent>({ do: "arrange" }),
  );

  test("takes every step back to the beginning, and redo leads to the end again", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const start = openEditor(empty);
        const end = run(start, ...events);
        let back = end;
        while (back.past.length > 0) back = editGraph(back, { do: "undo" });
        expect(back.graph).toEqual(start.graph);
        while (back.future.length > 0) back = editGraph(back, { do: "redo" });
        expect(back.graph).toEqual(end.graph);
      }),
      { numRuns: 200 },
    );
  });

  test("a step that changes nothing is none", () => {
    expect(run(three, { do: "patch", keys: ["new1"], patch: { name: "A" } })).toBe(three);
    expect(run(three, { do: "remove", keys: ["gone"] })).toBe(three);
  });

  test("keeps a hundred steps", () => {
    const state = run(
      three,
      ...Array.from({ length: 150 }, (_, days): EditorEvent => ({ do: "patch", keys: ["new1"], patch: { leadTimeDays: days + 2 } })),
    );
    expect(state.past).toHaveLength(undoSteps);
  });

  test("reaches behind a save: what is stored keeps its id, what is not loses it", () => {
    const stored = run(three, {
      do: "saved",
      graph: three.graph,
      nodes: [
        { key: "new1", id: 11, activityId: 1 },
        { key: "new2", id: 12, activityId: 2 },
        { key: "new3", id: 13, activityId: 3 },
      ],
    });
    expect(isEdited(stored)).toBe(false);
    const taken = run(stored, { do: "undo" });
    const shorter = run(taken, {
      do: "saved",
      graph: taken.graph,
      nodes: [
        { key: "new1", id: 11, activityId: 1 },
        { key: "new2", id: 12, activityId: 2 },
      ],
    });
    expect(shorter.graph.nodes.map((node) => node.id)).toEqual([11, 12]);
    const again = run(shorter, { do: "redo" });
    expect(again.graph.nodes.map((node) => node.id)).toEqual([11, 12, undefined]);
    expect(again.graph.nodes[2]?.activityId).toBe(3);
    expect(isEdited(again)).toBe(true);
  });
});

test("what is typed while a save is under way stays an edit", () => {
  const typed = run(three, { do: "patch", keys: ["new1"], patch: { leadTimeDays: 9 } });
  const nodes = three.graph.nodes.map((node, at) => ({ key: node.key, id: at + 1, activityId: at + 1 }));
  const state = run(typed, { do: "saved", graph: three.graph, nodes });
  expect([isEdited(state), state.graph.nodes[0]?.leadTimeDays, state.graph.nodes[0]?.id]).toEqual([true, 9, 1]);
});

test("a graph without positions is laid out when it is opened, and that is no edit", () => {
  const opened = openEditor({ ...three.graph, nodes: three.graph.nodes.map((node) => ({ ...node, x: 0, y: 0 })) });
  expect(new Set(opened.graph.nodes.map((node) => node.x)).size).toBe(3);
  expect(isEdited(opened)).toBe(false);
});

describe("the picture", () => {
  const places = (state: EditorState) => state.graph.nodes.map(({ x, y }) => `${x},${y}`);

  test("is arranged by itself while nobody has placed an activity, and that is no step", () => {
    const typed = run(three, { do: "predecessors", key: "new3", relations: [{ pre: "new1", node: "new3", type: "FS", offset: 0 }] });
    const settled = run(typed, { do: "settle" });
    expect(places(settled)).not.toEqual(places(typed));
    expect(places(settled)).toEqual(places(run(typed, { do: "arrange" })));
    expect(settled.past).toEqual(typed.past);
    expect(run(settled, { do: "settle" })).toBe(settled);
  });

  test("stays as it was placed by hand, also after it was stored, until it is arranged again", () => {
    const moved = run(three, { do: "move", positions: [{ key: "new2", x: 500.4, y: 300 }] });
    expect(run(moved, { do: "settle" })).toBe(moved);
    const reopened = openEditor(moved.graph);
    expect(run(reopened, { do: "settle" })).toBe(reopened);
    const arranged = run(moved, { do: "arrange" });
    const added = run(arranged, { do: "add", node: { name: "D" }, link: true });
    expect(places(run(added, { do: "settle" }))).toEqual(places(run(added, { do: "arrange" })));
  });
});

describe("a block from a spreadsheet", () => {
  test("fills rows, appends the rest and may name its own rows", () => {
    const block = "Survey\t5\t\nPermit\t20\t1FS\tx\nCivil works\t10\t2FS+2, 1SS\t\ty";
    const { graph, added, faults } = pasteRows(openEditor(empty), { row: 0, column: "name" }, block);
    expect(faults).toEqual([]);
    expect(added).toBe(3);
    expect(graph.nodes.map((node) => [node.name, node.leadTimeDays, node.isAnchor, node.isMilestone])).toEqual([
      ["Survey", 5, false, false],
      ["Permit", 20, true, false],
      ["Civil works", 10, false, true],
    ]);
    expect(graph.relations.map(({ pre, node, type, offset }) => `${pre}>${node} ${type} ${offset}`)).toEqual([
      "new1>new2 FS 0",
      "new2>new3 FS 2",
      "new1>new3 SS 0",
    ]);
  });

  test("leaves a cell that cannot be read as it was and says so", () => {
    const { graph, faults } = pasteRows(three, { row: 1, column: "leadTimeDays" }, "x\t9FS\n4\t1");
    expect(graph.nodes.map((node) => node.leadTimeDays)).toEqual([1, 1, 4]);
    expect(faults.map(({ row, column, code }) => `${row} ${column} ${code}`)).toEqual([
      "1 leadTimeDays VALUE_FORMAT",
      "1 predecessors VALUE_UNKNOWN",
    ]);
  });

  test("is one step to undo", () => {
    const { graph, added } = pasteRows(three, { row: 0, column: "name" }, "X\nY");
    const state = run(three, { do: "replace", graph, added });
    expect(names(state)).toBe("X Y C");
    expect(names(run(state, { do: "undo" }))).toBe("A B C");
  });
});

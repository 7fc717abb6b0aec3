import { describe, expect, test } from "vitest";
import { type Branch, findTyped, rootKey, type TreeRow, treeMove, treeRows } from "#components/dus/tree-rows.ts";
import type { TreeNode } from "#lib/rollout-plan/du-tree/queries.ts";

const node = (key: string, kind: TreeNode["kind"], more: Partial<TreeNode> = {}): TreeNode => ({
  key,
  kind,
  id: 1,
  code: kind === "region" || kind === "activity" ? null : key,
  name: `Name ${key}`,
  expandable: kind !== "activity",
  dus: null,
  ...more,
});
const branch = (records: TreeNode[], more: Partial<Branch> = {}): Branch => ({
  records,
  next: null,
  loading: false,
  failed: null,
  ...more,
});

const branches = new Map<string, Branch>([
  [rootKey, branch([node("r1", "region"), node("r2", "region")])],
  ["r1", branch([node("s1", "site"), node("s2", "site")], { next: "s2" })],
  ["s1", branch([node("d1", "du"), node("d2", "du", { expandable: false })])],
  ["d1", branch([node("a1", "activity")])],
]);
const open = new Set(["r1", "s1", "d1"]);
const rows = treeRows(branches, open);
const keys = (given: readonly TreeRow[]) => given.map((row) => `${row.level} ${row.key}`);

describe("the lines of the tree", () => {
  test("are the open nodes from top to bottom, with what follows behind the last that was read", () => {
    expect(keys(rows)).toEqual(["1 r1", "2 s1", "3 d1", "4 a1", "3 d2", "2 s2", "2 rest r1", "1 r2"]);
    // Siblings that were not all read have no number yet.
    expect(rows[1]).toMatchObject({ place: 1, setSize: -1, expanded: true });
    expect(rows[4]).toMatchObject({ place: 2, setSize: 2, expanded: false });
  });

  test("close without forgetting what was read below", () => {
    expect(keys(treeRows(branches, new Set(["s1", "d1"])))).toEqual(["1 r1", "1 r2"]);
  });

  test("say that something is being read, or failed", () => {
    const at = (more: Partial<Branch>) => treeRows(new Map([[rootKey, branch([node("r1", "region")], more)]]), new Set());
    expect(at({ loading: true, next: "r1" }).map(({ kind }) => kind)).toEqual(["node", "loading"]);
    expect(at({ failed: "No connection", next: "r1" })[1]).toMatchObject({ kind: "failed", problem: "No connection" });
    expect(treeRows(new Map(), new Set())).toEqual([]);
  });
});

describe("a key in the tree", () => {
  test.each([
    ["ArrowDown", 0, { to: 1 }],
    ["ArrowDown", 7, { to: 7 }],
    ["ArrowUp", 0, { to: 0 }],
    ["ArrowUp", 3, { to: 2 }],
    ["Home", 5, { to: 0 }],
    ["End", 1, { to: 7 }],
    // Right opens, then leads to the first child; Left closes, then leads to the parent.
    ["ArrowRight", 5, { open: "s2" }],
    ["ArrowRight", 1, { to: 2 }],
    ["ArrowRight", 3, null],
    ["ArrowRight", 4, null],
    ["ArrowLeft", 1, { close: "s1" }],
    ["ArrowLeft", 4, { to: 1 }],
    ["ArrowLeft", 6, { to: 0 }],
    ["ArrowLeft", 7, null],
    ["*", 5, { openAll: ["s1", "s2"] }],
    ["Enter", 6, { act: 6 }],
    ["Escape", 0, null],
  ])("%s on line %i", (key, at, expected) => {
    expect(treeMove(key, rows, at)).toEqual(expected);
  });

  test("does nothing where there is no line", () => {
    expect(treeMove("ArrowDown", [], 0)).toBeNull();
  });

  test.each([
    ["d", 0, 2],
    // The same letter again goes on to the next, and round.
    ["d", 2, 4],
    ["d", 4, 2],
    // A word stays on the line it still fits.
    ["d2", 4, 4],
    ["D2", 2, 4],
    ["name r2", 0, 7],
    ["x", 0, null],
  ])("%s typed on line %i leads to line %s", (text, at, expected) => {
    expect(findTyped(rows, at, text)).toBe(expected);
  });
});

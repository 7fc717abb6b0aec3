import { describe, expect, test } from "vitest";
import { cellLook, type LookWords, loadingLook } from "#components/grid/cell-look.ts";
import type { CellEdit, CellState, GridColumn } from "#components/grid/grid-model.ts";
import { locks } from "#components/ui/glyph-paths.ts";

const words: LookWords = {
  refused: "refused",
  warning: "warning",
  conflict: "conflict",
  unsaved: "unsaved",
  outside: "not in flow",
  loading: "loading",
  lock: Object.fromEntries(locks.map((lock) => [lock, `lock ${lock}`])) as LookWords["lock"],
};
const date: GridColumn = { key: "a", title: "A", kind: "date", width: 100, editable: true };
const edit = (more: Partial<CellEdit> = {}): CellEdit => ({ rowKey: "1", columnKey: "a", base: null, mine: "2026-10-14", at: 0, ...more });
const reason = { code: "X", cause: "because" };
const look = (state: CellState, given?: CellEdit) => cellLook(date, "2026-10-14", state, given, words);

test("a plain cell is its text", () => {
  expect(look({})).toEqual({ text: "2026-10-14", classes: [], lead: null, mark: null, spoken: null, readOnly: false });
});

test.each<[string, CellState, CellEdit | undefined]>([
  ["plain", {}, undefined],
  ["with a status", { status: "delayed", spoken: "Delayed" }, undefined],
  ["locked", { lock: "frozen" }, undefined],
  ["unsaved and refused", {}, edit({ refusal: reason })],
])("cells that look alike, %s, have one list of classes, and others another", (_name, state, given) => {
  expect(look(state, given).classes).toBe(look({ ...state }, given).classes);
  expect(look(state, given).classes).not.toBe(
    look({ ...state, shift: { kind: "later", text: "+3" }, note: { mark: "exceeds", text: "" } }, given).classes,
  );
});

test("outside the flow: hatched, without text", () => {
  expect(look({ outside: true })).toEqual({
    text: "",
    classes: ["outside"],
    lead: null,
    mark: null,
    spoken: "not in flow",
    readOnly: true,
  });
});

test("rows that have not arrived say so", () => {
  expect(loadingLook(words)).toMatchObject({ classes: ["loading"], spoken: "loading" });
});

test.each(locks)("locked as %s: sunk, with its glyph and word", (lock) => {
  expect(look({ lock })).toMatchObject({ classes: ["sunk"], mark: lock, spoken: `2026-10-14, lock ${lock}` });
});

test("a status comes with colour, glyph and word", () => {
  expect(look({ status: "delayed", spoken: "Delayed" })).toMatchObject({
    classes: ["tone", "tone_delayed"],
    lead: "delayed",
    spoken: "2026-10-14, Delayed",
  });
});

describe("unsaved", () => {
  test.each([
    ["dirty", {}, ["dirty"], null],
    ["refused", { refusal: reason }, ["dirty", "refused"], "refused"],
    ["conflicting", { conflict: { theirs: null, by: "x", at: "" } }, ["dirty", "conflict"], "conflict"],
    ["warned", { warning: reason }, ["dirty", "warned"], "warning"],
    ["refused and conflicting", { refusal: reason, conflict: { theirs: null, by: "x", at: "" } }, ["dirty", "refused"], "refused"],
  ] as const)("%s", (_name, more, classes, mark) => {
    expect(look({}, edit(more))).toMatchObject({ classes, mark });
  });

  test("text that could not be read stays in the cell", () => {
    expect(look({}, edit({ typed: "soon", refusal: reason }))).toMatchObject({ text: "soon", spoken: "soon, unsaved, refused, because" });
  });
});

test("a lock and a column without an editor are read only, a fixed plan is not", () => {
  expect(look({ lock: "frozen" }).readOnly).toBe(true);
  expect(look({ lock: "fixed" }).readOnly).toBe(false);
  expect(cellLook({ ...date, editable: false }, "2026-10-14", {}, undefined, words).readOnly).toBe(true);
});

test("a date that is compared with another is followed by its shift, with a sign and a colour; an unsaved value stands alone", () => {
  const state: CellState = { shift: { kind: "later", text: "+3" }, spoken: "3 days later" };
  expect(look(state)).toMatchObject({
    text: "2026-10-14 +3",
    classes: ["shift_later"],
    mark: "later",
    spoken: "2026-10-14 +3, 3 days later",
  });
  expect(cellLook(date, "", { shift: { kind: "removed", text: "2026-10-01" } }, undefined, words)).toMatchObject({
    text: "2026-10-01",
    mark: "removed",
  });
  const edit: CellEdit = { rowKey: "1", columnKey: date.key, base: null, mine: "2026-10-20", at: 0 };
  expect(look(state, edit)).toMatchObject({ text: "2026-10-14", mark: null });
});

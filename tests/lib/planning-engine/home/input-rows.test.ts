import { expect, test } from "vitest";
import { InputList } from "#components/planning-engine/input-list.ts";
import { InputRows } from "#components/planning-engine/input-rows.ts";
import { pointsOf, withProgress } from "#components/planning-engine/run-history.ts";
import { runNotesMax } from "#lib/planning-engine/runs/limits.ts";
import { withNotes } from "#lib/planning-engine/runs/logic.ts";
import type { RunNote, RunProgress } from "#lib/planning-engine/runs/schema.ts";

const texts = { yes: "yes", no: "no", readOnly: { code: "READ_ONLY", cause: "" } };
const makeRows = () => new InputRows(new InputList("nc/duConfig/find/list", texts, () => true), { duType: "install" }, new Set(["duCode"]));
const column = (key: string) => ({ key, title: key, kind: "text" as const, width: 100, editable: true });

test("rows that are being made stand below the stored ones, begin with what a row begins with and are told apart", () => {
  const rows = makeRows();
  expect(rows.addRows(2)).toBe(0);
  expect(rows.total).toBe(2);
  expect([rows.rowKey(0), rows.rowKey(1), rows.rowKey(2)]).toEqual(["-1", "-2", undefined]);
  expect(rows.indexOf("-2")).toBe(1);
  expect(rows.value(rows.row(1)!, column("duType"))).toBe("install");
});

test("only a new row is given what names it", () => {
  const rows = makeRows();
  rows.addRows(1);
  expect(rows.locked(rows.row(0)!, column("duCode"))).toBeNull();
  expect(rows.locked({ id: 7, rowVersion: 1 }, column("duCode"))).toMatchObject({ code: "ROW_KEY" });
  expect(rows.locked({ id: 7, rowVersion: 1 }, column("region"))).toBeNull();
});

test("a dropped row comes back with its edits when its deletion is undone, and not without", () => {
  const rows = makeRows();
  rows.addRows(2);
  rows.drop(new Set(["-1"]));
  expect(rows.rowKey(0)).toBe("-2");
  rows.revive(() => false);
  expect(rows.total).toBe(1);
  rows.revive((rowKey) => rowKey === "-1");
  expect(rows.indexOf("-1")).toBe(1);
});

const progress = (elapsedS: number, makespan: number | null, phase: RunProgress["phase"] = "improve", runId = 1): RunProgress => ({
  runId,
  versionId: 1,
  status: "executing",
  phase,
  percent: 50,
  elapsedS,
  evaluations: 1,
  evaluationLimit: 2,
  queuePosition: null,
  incumbent: makespan === null ? null : { gapDus: 0, lateDus: 0, lateDays: 0, finishDate: "2027-01-01", makespan },
  bound: null,
  heartbeatAt: null,
  cancelMode: null,
  message: null,
});

test("the history of a run notes new phases and better plans, and its line moves on between two changes", () => {
  let history = withProgress(null, progress(0, null, "construct"));
  for (const [at, makespan] of [
    [1, 40],
    [2, 40],
    [3, 40],
    [4, 36],
    [6, 36],
  ] as const)
    history = withProgress(history, progress(at, makespan));
  expect(pointsOf(history)).toEqual([
    { at: 1, value: 40 },
    { at: 4, value: 36 },
    { at: 6, value: 36 },
  ]);
  expect(history.notes.map((note) => ("phase" in note ? note.phase : note.incumbent.makespan))).toEqual(["construct", "improve", 40, 36]);
  expect(withProgress(history, progress(0, null, "queued", 2))).toMatchObject({ runId: 2, notes: [{ at: 0, phase: "queued" }] });
});

test("the history of a run begins where the run began, whenever the page was opened", () => {
  const incumbent = (makespan: number) => progress(0, makespan).incumbent!;
  const notes: RunNote[] = [
    { at: 0, phase: "prepare" },
    { at: 1, phase: "improve" },
    { at: 2, incumbent: incumbent(50) },
    { at: 5, incumbent: incumbent(44) },
  ];
  const opened = withProgress(null, { ...progress(8, 44), notes });
  expect(opened.notes).toEqual(notes);
  expect(pointsOf(opened).map(({ at, value }) => [at, value])).toEqual([
    [2, 50],
    [5, 44],
    [8, 44],
  ]);
  expect(withProgress(opened, progress(9, 40)).notes).toEqual([...notes, { at: 9, incumbent: incumbent(40) }]);
  // The live line was quicker than the call.
  expect(withProgress(withProgress(null, progress(8, 44)), { ...progress(9, 44), notes }).notes).toEqual(notes);
});

test("of the plans of a second the last is noted, and a long run is thinned out between its first and its last", () => {
  const told = (at: number, makespan: number) => ({ at, phase: "improve" as const, incumbent: progress(0, makespan).incumbent });
  expect(withNotes(withNotes([], told(3, 50)), told(3, 49)).slice(1)).toEqual([{ at: 3, incumbent: told(3, 49).incumbent }]);
  let notes: readonly RunNote[] = [{ at: 0, phase: "prepare" }];
  for (let at = 1; at <= 1_000; at++) {
    notes = withNotes(notes, told(at, 2_000 - at));
    expect(notes.length).toBeLessThanOrEqual(runNotesMax);
    expect(notes.at(-1)).toMatchObject({ at });
  }
  expect(notes.slice(0, 3)).toMatchObject([{ phase: "prepare" }, { phase: "improve" }, { at: 1 }]);
});

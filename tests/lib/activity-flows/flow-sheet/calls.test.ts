import { buffer } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { sheetColumns, sheetFlowsMax, sheetRowsMax } from "#lib/activity-flows/flow-sheet/limits.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { type Locale, locales } from "#lib/core/locale.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, setLimit } from "../../../support/factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done, makeDraft, makeDus, makeFlow } from "../make-flow.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let pcm: CtxUser;
let viewer: CtxUser;
let user: CtxUser;
const imports = importsOf(db, () => ({ project, user }));

// Each test has a project of its own: names are unique in it and exports hold what the test made.
beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  user = pm;
});

const call = (address: string, input: object = {}) => done(callAs(user, address, input, { project: project.number }));
const flowIds = async (): Promise<number[]> => (await call("flow/list/1/200/default/[]")).records.map((flow: { id: number }) => flow.id);
// biome-ignore lint/suspicious/noExplicitAny: tests read many fields.
const findByName = async (name: string): Promise<any> => {
  const { records } = await call("flow/list/1/200/default/[]");
  const row = records.find((flow: { name: string }) => flow.name === name);
  return row && call(`flow/find/${row.workingCopyId ?? row.id}`);
};

/** A graph as people read it: "1 Survey 5 anchor", relations as "Survey>Build FS+2". */
// biome-ignore lint/suspicious/noExplicitAny: tests read many fields.
const read = ({ nodes, relations }: any) => {
  const names = new Map(nodes.map((node: { id: number; name: string }) => [node.id, node.name]));
  return {
    nodes: nodes.map((node: { name: string; leadTimeDays: number }) => `${node.name} ${node.leadTimeDays}`),
    relations: relations
      .map(
        (one: { pre: number; node: number; type: string; offset: number }) =>
          `${names.get(one.pre)}>${names.get(one.node)} ${one.type}${one.offset}`,
      )
      .sort(),
  };
};

/** The workbook of flows: id of its file, and its cells. */
async function exported(ids?: number[], locale: Locale = "en"): Promise<{ fileId: string; cells: Cell[][] }> {
  const answer = await imports.call("flow/export", { ids: ids ?? (await flowIds()) }, { locale });
  expect(answer, answer.msg).toMatchObject({ status: 200 });
  const task = await imports.run(answer.data.taskId);
  expect(task).toMatchObject({ status: "succeeded", direction: "export" });
  return { fileId: task.result_file_id, cells: await imports.workbook(task.result_file_id) };
}

/** The same workbook with other rows. */
async function edited(change: (rows: Cell[][]) => Cell[][]): Promise<string> {
  const [keys, titles, ...rows] = (await exported()).cells as [string[], string[], ...Cell[][]];
  const columns = keys.map((key, at) => ({ key, title: titles[at] ?? "" }));
  const whole = rows.map((row) => keys.map((_, at) => row[at] ?? null));
  const meta = { project: project.number, kind: "flows", version: 1 };
  return imports.upload("flows.xlsx", await buffer(writeWorkbook({ name: "x", columns, rows: change(whole), meta })));
}

/** A workbook from outside: the heads, then the rows. */
async function outside(heads: string[], ...rows: Cell[][]): Promise<string> {
  const columns = heads.map((title) => ({ title }));
  return imports.upload("other.xlsx", await buffer(writeWorkbook({ name: "x", columns, rows })));
}

const at = (key: (typeof sheetColumns)[number]) => sheetColumns.indexOf(key);
const preview = (fileId: string, options: object = {}, locale?: Locale) =>
  imports.preview({ fileId, kind: "flows", options }, locale && { locale });
// biome-ignore lint/suspicious/noExplicitAny: a task as the driver gives it.
const problemsOf = async (task: any, locale?: Locale) =>
  (await imports.rows(task.id, [], locale && { locale })).map(({ no, outcome, problems }) =>
    `${no} ${outcome} ${problems.map(({ path, code }) => `${path}:${code}`).join(" ")}`.trim(),
  );

/** Three flows: a draft, a released one, and a released one with an open working copy that differs from it. */
async function makeThree() {
  const relations = "A>B:FS+2 A>B:SS-1 B>C:FF+0 A>C:SF+1095";
  const draft = await makeDraft(pm, project.number, "=Draft, “quoted”", "A*:0 B:1095 C", relations);
  const released = await makeFlow(pm, project.number, "Released", "A*:5 B:3 D:2", "A>B B>D:SS+1");
  const other = await makeFlow(pm, project.number, "With copy", "A*:5 B:3", "A>B");
  const copy = await call("flow/edit", { id: other.id });
  const { nodes } = await call(`flow/find/${copy.id}`);
  const input = {
    flowId: copy.id,
    rowVersion: copy.rowVersion,
    node: { id: nodes[1].id, name: "B", leadTimeDays: 9, needApproval: true, isMilestone: true },
  };
  await call("flow/node/save", input);
  return { draft, released, other };
}

describe("the workbook of flows", () => {
  test("holds a row per activity in the order of the flow, predecessors by number, in the words of the language", async () => {
    await makeThree();
    const { cells } = await exported(undefined, "zh");
    expect(cells[0]).toEqual([...sheetColumns, "rowMark"]);
    expect(cells[1]?.slice(0, 6)).toEqual(["活动流", "序号", "活动编码", "活动", "工期（工作日）", "前置活动"]);
    expect(cells.slice(2, 5).map((row) => row.slice(0, 8))).toEqual([
      ["=Draft, “quoted”", 1, "A001", "A", 0, null, "是", "否"],
      ["=Draft, “quoted”", 2, "A002", "B", 1095, "1FS+2, 1SS-1", "否", "否"],
      ["=Draft, “quoted”", 3, "A003", "C", 1, "1SF+1095, 2FF", "否", "否"],
    ]);
    // What is being edited: the working copy.
    expect(cells.at(-1)?.slice(0, 10)).toEqual(["With copy", 2, "A002", "B", 9, "1FS", "否", "是", "否", "是"]);
  });

  const pairs = locales.flatMap((from) => locales.map((to) => [from, to] as const));
  test.each(pairs)("exported in %s and imported unchanged in %s it changes nothing", async (from, to) => {
    await makeThree();
    const { fileId } = await exported(undefined, from);
    const before = await db.owner`select id, row_version from activity_flow where project_id = ${project.id} order by id`;
    const task = await preview(fileId, {}, to);
    expect(task.result.counts).toMatchObject({ new: 0, changed: 0, unchanged: 8, rejected: 0 });
    expect(await imports.call("import/apply", { taskId: task.id })).toMatchObject({ status: 422, code: "NOTHING_MODIFIED" });
    expect(await db.owner`select id, row_version from activity_flow where project_id = ${project.id} order by id`).toEqual(before);
  });

  test("edited, it shows every change, then applies all of them to the draft", async () => {
    await makeDraft(pm, project.number, "Build", "A*:5 B:3 C:2 D", "A>B B>C C>D");
    const fileId = await edited(([a, b, c, d]) => [
      [...a!.slice(0, 3), "Survey", 6, null, "No", "Yes", ...a!.slice(8)],
      c!.with(at("no"), 2).with(at("predecessors"), "1FS"),
      b!.with(at("no"), 3).with(at("predecessors"), "2SS+4; 1"),
      ["Build", 7, null, "Handover", 4, "3FS-2", ...d!.slice(6)],
    ]);
    const task = await preview(fileId);
    expect(task.result.counts).toMatchObject({ new: 1, changed: 4, unchanged: 0, rejected: 0 });
    const rows = await imports.rows(task.id);
    const changes = rows.map(({ cells }) =>
      Object.entries(cells).flatMap(([key, { old, next }]) => (old === undefined ? [] : [`${key} ${old || "-"} > ${next || "-"}`])),
    );
    expect(changes.slice(0, 3)).toEqual([
      ["name A > Survey", "leadTimeDays 5 > 6", "isAnchor Yes > No", "isMilestone No > Yes"],
      ["no 3 > 2", "predecessors 3FS > 1FS"],
      ["no 2 > 3", "predecessors 1FS > 1FS, 2SS+4"],
    ]);
    expect(rows[3]?.cells.library).toMatchObject({ old: "", next: "Not in the library yet: added when the flow is saved or released" });
    expect(rows[4]).toMatchObject({ outcome: "changed", cells: { name: { text: "D" }, remove: { next: "Yes" } } });
    expect(read(await findByName("Build")).nodes).toEqual(["A 5", "B 3", "C 2", "D 1"]);
    expect(await imports.apply(task.id)).toMatchObject({ status: "succeeded", done_count: 5, failed_count: 0 });
    expect(read(await findByName("Build"))).toEqual({
      nodes: ["Survey 6", "C 2", "B 3", "Handover 4"],
      relations: ["B>Handover FS-2", "C>B SS4", "Survey>B FS0", "Survey>C FS0"],
    });
    const audits = await db.owner`select object, detail from audit_log where project_id = ${project.id} order by id desc limit 2`;
    expect(audits.map(({ object }) => object)).toEqual([
      expect.stringMatching(/^task /),
      expect.stringMatching(/^activity_flow \d+ graph$/),
    ]);
  });

  test("a name the project does not know becomes a draft, its activities linked by code, then by name; what the library does not know stays unlinked until the release", async () => {
    await makeDraft(pm, project.number, "Other", "Survey*");
    const fileId = await outside(
      ["Flow", "Activity code", "Activity", "Lead time (working days)", "Predecessors", "Anchor"],
      ["Imported", null, "survey", 3, null, "yes"],
      ["imported ", "A001x", "Build", 2, "1", null],
      ["Imported", null, "Test", 1, "2SS+1", null],
    );
    const task = await preview(fileId);
    expect(task.result.counts).toMatchObject({ new: 3, changed: 0, rejected: 0 });
    const rows = await imports.rows(task.id);
    expect(rows.map(({ cells }) => cells.library?.next)).toEqual([
      undefined,
      ...Array(2).fill(expect.stringMatching(/^Not in the library/)),
    ]);
    expect(await findByName("Imported")).toBeUndefined();
    expect(await imports.apply(task.id)).toMatchObject({ status: "succeeded", done_count: 3 });
    const made = await findByName("Imported");
    expect(made.flow).toMatchObject({ status: "draft", version: 0, ownerName: pm.name });
    expect(made.nodes.map(({ name, code }: { name: string; code: string | null }) => [name, code])).toEqual([
      ["survey", "A001"],
      ["Build", null],
      ["Test", null],
    ]);
    // Unchanged it comes back without a change, released it is linked.
    expect((await preview((await exported()).fileId)).result.counts).toMatchObject({ unchanged: 4, changed: 0, new: 0 });
    await call("flow/release", { id: made.flow.id, rowVersion: made.flow.rowVersion });
    expect((await findByName("Imported")).nodes.map(({ code }: { code: string }) => code)).toEqual(["A001", "A002", "A003"]);
  });

  test("a released flow is changed in its working copy, which is opened for it; DUs see nothing before its release", async () => {
    const flow = await makeFlow(pm, project.number, "Live", "A*:5 B:3", "A>B");
    const [du] = await makeDus(db.owner, project.id, 1);
    await call("duFlow/bind", { duIds: [du], flowId: flow.id });
    const fileId = await edited(([a, b]) => [a!.with(at("leadTimeDays"), 8), b!, ["Live", 3, null, "C", 1, "2", ...Array(7).fill(null)]]);
    const task = await preview(fileId);
    expect(task.result.counts).toMatchObject({ new: 1, changed: 1, unchanged: 1, rejected: 0 });
    expect((await call(`flow/find/${flow.id}`)).workingCopy).toBeNull();
    await imports.apply(task.id);
    const released = await call(`flow/find/${flow.id}`);
    expect(read(released).nodes).toEqual(["A 5", "B 3"]);
    expect(released).toMatchObject({ flow: { status: "released", version: 1 }, workingCopy: { updatedByName: pm.name } });
    const copy = await call(`flow/find/${released.workingCopy.id}`);
    expect(read(copy)).toEqual({ nodes: ["A 8", "B 3", "C 1"], relations: ["A>B FS0", "B>C FS0"] });
    await call("flow/release", { id: copy.flow.id, rowVersion: copy.flow.rowVersion });
    expect(read(await call(`flow/find/${flow.id}`)).nodes).toEqual(["A 8", "B 3", "C 1"]);
    const [plan] = await db.owner`select state from du_plan where du_id = ${du!}`;
    expect(plan!.state.filter((state: number) => state & 1)).toHaveLength(3);
  });

  test("an activity on which a DU holds a date cannot be removed, nor exchanged for another; the flow is refused whole [FLW-33]", async () => {
    const flow = await makeFlow(pm, project.number, "Live", "A*:5 B:3 C", "A>B");
    await makeDraft(pm, project.number, "Draft", "A* X");
    const [du] = await makeDus(db.owner, project.id, 1);
    await call("duFlow/bind", { duIds: [du], flowId: flow.id });
    const setStart = (day: number) => db.owner`update du_plan set plan_start = array[0, ${day}]::smallint[] where du_id = ${du!}`;
    const removed = await edited((rows) => rows.filter((row) => row[at("name")] !== "B").map((row) => row.with(at("predecessors"), null)));
    const exchanged = await edited((rows) => rows.map((row) => (row[at("name")] === "B" ? row.with(at("code"), "A004") : row)));
    await setStart(9500);
    const refused = await preview(removed);
    expect(await problemsOf(refused)).toEqual([
      "3 unchanged",
      "4 unchanged",
      "5 rejected :FLOW_ROWS_REFUSED",
      "6 rejected :FLOW_ROWS_REFUSED",
      "7 rejected name:ACTIVITY_REFERENCED",
    ]);
    expect((await imports.rows(refused.id))[4]?.problems[0]?.msg).toBe("Activity referenced, cannot be deleted: B (1 DU)");
    expect(await problemsOf(await preview(exchanged))).toContain("6 rejected code:ACTIVITY_REFERENCED");
    // Kept when asked, and free again without the date.
    expect((await preview(removed, { keepActivities: true })).result.counts).toMatchObject({ rejected: 0, unchanged: 4, changed: 0 });
    await setStart(0);
    const free = await preview(removed);
    expect(free.result.counts).toMatchObject({ changed: 1, rejected: 0 });
    // The date comes back between check and application: nothing is written.
    await setStart(9500);
    expect(await imports.apply(free.id)).toMatchObject({ done_count: 0 });
    expect((await call(`flow/find/${flow.id}`)).workingCopy).toBeNull();
  });

  test("who may not delete released activities removes none by a file, but those of a draft", async () => {
    await makeFlow(pm, project.number, "Live", "A* B");
    await makeDraft(pm, project.number, "Draft", "A* B");
    user = await makeMember(db.owner, project.id, "PCM");
    const task = await preview(await edited((rows) => rows.filter((row) => row[at("name")] !== "B")));
    expect(await problemsOf(task)).toEqual(["3 unchanged", "4 rejected :FLOW_ROWS_REFUSED", "5 changed", "6 rejected name:NO_PERMISSION"]);
    expect(await imports.apply(task.id)).toMatchObject({ done_count: 1 });
    expect(read(await findByName("Draft")).nodes).toEqual(["A 1"]);
    expect(read(await findByName("Live")).nodes).toEqual(["A 1", "B 1"]);
  });

  test("what was changed after the check is not overwritten", async () => {
    const draft = await makeDraft(pm, project.number, "Build", "A*:5 B:3");
    await makeDraft(pm, project.number, "Calm", "A*:5");
    const fileId = await edited((rows) => rows.map((row) => row.with(at("leadTimeDays"), 7)));
    const task = await preview(fileId);
    expect(task.result.counts).toMatchObject({ changed: 3 });
    const id = draft.ids.get("B");
    await call("flow/node/save", { flowId: draft.id, rowVersion: draft.rowVersion, node: { id, name: "B", leadTimeDays: 30 } });
    expect(await imports.apply(task.id)).toMatchObject({ status: "partial", done_count: 1, failed_count: 2 });
    expect(await problemsOf(task)).toEqual(["3 rejected :PREVIEW_STALE", "4 rejected :PREVIEW_STALE", "5 changed"]);
    expect(read(await findByName("Build")).nodes).toEqual(["A 5", "B 30"]);
    expect(read(await findByName("Calm")).nodes).toEqual(["A 7"]);
  });

  test("a workbook is not written over what others changed since its export, not even by what it leaves out; unchanged it still fits", async () => {
    const flow = await makeFlow(pm, project.number, "Live", "A*:5 B:3");
    const { fileId } = await exported();
    const changed = await edited((rows) => rows.map((row) => row.with(at("leadTimeDays"), 7)));
    // Opening a working copy changes nothing yet.
    const copy = await call("flow/edit", { id: flow.id });
    expect((await preview(changed)).result.counts).toMatchObject({ changed: 2, rejected: 0 });
    await call("flow/node/save", { flowId: copy.id, rowVersion: copy.rowVersion, node: { name: "C", leadTimeDays: 1 } });
    expect(await problemsOf(await preview(changed))).toEqual(["3 rejected :STALE", "4 rejected :STALE", "5 rejected :FLOW_ROWS_REFUSED"]);
    // The export itself would take out the activity that came since.
    expect(await problemsOf(await preview(fileId))).toEqual(["3 rejected :STALE", "4 rejected :STALE", "5 rejected :FLOW_ROWS_REFUSED"]);
    expect((await preview(fileId, { keepActivities: true })).result.counts).toMatchObject({ unchanged: 2, rejected: 0 });
    expect((await preview((await exported()).fileId)).result.counts).toMatchObject({ unchanged: 3, rejected: 0 });
    expect(read(await findByName("Live")).nodes).toEqual(["A 5", "B 3", "C 1"]);
  });

  test("a flow made by somebody else meanwhile is not overwritten either", async () => {
    const task = await preview(await outside(["Flow", "Activity"], ["Fresh", "A"]));
    await makeDraft(pm, project.number, "fresh", "B*");
    expect(await imports.apply(task.id)).toMatchObject({ done_count: 0, failed_count: 1 });
    expect(read(await findByName("fresh")).nodes).toEqual(["B 1"]);
  });

  test("with a row refused nothing is written where all or nothing was asked", async () => {
    await makeDraft(pm, project.number, "Build", "A*:5 B:3");
    await makeDraft(pm, project.number, "Other", "A*:5");
    const task = await preview(await edited((rows) => rows.map((row, line) => row.with(at("leadTimeDays"), line === 2 ? 1096 : 7))));
    expect(await imports.call("import/apply", { taskId: task.id, mode: "all" })).toMatchObject({ status: 422, code: "IMPORT_REJECTED" });
    expect(await imports.apply(task.id)).toMatchObject({ status: "partial", done_count: 2, failed_count: 1 });
    expect(read(await findByName("Build")).nodes).toEqual(["A 7", "B 7"]);
    expect(read(await findByName("Other")).nodes).toEqual(["A 5"]);
  });

  test("rejected rows come back in a workbook that, corrected, is imported as a whole", async () => {
    await makeDraft(pm, project.number, "Build", "A*:5 B:3 C");
    const heads = ["Flow", "Activity", "Lead time (working days)"];
    const task = await preview(await outside(heads, ["Build", "A", 6], ["Build", "B", "soon"]));
    expect(task.error_file_id).not.toBeNull();
    const cells = await imports.workbook(task.error_file_id);
    expect(cells).toEqual([
      ["Reason", ...heads, "Remove"],
      ["Another row of this flow is refused; a flow is written whole or not at all", "Build", "A", 6],
      ["Lead time (working days): Not a number: soon", "Build", "B", "soon"],
      ["Another row of this flow is refused; a flow is written whole or not at all", "Build", "C", null, true],
    ]);
    const again = await preview(
      await outside(
        ...([cells[0], ...cells.slice(1).map((row) => row.map((cell) => (cell === "soon" ? 4 : cell)))] as [string[], ...Cell[][]]),
      ),
    );
    expect(again.result.counts).toMatchObject({ changed: 3, rejected: 0 });
    await imports.apply(again.id);
    expect(read(await findByName("Build")).nodes).toEqual(["A 6", "B 4"]);
  });
});

describe("a row is refused", () => {
  const head = ["Flow", "No.", "Activity code", "Activity", "Lead time (working days)", "Predecessors", "Anchor"];
  const good: Cell[] = ["F", 1, null, "A", 1, null, "yes"];
  const cases: [string, Cell[][], string, string][] = [
    ["no flow", [[null, 1, null, "A", 1, null, "yes"]], "2 rejected flow:VALUE_MISSING", "Flow is missing"],
    [
      "a flow's name of 101",
      [["f".repeat(101), 1, null, "A", 1]],
      "2 rejected flow:VALUE_TOO_LONG",
      "Flow may have 100 characters at most",
    ],
    ["no name", [["F", 1, null, null, 1]], "2 rejected name:VALUE_MISSING", "Activity is missing"],
    ["a name of 151", [["F", 1, null, "n".repeat(151), 1]], "2 rejected name:VALUE_TOO_LONG", "Activity may have 150 characters at most"],
    ["a code of 61", [["F", 1, "c".repeat(61), "A", 1]], "2 rejected code:VALUE_TOO_LONG", "Activity code may have 60 characters at most"],
    ["no lead time", [["F", 1, null, "A", null]], "2 rejected leadTimeDays:VALUE_MISSING", "Lead time (working days) is missing"],
    [
      "a lead time of 1096",
      [["F", 1, null, "A", 1096]],
      "2 rejected leadTimeDays:VALUE_RANGE",
      "Lead time (working days) must lie between 0 and 1,095",
    ],
    [
      "a lead time of -1",
      [["F", 1, null, "A", -1]],
      "2 rejected leadTimeDays:VALUE_RANGE",
      "Lead time (working days) must lie between 0 and 1,095",
    ],
    [
      "half a day",
      [["F", 1, null, "A", 1.5]],
      "2 rejected leadTimeDays:VALUE_RANGE",
      "Lead time (working days) must lie between 0 and 1,095",
    ],
    ["words for days", [["F", 1, null, "A", "soon"]], "2 rejected leadTimeDays:NUMBER_FORMAT", "Not a number: soon"],
    ["no number", [["F", null, null, "A", 1]], "2 rejected no:VALUE_MISSING", "No. is missing"],
    ["number 0", [["F", 0, null, "A", 1]], "2 rejected no:VALUE_RANGE", "No. must lie between 1 and 99,999"],
    ["number 100000", [["F", 100_000, null, "A", 1]], "2 rejected no:VALUE_RANGE", "No. must lie between 1 and 99,999"],
    ["a number twice", [good, ["F", 1, null, "B", 1]], "3 rejected no:REPEATED_IN_FILE", "Repeats row 2"],
    ["a name twice [FLW-32]", [good, ["F", 2, null, "a ", 1]], "3 rejected name:ACTIVITY_REPEAT", "Activity repeat"],
    [
      "predecessors nobody can read",
      [good, ["F", 2, null, "B", 1, "1XY"]],
      "3 rejected predecessors:VALUE_FORMAT",
      "Predecessors has the wrong format",
    ],
    [
      "an unknown predecessor",
      [good, ["F", 2, null, "B", 1, "3FS"]],
      "3 rejected predecessors:VALUE_UNKNOWN",
      "Predecessors has an unknown value",
    ],
    [
      "an offset of 1096",
      [good, ["F", 2, null, "B", 1, "1FS+1096"]],
      "3 rejected predecessors:VALUE_RANGE",
      "Predecessors must lie between -1,095 and 1,095",
    ],
    [
      "an offset of -1096",
      [good, ["F", 2, null, "B", 1, "1FS-1096"]],
      "3 rejected predecessors:VALUE_RANGE",
      "Predecessors must lie between -1,095 and 1,095",
    ],
    [
      "a relation twice",
      [good, ["F", 2, null, "B", 1, "1FS, 1FS+1"]],
      "3 rejected predecessors:RELATION_REPEAT",
      "The same relation occurs twice: 1FS+1",
    ],
    ["itself before it", [["F", 1, null, "A", 1, "1"]], "2 rejected predecessors:CYCLE", "The relations form a loop: A → A"],
    [
      "a loop",
      [
        ["F", 1, null, "A", 1, "2"],
        ["F", 2, null, "B", 1, "1"],
      ],
      "2 rejected predecessors:CYCLE",
      "The relations form a loop: A → B → A",
    ],
    ["a flag nobody can read", [[...good.slice(0, 6), "perhaps"]], "2 rejected isAnchor:VALUE_UNKNOWN", "Anchor has an unknown value"],
  ];
  test.each(cases)("with %s", async (_title, rows, problem, text) => {
    const task = await preview(await outside(head, ...rows));
    expect(await problemsOf(task)).toContain(problem);
    const row = (await imports.rows(task.id)).find(({ no }) => problem.startsWith(`${no} `));
    expect(row?.problems[0]?.msg).toContain(text);
    expect(task.result.counts).toMatchObject({ new: 0, changed: 0, unchanged: 0, rejected: rows.length });
    expect(await imports.call("import/apply", { taskId: task.id })).toMatchObject({ code: "NOTHING_MODIFIED" });
    expect(await flowIds()).toEqual([]);
  });

  test("not at the bounds themselves", async () => {
    const task = await preview(
      await outside(
        head,
        ["f".repeat(100), 1, null, "n".repeat(150), 0, null, "yes"],
        ["f".repeat(100), 99_999, "c".repeat(60), "B", 1095, "1FS+1095, 1SS-1095", "no"],
      ),
    );
    expect(task.result.counts).toMatchObject({ new: 2, rejected: 0 });
    expect(await imports.apply(task.id)).toMatchObject({ status: "succeeded", done_count: 2 });
  });

  test("where its flow is disabled, or names a code the library does not know for an activity that has one, or means an activity twice", async () => {
    const flow = await makeFlow(pm, project.number, "Off", "A*");
    await call("flow/disable", { id: flow.id, rowVersion: flow.rowVersion });
    await makeDraft(pm, project.number, "Draft", "A* B");
    const heads = ["Flow", "Activity code", "Activity"];
    const rows = await problemsOf(
      await preview(await outside(heads, ["Off", null, "A"], ["Draft", "ZZZ", "A"], ["Draft", "A002", "B"], ["draft", "a002", "Again"])),
    );
    expect(rows).toEqual([
      "2 rejected flow:WRONG_STATUS",
      "3 rejected code:VALUE_UNKNOWN",
      "4 rejected :FLOW_ROWS_REFUSED",
      "5 rejected code:REPEATED_IN_FILE",
    ]);
  });

  test("with more activities or relations than a flow may hold, each bound on both sides", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, no): Cell[] => ["F", `N${no}`]);
    expect((await preview(await outside(["Flow", "Activity"], ...many(500)))).result.counts).toMatchObject({ new: 500, rejected: 0 });
    const over = await preview(await outside(["Flow", "Activity"], ...many(501)));
    expect(over.result.counts).toMatchObject({ rejected: 501 });
    expect(over.result.reasons).toContainEqual({ code: "TOO_MANY", count: 1 });
    // 63 activities, each after all before it: 1,953 relations; 47 or 48 more of another type.
    const dense = (more: number) =>
      Array.from({ length: 63 }, (_, no): Cell[] => {
        const before = Array.from({ length: no }, (_, pre) => `${pre + 1}FS`);
        return ["F", `N${no}`, [...before, ...(no === 62 ? Array.from({ length: more }, (_, pre) => `${pre + 1}SS`) : [])].join(", ")];
      });
    const heads = ["Flow", "Activity", "Predecessors"];
    expect((await preview(await outside(heads, ...dense(47)))).result.counts).toMatchObject({ new: 63, rejected: 0 });
    expect((await preview(await outside(heads, ...dense(48)))).result.reasons).toContainEqual({ code: "TOO_MANY", count: 1 });
  });

  test("with a row whose flow cannot be told nothing is taken for left out", async () => {
    await makeDraft(pm, project.number, "Build", "A* B");
    const task = await preview(await outside(["Flow", "Activity"], ["Build", "A"], [null, "B"]));
    expect(await problemsOf(task)).toEqual(["2 unchanged", "3 rejected flow:VALUE_MISSING"]);
  });

  test(`beyond ${sheetFlowsMax} flows, and a file beyond ${sheetRowsMax} rows`, async () => {
    const flows = (count: number) => Array.from({ length: count }, (_, no): Cell[] => [`F${no}`, "A"]);
    expect((await preview(await outside(["Flow", "Activity"], ...flows(sheetFlowsMax)))).result.counts).toMatchObject({
      new: sheetFlowsMax,
    });
    expect((await preview(await outside(["Flow", "Activity"], ...flows(sheetFlowsMax + 1)))).result.counts).toMatchObject({
      new: sheetFlowsMax,
      rejected: 1,
    });
    const csv = (count: number) =>
      Buffer.from(["Flow,Activity", ...Array.from({ length: count }, (_, no) => `F${no % 20},N${no}`)].join("\n"));
    const most = await preview(await imports.upload("most.csv", csv(sheetRowsMax)));
    expect(most.result.counts).toMatchObject({ new: sheetRowsMax, rejected: 0 });
    expect(await imports.apply(most.id)).toMatchObject({ status: "succeeded", done_count: sheetRowsMax });
    const over = await preview(await imports.upload("over.csv", csv(sheetRowsMax + 1)));
    expect(over).toMatchObject({ status: "failed", message_key: "errors.SHEET_ROWS" });
  }, 60_000);
});

describe("files that are no workbook of these flows", () => {
  const workbook = (cells: Cell[][], meta?: object) =>
    buffer(
      writeWorkbook({
        name: "x",
        columns: cells[0]!.map((title) => ({ title: String(title), key: String(title) })),
        rows: cells.slice(1),
        ...(meta && { meta: meta as never }),
      }),
    );

  test("of another project, of another kind, renamed, truncated, without columns or rows", async () => {
    const rows: Cell[][] = [
      ["flow", "name"],
      ["F", "A"],
    ];
    const meta = { project: project.number, kind: "flows", version: 1 };
    const whole = await workbook(rows, meta);
    const files: [string, Buffer, string][] = [
      ["a.xlsx", await workbook(rows, { ...meta, project: "ELSEWHERE" }), "WRONG_PROJECT"],
      ["a.xlsx", await workbook(rows, { ...meta, kind: "calendar" }), "WRONG_FILE"],
      ["a.pdf", whole, "FILE_FORMAT"],
      ["a.xlsx", whole.subarray(0, whole.length / 2), "FILE_DAMAGED"],
      ["a.xlsx", Buffer.from("<html>not a workbook</html>"), "FILE_FORMAT"],
      ["a.xlsx", await workbook([["flow", "name"]], meta), "NO_DATA"],
    ];
    for (const [name, bytes, code] of files) {
      const answer = await imports.call("import/open", { fileId: await imports.upload(name, bytes), kind: "flows" });
      expect([name, answer.code]).toEqual([name, code]);
    }
    const unmapped = await imports.preview({
      fileId: await imports.upload(
        "a.xlsx",
        await workbook([
          ["flow", "other"],
          ["F", "A"],
        ]),
      ),
      kind: "flows",
    });
    expect(unmapped).toMatchObject({ status: "failed", message_key: "errors.MAPPING_MISSING" });
    expect(await flowIds()).toEqual([]);
  });

  test("names that a program could take for more than names stay names", async () => {
    const odd = [
      "__proto__",
      "constructor",
      "=cmd|' /C calc'!A0",
      "<script>alert(1)</script>",
      "'; drop table activity_flow; --",
      "Ｗｉｄｅ 宽",
    ];
    const task = await preview(
      await outside(["Flow", "Activity", "Predecessors"], ...odd.map((name, no): Cell[] => [odd[0]!, name, no === 0 ? null : String(no)])),
    );
    expect(task.result.counts).toMatchObject({ new: odd.length, rejected: 0 });
    await imports.apply(task.id);
    expect((await findByName("__proto__")).nodes.map(({ name }: { name: string }) => name)).toEqual(odd);
    expect((await preview((await exported()).fileId)).result.counts).toMatchObject({ unchanged: odd.length, changed: 0, rejected: 0 });
  });
});

describe("flow/export and flow/import", () => {
  test("an export names unknown flows, refuses one without activities [OPS-12] and one beyond the rows an export may have", async () => {
    await setLimit(db.owner, project.id, "export.rows", 100);
    const empty = await call("flow/save", { name: "Empty" });
    const { id } = await makeDraft(pm, project.number, "Build", Array.from({ length: 100 }, (_, no) => `N${no}`).join(" "));
    const more = await makeDraft(pm, project.number, "One", "A*");
    const ask = (ids: number[]) => imports.call("flow/export", { ids });
    expect(await ask([id, 999_999])).toMatchObject({ status: 404, code: "NOT_FOUND", msg: expect.stringContaining("999999") });
    expect(await ask([empty.id])).toMatchObject({ status: 422, code: "NO_DATA" });
    expect(await ask([])).toMatchObject({ status: 400 });
    expect(await ask(Array.from({ length: sheetFlowsMax + 1 }, (_, no) => no + 1))).toMatchObject({
      status: 400,
      problems: [{ code: "TOO_MANY" }],
    });
    const most = await ask([id]);
    expect((await imports.run(most.data.taskId)).done_count).toBe(100);
    expect(await ask([id, more.id])).toMatchObject({ status: 422, code: "EXPORT_LIMIT", msg: expect.stringContaining("101") });
  });

  test("flow/import starts the check of a file; the rights of both are asked, and files of others are unknown", async () => {
    const fileId = await outside(["Flow", "Activity"], ["F", "A"]);
    const answer = await imports.call("flow/import", { fileId });
    expect(answer).toMatchObject({ status: 200 });
    expect((await imports.run(answer.data.taskId)).result).toMatchObject({ kind: "flows", counts: { new: 1 } });
    viewer = await makeMember(db.owner, project.id, "COMMON_VIEW");
    pcm = await makeMember(db.owner, project.id, "PCM");
    const as = (who: CtxUser, address: string, input: object) => callAs(who, address, input, { project: project.number });
    for (const [address, input] of [
      ["flow/import", { fileId }],
      ["import/open", { fileId, kind: "flows" }],
      ["import/template", { kind: "flows" }],
      ["flow/export", { ids: [1] }],
    ] as const)
      expect(await as(viewer, address, input)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await as(pcm, "flow/import", { fileId })).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  test("an export reaches no flow of another project", async () => {
    const other = await makeProject(db.owner);
    const theirs = await makeMember(db.owner, other.id, "PM");
    const flow = await makeDraft(theirs, other.number, "Theirs", "A*");
    expect(await imports.call("flow/export", { ids: [flow.id] })).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  test("a template names the columns a file may have", async () => {
    const { data } = await imports.call("import/template", { kind: "flows" }, { locale: "ja" });
    const cells = await imports.workbook(await imports.upload("t.xlsx", Buffer.from(data.base64, "base64")));
    expect(cells[0]).toEqual([...sheetColumns]);
    expect(cells[1]?.[0]).toBe("フロー");
  });
});

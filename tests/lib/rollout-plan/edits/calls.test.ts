import { describe, expect, it } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion, makeSubcontractor, setLimit } from "../../../support/factories.ts";
import { makeActivities, makeAttribute, makeDuOwner, makeDus, makeFlow, makeOwnerSet, setSwitch } from "../../../support/plan-factories.ts";
import { type Cell, planCalls, usePlanProject } from "../../../support/plan-project.ts";

const day = dayNumber;
const db = useDatabase();
const project = usePlanProject(db);
const { call, save, plan, audits, survey, install } = planCalls(db, project);

describe("rolloutPlan/save", () => {
  it("writes dates, owners, notes, attributes and DU fields of one DU in one batch and audits it", async () => {
    const region = await makeRegion(db.owner, project.id);
    const text = await makeAttribute(db.owner, project.id);
    const number = await makeAttribute(db.owner, project.id, { type: "NUMBER", level: "ACTIVITY" });
    const [duId] = await makeDus(db.owner, project.id, [{ name: "Old" }], project.flow);
    const before = await audits();
    const answer = await save(project.pm, [
      { duId: duId!, activityId: survey(), field: "planStart", value: "2026-10-20" },
      { duId: duId!, activityId: survey(), field: "planOwner", value: [project.pm.id, project.viewer.id] },
      { duId: duId!, activityId: survey(), field: "actualEnd", value: "2026-10-14" },
      { duId: duId!, activityId: survey(), field: "score", value: 2 },
      { duId: duId!, activityId: survey(), field: "scoreRemark", value: "late" },
      { duId: duId!, activityId: survey(), field: `a${number.id}`, value: 12.5 },
      { duId: duId!, field: `a${text.id}`, value: " key holder " },
      { duId: duId!, field: "name", value: "New", base: "Old" },
      { duId: duId!, field: "region", value: region },
    ]);
    expect(answer).toMatchObject({ status: 200, data: { saved: 9, rejected: [], conflicts: [], batchId: expect.any(Number) } });
    expect(await audits()).toBe(before + 1);
    const row = await plan(duId!);
    expect([row.plan_start[0], row.actual_end[0], row.done_count]).toEqual([day("2026-10-20"), day("2026-10-14"), 1]);
    expect((await db.owner`select user_ids from owner_set where id = ${row.plan_owner[0]}`)[0]!.user_ids).toEqual([
      project.pm.id,
      project.viewer.id,
    ]);
    const [du] = await db.owner`select name, region_id, ext from du where id = ${duId!}`;
    expect(du).toEqual({ name: "New", region_id: region, ext: { [`a${text.id}`]: "key holder", [`a${number.id}@1`]: 12.5 } });
    expect(await db.owner`select slot, score, score_remark from du_activity_note where du_id = ${duId!}`).toEqual([
      { slot: 1, score: 2, score_remark: "late" },
    ]);
    const [audit] =
      await db.owner`select address, actor_id, project_id, request_id from audit_log where object = ${`plan batch ${answer.data.batchId}`}`;
    expect(audit).toEqual({ address: "rolloutPlan/save", actor_id: project.pm.id, project_id: project.id, request_id: answer.requestId });
    const [log] = await db.owner`select cells, attrs from plan_log where batch_id = ${answer.data.batchId}`;
    expect(log!.attrs).toEqual({
      [`a${text.id}`]: [null, "key holder"],
      [`a${number.id}@1`]: [null, 12.5],
      "du.name": ["Old", "New"],
      "du.region_id": [null, region],
      "note.score@1": [null, 2],
      "note.scoreRemark@1": [null, "late"],
    });
  });

  it("says what is wrong cell by cell, in the caller's language, and saves the other DUs", async () => {
    const [good, bad] = await makeDus(db.owner, project.id, [{}, {}], project.flow);
    const answer = await save(project.pm, [
      { duId: good!, activityId: survey(), field: "planEnd", value: "2026-10-20" },
      { duId: bad!, activityId: survey(), field: "planStart", value: "2026-10-21" },
      { duId: bad!, activityId: survey(), field: "planEnd", value: "2026-10-20" },
      { duId: bad!, activityId: install(), field: "planEnd", value: "2026-10-20" },
    ]);
    expect(answer.data).toMatchObject({ saved: 1, conflicts: [] });
    const order = { duId: bad, code: "PLAN_ORDER", msg: "The plan start is after the plan end" };
    expect(answer.data.rejected).toEqual([
      { ...order, activityId: survey(), field: "planStart" },
      { ...order, activityId: survey(), field: "planEnd" },
      { ...order, activityId: install(), field: "planEnd" },
    ]);
    expect((await plan(good!)).plan_end[0]).toBe(day("2026-10-20"));
    expect((await plan(bad!)).plan_end).toEqual([0, 0, 0, 0, 0]);
  });

  const cases: [title: string, edit: (duId: number) => Cell, code: string][] = [
    ["an impossible day", (duId) => ({ duId, activityId: survey(), field: "planEnd", value: "2026-02-30" }), "DATE_FORMAT"],
    [
      "[RPL-17] a day before the first",
      (duId) => ({ duId, activityId: survey(), field: "planEnd", value: "2000-01-01" }),
      "DATE_OUT_OF_RANGE",
    ],
    [
      "[RPL-17] a day far behind the last",
      (duId) => ({ duId, activityId: survey(), field: "planEnd", value: "2250-01-01" }),
      "DATE_OUT_OF_RANGE",
    ],
    [
      "[RPL-16] a day more than three years ahead",
      (duId) => ({ duId, activityId: survey(), field: "planEnd", value: "2029-10-15" }),
      "PLAN_TOO_FAR",
    ],
    ["[RPL-21] NA in a plan start", (duId) => ({ duId, activityId: survey(), field: "planStart", value: "NA" }), "NA_PLAN_END_ONLY"],
    [
      "[RPL-19] an actual date without owner",
      (duId) => ({ duId, activityId: survey(), field: "actualStart", value: "2026-10-14" }),
      "OWNER_REQUIRED",
    ],
    [
      "21 owners",
      (duId) => ({ duId, activityId: survey(), field: "planOwner", value: Array.from({ length: 21 }, (_, i) => i + 1) }),
      "TOO_MANY",
    ],
    [
      "an owner from outside the project",
      (duId) => ({ duId, activityId: survey(), field: "planOwner", value: [project.stranger.id] }),
      "NOT_MEMBER",
    ],
    ["[RPL-27] a low score without remark", (duId) => ({ duId, activityId: survey(), field: "score", value: 2 }), "SCORE_REMARK"],
    [
      "a reason of 501 characters",
      (duId) => ({ duId, activityId: survey(), field: "delayReason", value: "x".repeat(501) }),
      "VALUE_TOO_LONG",
    ],
    ["a score that is no number", (duId) => ({ duId, activityId: survey(), field: "score", value: "five" }), "VALUE_FORMAT"],
    ["a note of an activity that is not there", (duId) => ({ duId, activityId: 987_654, field: "delayReason", value: "x" }), "NO_ACTIVITY"],
    ["a score above 5", (duId) => ({ duId, activityId: survey(), field: "score", value: 6 }), "VALUE_RANGE"],
    ["[RPL-17] a month in another form", (duId) => ({ duId, field: "eomonth", value: "10/2026" }), "MONTH_FORMAT"],
    ["[RPL-24] a quantity of 0", (duId) => ({ duId, field: "valueQty", value: 0 }), "NUMBER_RANGE"],
    ["[RPL-11] a unit that is none of the four", (duId) => ({ duId, field: "valueUnit", value: "Mile" }), "VALUE_UNKNOWN"],
    ["a region of another project", (duId) => ({ duId, field: "region", value: 987_654 }), "REGION_UNKNOWN"],
    ["a column that is not edited here", (duId) => ({ duId, field: "siteName", value: "x" }), "VALUE_UNKNOWN"],
    ["a baseline date", (duId) => ({ duId, activityId: survey(), field: "baselineEnd", value: "2026-10-20" }), "VALUE_UNKNOWN"],
    ["an activity of another project", (duId) => ({ duId, activityId: 987_654, field: "planEnd", value: "2026-10-20" }), "NO_ACTIVITY"],
    ["a DU of another project", () => ({ duId: 987_654, activityId: survey(), field: "planEnd", value: "2026-10-20" }), "DU_NOT_FOUND"],
  ];
  it.each(cases)("refuses %s", async (_title, edit, code) => {
    const [duId] = await makeDus(db.owner, project.id, [{}], project.flow);
    const answer = await save(project.pm, [edit(duId!)]);
    expect(answer.data).toMatchObject({ saved: 0, batchId: null, rejected: [{ code }] });
    expect(answer.data.rejected[0].msg).not.toMatch(/[{}]|^errors\./);
  });

  it("takes multiples of a half alone for the numbers of a designer [RPL-25]", async () => {
    const designer = await makeAttribute(db.owner, project.id, {
      name: "Designer days",
      type: "NUMBER",
      valueLimit: { min: 0, step: 0.5 },
    });
    const ids = await makeDus(db.owner, project.id, [{}, {}, {}, {}], project.flow);
    const edits = [0.5, 12, 2.25, 0.4].map((value, at) => ({ duId: ids[at]!, field: designer.key, value }));
    const { data } = await save(project.pm, edits);
    expect(data.saved).toBe(2);
    expect(data.rejected.map(({ duId, code, msg }: { duId: number; code: string; msg: string }) => [duId, code, msg])).toEqual([
      [ids[2], "STEP_HALF", "Enter a multiple of 0.5"],
      [ids[3], "STEP_HALF", "Enter a multiple of 0.5"],
    ]);
  });

  it("finds the cell somebody else changed meanwhile, and only that one", async () => {
    const colleague = await makeMember(db.owner, project.id, "PCM");
    const [duId, other] = await makeDus(
      db.owner,
      project.id,
      [{ plan: { 1: { plan_end: "2026-10-20" }, 5: { plan_end: "2026-11-20" } } }, {}],
      project.flow,
    );
    await save(colleague, [{ duId: duId!, activityId: survey(), field: "planEnd", value: "2026-10-22", base: "2026-10-20" }]);
    const moved = await save(project.pm, [
      { duId: duId!, activityId: install(), field: "planEnd", value: "2026-11-21", base: "2026-11-20" },
    ]);
    expect(moved.data).toMatchObject({ saved: 1, conflicts: [] });
    const answer = await save(project.pm, [
      { duId: duId!, activityId: survey(), field: "planEnd", value: "2026-10-23", base: "2026-10-20" },
      { duId: duId!, activityId: install(), field: "planEnd", value: "2026-11-25", base: "2026-11-21" },
      { duId: other!, activityId: survey(), field: "planEnd", value: "2026-10-23" },
    ]);
    expect(answer.data).toMatchObject({
      saved: 1,
      conflicts: [
        { duId, activityId: survey(), field: "planEnd", mine: "2026-10-23", theirs: "2026-10-22", by: colleague.name, at: clock },
      ],
      rejected: [{ duId, activityId: install(), field: "planEnd", code: "STALE" }],
    });
    expect((await plan(duId!)).plan_end[4]).toBe(day("2026-11-21"));
  });

  it("takes a value that is there already for saved by somebody else: no conflict, nothing written", async () => {
    const [duId] = await makeDus(db.owner, project.id, [{ plan: { 1: { plan_end: "2026-10-22" } } }], project.flow);
    const answer = await save(project.pm, [
      { duId: duId!, activityId: survey(), field: "planEnd", value: "2026-10-22", base: "2026-10-20" },
    ]);
    expect(answer).toMatchObject({ status: 422, code: "NOTHING_MODIFIED" });
  });

  it("counts the last edit of a cell named again, in one cell saved", async () => {
    const [duId] = await makeDus(db.owner, project.id, [{}], project.flow);
    const cell = { duId: duId!, activityId: survey(), field: "planEnd" };
    const answer = await save(project.pm, [
      { ...cell, value: "2026-10-20" },
      { ...cell, field: "planStart", value: "2026-10-19" },
      { ...cell, activityId: install(), value: "2026-10-21" },
      { ...cell, value: "2026-10-22" },
    ]);
    expect(answer.data).toMatchObject({ saved: 3, rejected: [], conflicts: [] });
    const row = await plan(duId!);
    expect([row.plan_start[0], row.plan_end[0]]).toEqual([day("2026-10-19"), day("2026-10-22")]);
  });

  it("takes edits side by side as well, after those one by one, and refuses sides of different lengths", async () => {
    const [one, two] = await makeDus(db.owner, project.id, [{}, {}], project.flow);
    const column = {
      field: "planEnd",
      duIds: [one!, two!, two!],
      activityIds: [survey(), survey(), install()],
      values: ["2026-10-20", "2026-10-21", "2026-10-22"],
      bases: [null, null, null],
    };
    const name = {
      field: "name",
      duIds: [one!],
      activityIds: [null],
      values: ["Park"],
      bases: [`Name of ${(await db.owner`select code from du where id = ${one!}`)[0]!.code}`],
    };
    const edits = [{ duId: one!, activityId: survey(), field: "planEnd", value: "2026-10-19", base: null }];
    const answer = await call(project.pm, "rolloutPlan/save", { edits, columns: [column, name] });
    expect(answer.data).toMatchObject({ saved: 4, rejected: [], conflicts: [] });
    expect([(await plan(one!)).plan_end[0], (await plan(two!)).plan_end[0], (await plan(two!)).plan_end[4]]).toEqual(
      ["2026-10-20", "2026-10-21", "2026-10-22"].map(day),
    );
    for (const key of ["activityIds", "values", "bases"] as const) {
      const short = await call(project.pm, "rolloutPlan/save", { columns: [name, { ...column, [key]: column[key].slice(1) }] });
      expect(short).toMatchObject({ status: 400, code: "INVALID_INPUT", problems: [{ path: "columns.1.duIds", code: "VALUE_FORMAT" }] });
    }
    const columns = [{ ...column, values: ["2026-10-20", "soon", "later"], bases: column.values }];
    expect((await call(project.pm, "rolloutPlan/save", { columns })).data).toMatchObject({
      saved: 0,
      rejected: [
        { duId: two, activityId: survey(), code: "DATE_FORMAT" },
        { duId: two, activityId: install(), code: "DATE_FORMAT" },
      ],
    });
  });

  it("refuses nothing and too much as a whole", async () => {
    expect(await save(project.pm, [])).toMatchObject({ status: 422, code: "NOTHING_MODIFIED" });
    const edits = Array.from({ length: 20_001 }, (_, i) => ({ duId: i + 1, field: "name", value: "x" }));
    expect(await save(project.pm, edits)).toMatchObject({ status: 422, code: "TOO_MANY_CELLS" });
  });

  it("[RPL-28] works on 10,000 DUs and no more", async () => {
    const edits = (count: number) => Array.from({ length: count }, (_, i) => ({ duId: 5_000_000 + i, field: "name", value: "x" }));
    expect(await save(project.pm, edits(10_001))).toMatchObject({ status: 422, code: "TOO_MANY_DU" });
    expect((await save(project.pm, edits(10_000))).status).toBe(200);
  });

  it("works on fewer DUs where the project lowered the limit", async () => {
    const strict = await makeProject(db.owner);
    const planner = await makeMember(db.owner, strict.id, "PM");
    await setLimit(db.owner, strict.id, "edit.du", 1000);
    const edits = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ duId: 5_000_000 + i, field: "name", value: "x", base: null }));
    const ask = (count: number) => callAs(planner, "rolloutPlan/save", { edits: edits(count) }, { project: strict.number });
    expect((await ask(1000)).status).toBe(200);
    expect(await ask(1001)).toMatchObject({ status: 422, code: "TOO_MANY_DU" });
  });

  it("asks the right of every cell by its kind", async () => {
    const td = await makeMember(db.owner, project.id, "TD");
    const attribute = await makeAttribute(db.owner, project.id);
    const dus = await makeDus(db.owner, project.id, [{ plan: { 1: { plan_owner: project.ownSet } } }, {}, {}, {}], project.flow);
    const answer = await save(td, [
      { duId: dus[0]!, activityId: survey(), field: "actualStart", value: "2026-10-13" },
      { duId: dus[1]!, activityId: survey(), field: "planEnd", value: "2026-10-20" },
      { duId: dus[2]!, field: `a${attribute.id}`, value: "x" },
      { duId: dus[3]!, field: "name", value: "x", base: null },
    ]);
    expect(answer.data.saved).toBe(2);
    expect(answer.data.rejected.map((cell: { duId: number; code: string }) => [cell.duId, cell.code])).toEqual([
      [dus[3], "NO_PERMISSION"],
      [dus[1], "NO_PERMISSION"],
    ]);
  });

  it("[RPL-20] lets only the owner or a related role write actual dates", async () => {
    const subcon = await makeMember(db.owner, project.id, "SUBCON");
    const company = await makeSubcontractor(db.owner, project.id, [subcon.id]);
    const mine = await makeOwnerSet(db.owner, project.id, [subcon.id]);
    const [owned, foreign] = await makeDus(
      db.owner,
      project.id,
      [
        { subcontractorId: company, plan: { 1: { plan_owner: mine } } },
        { subcontractorId: company, plan: { 1: { plan_owner: project.ownSet } } },
      ],
      project.flow,
    );
    const answer = await save(subcon, [
      { duId: owned!, activityId: survey(), field: "actualEnd", value: "2026-10-14" },
      { duId: foreign!, activityId: survey(), field: "actualEnd", value: "2026-10-14" },
    ]);
    expect(answer.data).toMatchObject({
      saved: 1,
      rejected: [{ duId: foreign, code: "NOT_OWNER", msg: "Actual time is not allowed: you are not the owner of the activity" }],
    });
    await makeDuOwner(db.owner, foreign!, subcon.id, "SITE_OWNER");
    expect((await save(subcon, [{ duId: foreign!, activityId: survey(), field: "actualEnd", value: "2026-10-14" }])).data.saved).toBe(1);
  });

  it("[RPL-18] refuses the times of a closed task, [RPL-22] of a locked one and [RPL-23] of the frozen MOS plan", async () => {
    const bits = (bit: Parameters<typeof withState>[1]) => ({ state: withState(1, bit, 1), plan_owner: project.ownSet });
    const [duId] = await makeDus(
      db.owner,
      project.id,
      [{ plan: { 1: bits("closed"), 2: bits("toolLocked"), 4: bits("mosFrozen") } }],
      project.flow,
    );
    const refused = async (activity: number, field: string) =>
      (await save(project.pm, [{ duId: duId!, activityId: project.activities[activity - 1]!.id, field, value: "2026-10-14" }])).data
        .rejected[0];
    expect(await refused(1, "actualEnd")).toMatchObject({ code: "TASK_CLOSED", msg: "Closed task: the time cannot be changed." });
    expect(await refused(1, "planEnd")).toMatchObject({ code: "TASK_CLOSED" });
    expect(await refused(2, "actualEnd")).toMatchObject({ code: "TOOL_LOCKED" });
    expect(await refused(4, "planEnd")).toMatchObject({ code: "MOS_FROZEN", msg: expect.stringContaining("MOS plan is frozen") });
  });

  it("wants a reason to change a set actual end, and keeps it", async () => {
    const [duId] = await makeDus(
      db.owner,
      project.id,
      [{ plan: { 1: { plan_owner: project.ownSet, actual_end: "2026-10-12" } } }],
      project.flow,
    );
    const edit = { duId: duId!, activityId: survey(), field: "actualEnd", value: null, base: "2026-10-12" };
    expect((await save(project.pm, [edit])).data.rejected).toMatchObject([{ code: "REASON_REQUIRED" }]);
    const answer = await save(project.pm, [edit], { reason: "wrong site" });
    expect(answer.data.saved).toBe(1);
    expect((await db.owner`select reason from plan_batch where id = ${answer.data.batchId}`)[0]).toEqual({ reason: "wrong site" });
  });

  it("asks plan change control: a released plan changes by a plan change only", async () => {
    const controlled = await makeProject(db.owner);
    const planner = await makeMember(db.owner, controlled.id, "PM");
    const library = await makeActivities(db.owner, controlled.id, ["A"]);
    const [duId] = await makeDus(db.owner, controlled.id, [{}], {
      id: await makeFlow(db.owner, controlled.id, planner.id, library),
      activities: library,
    });
    await db.owner`update du_plan set release_state = 1 where du_id = ${duId!}`;
    await setSwitch(db.owner, controlled.id, "planChangeControl", "Y");
    const edits = [{ duId, activityId: library[0]!.id, field: "planEnd", value: "2026-10-20", base: null }];
    const frame = { project: controlled.number };
    expect((await callAs(planner, "rolloutPlan/save", { edits }, frame)).data.rejected).toMatchObject([{ code: "CHANGE_CONTROL" }]);
    await setSwitch(db.owner, controlled.id, "planChangeControl", "N");
    expect((await callAs(planner, "rolloutPlan/save", { edits }, frame)).data.saved).toBe(1);
    expect((await plan(duId!)).release_state).toBe(2);
  });

  it.each([
    ["no edits", {}],
    ["a cell without base", { edits: [{ duId: 1, field: "name", value: "x" }] }],
    ["an owner that is no id", { edits: [{ duId: 1, field: "planOwner", value: ["x"], base: null }] }],
  ])("refuses %s as invalid input", async (_title, input) =>
    expect(await call(project.pm, "rolloutPlan/save", input)).toMatchObject({ status: 400, code: "INVALID_INPUT" }));
  it("refuses people without the right and people of other projects", async () => {
    const edits = [{ duId: 1, field: "name", value: "x", base: null }];
    expect(await call(project.viewer, "rolloutPlan/save", { edits })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await call(project.stranger, "rolloutPlan/save", { edits })).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
  });
});

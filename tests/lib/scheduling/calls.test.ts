import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { previewsPerPerson } from "#lib/scheduling/limits.ts";
import { callAs } from "../../support/call.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { grantRole, makeMember, makeProject, makeRegion, makeSubcontractor, makeUser } from "../../support/factories.ts";
import { makeDuOwner, makeDus } from "../../support/plan-factories.ts";
import { done, makeScheduledFlow, readPlan, type ScheduledFlow } from "./make-scheduled.ts";

const database = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let viewer: CtxUser;
let other: { id: number; number: string };
let otherPm: CtxUser;
let flow: ScheduledFlow;
let region: number;

const network = `
  S survey 2
  M* delivery:mos 1 | S FS 3
  B build 3         | M FS 0
  P acceptance 0    | B FS 5
`;
/** Survey and build around a delivery on 2026-10-21. */
const planned = {
  survey: "2026-10-14 2026-10-15",
  delivery: "2026-10-21 2026-10-21",
  build: "2026-10-22 2026-10-26",
  acceptance: "2026-11-02 2026-11-02",
};
const expected = { survey: planned.survey, delivery: planned.delivery, build: planned.build, acceptance: planned.acceptance };

beforeAll(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  viewer = await makeMember(database.owner, project.id, "COMMON_VIEW");
  other = await makeProject(database.owner);
  otherPm = await makeMember(database.owner, other.id, "PM");
  flow = await makeScheduledFlow(database.owner, project.id, pm.id, network);
  region = await makeRegion(database.owner, project.id);
});
beforeEach(async () => {
  await database.owner`delete from schedule_preview`;
  await database.owner`delete from work_calendar`;
  await database.owner`delete from project_switch`;
});

type Slots = Parameters<typeof makeDus>[2][number]["plan"];
const slot = (letter: string) => flow.of(letter).slot;
const delivery = (day = "2026-10-21"): Slots => ({ [slot("M")]: { plan_start: day, plan_end: day } });
const dus = (count: number, plan: Slots = delivery(), more: object = {}) =>
  makeDus(
    database.owner,
    project.id,
    Array.from({ length: count }, () => ({ plan: { ...plan }, ...more })),
    flow,
  );
const call = (user: CtxUser, address: string, input: object = {}, number = project.number) =>
  callAs(user, address, input, { project: number });
const preview = (input: object, user = pm) => call(user, "rollout/schedule/preview", input);
const rows = (previewId: string, tab: string, more: object = {}, user = pm) =>
  done(call(user, "rollout/schedule/previewRows", { previewId, tab, ...more }));
const apply = (previewId: string, more: object = {}, user = pm) => call(user, "rollout/schedule/apply", { previewId, ...more });

describe("rollout/schedule/preview and previewRows", () => {
  test("computes every moved date and changes nothing in the plan", async () => {
    const [du] = await dus(1);
    const { previewId, counts, expiresAt } = await done(preview({ duIds: [du] }));
    expect(counts).toEqual({ dus: 1, moved: 1, unchanged: 0, refused: 0, warnings: 0, moves: 3 });
    expect(new Date(expiresAt).getTime()).toBe(clock.getTime() + 30 * 60_000);
    const { records, total } = await rows(previewId, "moves");
    expect(total).toBe(3);
    expect(records).toMatchObject([
      {
        duId: du,
        activityId: flow.of("S").id,
        activityName: "survey",
        oldStart: null,
        oldEnd: null,
        newStart: "2026-10-14",
        newEnd: "2026-10-15",
        days: null,
      },
      { activityName: "build", newStart: "2026-10-22", newEnd: "2026-10-26" },
      { activityName: "acceptance", newStart: "2026-11-02", newEnd: "2026-11-02" },
    ]);
    expect(await readPlan(database.owner, du!)).toEqual({ survey: "- -", delivery: expected.delivery, build: "- -", acceptance: "- -" });
  });

  test("shows old dates and by how many days the end moves", async () => {
    const [du] = await dus(1, { ...delivery(), [slot("B")]: { plan_start: "2026-10-20", plan_end: "2026-10-23" } });
    const { previewId } = await done(preview({ duIds: [du] }));
    const { records } = await rows(previewId, "moves");
    expect(records[1]).toMatchObject({
      oldStart: "2026-10-20",
      oldEnd: "2026-10-23",
      newStart: "2026-10-22",
      newEnd: "2026-10-26",
      days: 3,
    });
  });

  test("lists refusals with code and text per DU, and warnings", async () => {
    const bound = await dus(1, { [slot("M")]: {} });
    const [unbound] = await makeDus(database.owner, project.id, [{}]);
    const [late] = await dus(1, delivery("2026-10-15"));
    const { previewId, counts } = await done(preview({ duIds: [bound[0], unbound, late, 999_999] }));
    expect(counts).toMatchObject({ dus: 4, moved: 1, refused: 3, warnings: 1 });
    const refused = await rows(previewId, "refused");
    expect(refused.records).toMatchObject([
      { duId: bound[0], code: "ANCHOR_DATES_EMPTY", activityName: "delivery", text: "The anchor has no dates: delivery" },
      { duId: unbound, code: "DU_EMPTY", activityId: null },
      { duId: 999_999, duCode: null, code: "DU_NOT_FOUND" },
    ]);
    const warnings = await rows(previewId, "warnings");
    expect(warnings.records).toMatchObject([{ duId: late, code: "PAST_DATE", activityName: "survey" }]);
  });

  test("[SCH-15] refuses a call without a DU", async () => {
    expect(await preview({ duIds: [] })).toMatchObject({ status: 422, code: "DU_EMPTY", msg: "DU empty" });
    expect(await preview({})).toMatchObject({ status: 422, code: "DU_EMPTY" });
  });

  test("pages its rows in the order of the DUs", async () => {
    const ids = await dus(5);
    const { previewId } = await done(preview({ duIds: [...ids].reverse() }));
    const pages = [1, 2, 3, 4, 5].map((page) => rows(previewId, "moves", { page, size: 4 }));
    const all = (await Promise.all(pages)).flatMap(({ records }) => records);
    expect(all).toHaveLength(15);
    expect(all.map(({ duId }: { duId: number }) => duId)).toEqual([...ids].reverse().flatMap((id) => [id, id, id]));
    expect(new Set(all.map(({ duId, activityId }: { duId: number; activityId: number }) => `${duId} ${activityId}`)).size).toBe(15);
  });

  test("takes the DUs of a kept query of the plan in their order, and refuses one that has expired", async () => {
    const ids = await dus(3);
    const [code] = await database.owner<{ code: string }[]>`select code from du where id = ${ids[1]!}`;
    const { queryId } = await done(call(pm, "wbs/filter", { search: { field: "code", text: code!.code } }));
    const { counts, previewId } = await done(preview({ queryId }));
    expect(counts).toMatchObject({ dus: 1, moved: 1 });
    expect((await rows(previewId, "moves")).records[0]).toMatchObject({ duId: ids[1] });
    const expired = { status: 410, code: "QUERY_EXPIRED" };
    const later = new Date(clock.getTime() + 10 * 60_000);
    expect(await callAs(pm, "rollout/schedule/preview", { queryId }, { project: project.number, now: later })).toMatchObject(expired);
    expect(await preview({ queryId: "00000000-0000-4000-8000-000000000000" })).toMatchObject(expired);
  });

  test("anchors of the request: for one DU, or for all whose flow has the activity", async () => {
    const [first, second] = await dus(2, {});
    const activityId = flow.of("M").id;
    const anchors = [
      { activityId, start: "2026-10-21" },
      { duId: second, activityId, end: "2026-10-28" },
    ];
    const { previewId } = await done(preview({ duIds: [first, second], anchors }));
    const { records } = await rows(previewId, "moves");
    const moved = records.filter((row: { activityId: number }) => row.activityId === activityId);
    expect(moved).toMatchObject([
      { duId: first, newStart: "2026-10-21", newEnd: "2026-10-21" },
      { duId: second, newStart: "2026-10-28", newEnd: "2026-10-28" },
    ]);
    expect(await preview({ duIds: [first], anchors: [{ activityId: 999_999, start: "2026-10-21" }] })).toMatchObject({
      status: 422,
      code: "NO_ACTIVITY",
    });
  });

  test.each([
    [{ mode: "SIDEWAYS" }, "mode VALUE_UNKNOWN"],
    [{ duIds: Array.from({ length: 201 }, (_, at) => at + 1) }, "duIds TOO_MANY_DU"],
    [{ anchors: [{ activityId: 1 }] }, "anchors.0.start VALUE_MISSING"],
    [{ anchors: [{ activityId: 1, start: "2026-10-15", end: "2026-10-14" }] }, "anchors.0.end PLAN_ORDER"],
    [{ anchors: [{ activityId: 1, start: "2026-13-01" }] }, "anchors.0.start DATE_FORMAT"],
    [{ asOf: "1999-12-31" }, "asOf DATE_OUT_OF_RANGE"],
  ])("refuses %j: %s", async (input, problem) => {
    const answer = await preview({ duIds: [1], ...input });
    expect(answer.status).toBe(400);
    expect(answer.problems?.map(({ path, code }) => `${path} ${code}`)).toContain(problem);
  });

  test("follows the calendar of the DU's region, else that of the project", async () => {
    const days = [{ day: "2026-10-22", working: false, name: "Local holiday" }];
    await done(call(pm, "commomUtil/saveCalendarSetData", { regionId: region, weekdays: [1, 2, 3, 4, 5], days }));
    const [inside] = await dus(1, delivery(), { regionId: region });
    const [outside] = await dus(1);
    const { previewId } = await done(preview({ duIds: [inside, outside] }));
    const { records } = await rows(previewId, "moves");
    const builds = records.filter((row: { activityName: string }) => row.activityName === "build");
    expect(builds).toMatchObject([{ newStart: "2026-10-23" }, { newStart: "2026-10-22" }]);
  });

  test("[SCH-14] refuses DUs whose calendar has no working day near the dates", async () => {
    const [du] = await dus(1);
    await database.owner`insert into work_calendar (project_id, name, weekdays) values (${project.id}, 'None', 0)`;
    const { previewId, counts } = await done(preview({ duIds: [du] }));
    expect(counts).toMatchObject({ moved: 0, refused: 1 });
    expect((await rows(previewId, "refused")).records).toMatchObject([{ code: "INVALID_CALENDAR", text: "Invalid working calendar" }]);
  });

  test("[SCH-13] [SCH-17] refuses DUs of a flow without anchor, and of one with an unlinked activity", async () => {
    const [first] = await dus(1);
    await database.owner`update flow_activity set is_anchor = false where flow_id = ${flow.id}`;
    const one = await done(preview({ duIds: [first] }));
    expect((await rows(one.previewId, "refused")).records).toMatchObject([{ code: "NO_ANCHOR", text: "No anchor activity found" }]);
    await database.owner`update flow_activity set is_anchor = name like 'delivery%' where flow_id = ${flow.id}`;
    await database.owner`update flow_activity set activity_id = null where flow_id = ${flow.id} and name = 'survey'`;
    const two = await done(preview({ duIds: [first] }));
    expect((await rows(two.previewId, "refused")).records).toMatchObject([{ code: "LIBRARY_ID_MISSING" }]);
    await database.owner`update flow_activity set activity_id = ${flow.of("S").id} where flow_id = ${flow.id} and name = 'survey'`;
  });

  test("keeps the last previews of a person and drops expired ones", async () => {
    const [du] = await dus(1);
    for (let at = 0; at < previewsPerPerson + 2; at++) await done(preview({ duIds: [du] }));
    const [{ count }] = (await database.owner`select count(*)::int as count from schedule_preview`) as unknown as [{ count: number }];
    expect(count).toBe(previewsPerPerson);
  });

  test("a preview is its maker's own, for half an hour", async () => {
    const [du] = await dus(1);
    const { previewId } = await done(preview({ duIds: [du] }));
    const colleague = await makeMember(database.owner, project.id, "PM");
    const gone = { status: 410, code: "PREVIEW_EXPIRED" };
    expect(await call(colleague, "rollout/schedule/previewRows", { previewId })).toMatchObject(gone);
    expect(await apply(previewId, {}, colleague)).toMatchObject(gone);
    const later = new Date(clock.getTime() + 30 * 60_000);
    expect(await callAs(pm, "rollout/schedule/apply", { previewId }, { project: project.number, now: later })).toMatchObject(gone);
    expect(await callAs(pm, "rollout/schedule/previewRows", { previewId }, { project: project.number, now: later })).toMatchObject(gone);
  });

  test("reaches only DUs of the project, and for own rows only the own ones", async () => {
    const [mine, theirs] = await dus(2);
    const owner = await makeUser(database.owner);
    await grantRole(database.owner, project.id, owner.id, "COMMON_VIEW");
    await makeDuOwner(database.owner, mine!, owner.id, "SITE_OWNER");
    const { previewId } = await done(preview({ duIds: [mine, theirs] }, owner));
    expect((await rows(previewId, "refused", {}, owner)).records).toMatchObject([{ duId: theirs, code: "NO_PERMISSION" }]);
    const foreign = await done(callAs(otherPm, "rollout/schedule/preview", { duIds: [mine] }, { project: other.number }));
    expect(foreign.counts).toMatchObject({ moved: 0, refused: 1 });
    expect(await preview({ duIds: [mine] }, viewer)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });
});

describe("rollout/schedule/apply", () => {
  test("writes the moves as one batch of source schedule, logged and audited", async () => {
    const ids = await dus(2);
    const { previewId } = await done(preview({ duIds: ids }));
    const answer = await done(apply(previewId));
    expect(answer).toMatchObject({ applied: 2, refused: [] });
    expect(answer.cells).toBeGreaterThanOrEqual(12);
    for (const id of ids) expect(await readPlan(database.owner, id)).toEqual(expected);
    const [batch] =
      await database.owner`select source, actor_id as actor, du_count as dus, origin from plan_batch where id = ${answer.batchId}`;
    expect(batch).toMatchObject({ source: "schedule", actor: pm.id, dus: 2, origin: { kind: "schedule", id: previewId } });
    const [audit] = await database.owner`select detail from audit_log where object = ${`schedule ${previewId}`}`;
    expect(audit).toMatchObject({ detail: { after: { applied: 2, refused: 0, batchId: answer.batchId } } });
  });

  test("changes nothing when run again, and a preview is applied once", async () => {
    const ids = await dus(2);
    const first = await done(preview({ duIds: ids }));
    await done(apply(first.previewId));
    expect(await apply(first.previewId)).toMatchObject({ status: 410, code: "PREVIEW_EXPIRED" });
    const second = await done(preview({ duIds: ids }));
    expect(second.counts).toMatchObject({ moved: 0, unchanged: 2, moves: 0 });
    expect(await done(apply(second.previewId))).toMatchObject({ applied: 0, refused: [], batchId: null });
  });

  test("leaves out unticked DUs", async () => {
    const [kept, moved] = await dus(2);
    const { previewId } = await done(preview({ duIds: [kept, moved] }));
    expect(await done(apply(previewId, { excludeDuIds: [kept] }))).toMatchObject({ applied: 1 });
    expect(await readPlan(database.owner, kept!)).toMatchObject({ build: "- -" });
    expect(await readPlan(database.owner, moved!)).toEqual(expected);
    // They stay unticked in the next preview as long as it would move them.
    const again = await done(preview({ duIds: [kept, moved], excludeDuIds: [kept, moved] }));
    expect(again).toMatchObject({ counts: { moved: 1 }, excludedDuIds: [kept] });
  });

  test("refuses a DU whose plan changed since, writes the others; refuses all when all changed", async () => {
    const [changed, same] = await dus(2);
    const { previewId } = await done(preview({ duIds: [changed, same] }));
    await database.owner`update du_plan set row_version = row_version + 1 where du_id = ${changed!}`;
    expect(await done(apply(previewId))).toMatchObject({ applied: 1, refused: [{ duId: changed, code: "PREVIEW_STALE" }] });
    expect(await readPlan(database.owner, same!)).toEqual(expected);
    const again = await done(preview({ duIds: [changed] }));
    await database.owner`update du_plan set row_version = row_version + 1 where du_id = ${changed!}`;
    expect(await apply(again.previewId)).toMatchObject({ status: 409, code: "PREVIEW_STALE" });
    expect(await readPlan(database.owner, changed!)).toMatchObject({ build: "- -" });
  });

  test("refuses the whole preview when its calendar or a flow version changed", async () => {
    const [du] = await dus(1);
    const stale = { status: 409, code: "PREVIEW_STALE" };
    const one = await done(preview({ duIds: [du] }));
    await done(call(pm, "commomUtil/saveCalendarSetData", { weekdays: [1, 2, 3, 4, 5, 6], days: [] }));
    expect(await apply(one.previewId)).toMatchObject(stale);
    const two = await done(preview({ duIds: [du] }));
    await done(call(pm, "commomUtil/saveCalendarSetData", { weekdays: [1, 2, 3, 4, 5], days: [], rowVersion: 1 }));
    expect(await apply(two.previewId)).toMatchObject(stale);
    const three = await done(preview({ duIds: [du] }));
    await database.owner`update activity_flow set version = version + 1 where id = ${flow.id}`;
    expect(await apply(three.previewId)).toMatchObject(stale);
    const four = await done(preview({ duIds: [du] }));
    expect(await apply(four.previewId)).toMatchObject({ status: 200 });
  });

  test("refuses a DU that has moved to a region with another calendar", async () => {
    await done(call(pm, "commomUtil/saveCalendarSetData", { regionId: region, weekdays: [1, 2, 3, 4], days: [] }));
    const [moved, same] = await dus(2);
    const { previewId } = await done(preview({ duIds: [moved, same] }));
    await database.owner`update du set region_id = ${region} where id = ${moved!}`;
    expect(await done(apply(previewId))).toMatchObject({ applied: 1, refused: [{ duId: moved, code: "PREVIEW_STALE" }] });
  });

  test("writes only where the caller may edit the plan [PRM-22]", async () => {
    const scheduler = await makeMember(database.owner, project.id, "SCHEDULING_MANAGER");
    const [du] = await dus(1);
    const { previewId } = await done(preview({ duIds: [du] }, scheduler));
    expect(await done(apply(previewId, {}, scheduler))).toMatchObject({
      applied: 0,
      refused: expect.arrayContaining([expect.objectContaining({ duId: du, code: "NO_PERMISSION" })]),
    });
    expect(await readPlan(database.owner, du!)).toMatchObject({ build: "- -" });
  });

  test("writes the anchors of the request and moves suspended neighbours not at all", async () => {
    const [du] = await dus(1, { [slot("B")]: { state: 1 | (5 << 10), plan_start: "2026-10-26", plan_end: "2026-10-28" } });
    const { previewId } = await done(preview({ duIds: [du], anchors: [{ activityId: flow.of("M").id, start: "2026-10-21" }] }));
    await done(apply(previewId));
    expect(await readPlan(database.owner, du!)).toEqual({
      survey: "2026-10-14 2026-10-15",
      delivery: "2026-10-21 2026-10-21",
      build: "2026-10-26 2026-10-28",
      acceptance: "2026-11-04 2026-11-04",
    });
  });

  test("[SCH-18] writes nothing of a DU with a frozen activity that would move", async () => {
    const plan = { ...delivery(), [slot("B")]: { plan_start: "2026-10-22", plan_end: "2026-10-26" } };
    const [blocked, fitting] = await dus(2, plan);
    await done(call(pm, "plan/freeze", { duIds: [blocked, fitting], activityIds: [flow.of("B").id], reason: "Promised" }));
    await database.owner`update du_plan set plan_start[${slot("M")}] = ${9791}, plan_end[${slot("M")}] = ${9791} where du_id = ${blocked!}`;
    const { previewId, counts } = await done(preview({ duIds: [blocked, fitting] }));
    expect(counts).toMatchObject({ moved: 1, refused: 1 });
    expect((await rows(previewId, "refused")).records).toMatchObject([{ duId: blocked, code: "FROZEN_BLOCKS", activityName: "build" }]);
    expect(await done(apply(previewId))).toMatchObject({ applied: 1 });
    expect(await readPlan(database.owner, blocked!)).toMatchObject({ survey: "- -", build: planned.build, acceptance: "- -" });
    expect(await readPlan(database.owner, fitting!)).toEqual(expected);
  });

  test("plan change control refuses released DUs", async () => {
    const [released, draft] = await dus(2);
    await database.owner`update du_plan set release_state = 1 where du_id = ${released!}`;
    await database.owner`insert into project_switch (project_id, key, value, effective_at, updated_at) values (${project.id}, 'planChangeControl', 'Y', ${clock}, ${clock})`;
    const { previewId } = await done(preview({ duIds: [released, draft] }));
    expect((await rows(previewId, "refused")).records).toMatchObject([{ duId: released, code: "CHANGE_CONTROL" }]);
    expect(await done(apply(previewId))).toMatchObject({ applied: 1 });
  });
});

describe("rollout/schedule/anchors", () => {
  test("gives the anchors of each flow with the dates they have", async () => {
    const [second, third] = await dus(2, {});
    const [dated] = await dus(1, delivery("2026-10-21"));
    const [unbound] = await makeDus(database.owner, project.id, [{}]);
    const { flows, duCount, withoutFlow } = await done(call(pm, "rollout/schedule/anchors", { duIds: [second, third, dated, unbound] }));
    expect({ duCount, withoutFlow }).toEqual({ duCount: 4, withoutFlow: 1 });
    expect(flows).toMatchObject([
      {
        flowId: flow.id,
        duCount: 3,
        anchors: [{ activityId: flow.of("M").id, notApplicable: 0, dateless: 2, earliest: "2026-10-21", latest: "2026-10-21" }],
      },
    ]);
    expect(flows[0].activities.map(({ activityId }: { activityId: number }) => activityId)).toEqual(flow.activities.map(({ id }) => id));
    expect(await call(pm, "rollout/schedule/anchors", { duIds: [] })).toMatchObject({ status: 422, code: "DU_EMPTY" });
  });
});

describe("rollout/schedule/findSubconPM", () => {
  test("[SCH-06] gives the subcontractor PMs of the companies that deliver the DUs", async () => {
    const ann = await makeMember(database.owner, project.id, "SUBCON_PM");
    const bob = await makeMember(database.owner, project.id, "SUBCON_PM");
    const worker = await makeMember(database.owner, project.id, "SUBCON");
    const left = await makeUser(database.owner, { kind: "subcontractor" });
    await grantRole(database.owner, project.id, left.id, "SUBCON_PM", "2026-10-13");
    const first = await makeSubcontractor(database.owner, project.id, [ann.id, worker.id, left.id]);
    await makeSubcontractor(database.owner, project.id, [bob.id]);
    const [du] = await dus(1, {}, { subcontractorId: first, regionId: region });
    const [plain] = await dus(1, {});
    const find = async (input: object, user = pm) =>
      (await done(call(user, "rollout/schedule/findSubconPM", input))).map(({ account }: { account: string }) => account);
    expect(await done(call(pm, "rollout/schedule/findSubconPM", { duIds: [du] }))).toEqual([
      { account: ann.account, name: ann.name, subcontractor: expect.stringMatching(/^Company/) },
    ]);
    expect(await find({ regionId: region })).toEqual([ann.account]);
    expect((await find({ duIds: [plain] })).sort()).toEqual([ann.account, bob.account].sort());
    expect(await find({ duIds: [plain], searchKey: bob.account })).toEqual([bob.account]);
    expect(await find({ duIds: [du] }, bob)).toEqual([]);
    expect(await call(pm, "rollout/schedule/findSubconPM", {})).toMatchObject({ status: 400 });
  });
});

import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { runTask } from "#jobs/run-task.ts";
import { taskKinds } from "#jobs/tasks.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { refusedShown } from "#lib/scheduling/limits.ts";
import { releaseChunkDus, releaseDusMax, releaseNameChars } from "#lib/scheduling/releases/limits.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { makeDus, setSwitch } from "../../../support/plan-factories.ts";
import { makeHolder } from "../../../support/role-holders.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { versionDus, versionLines } from "../../plan-versions/make-versions.ts";
import { done, makeManyDus, makeScheduledFlow, readPlan, type ScheduledFlow } from "../make-scheduled.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let flow: ScheduledFlow;
const { run, workbook } = importsOf(db, () => ({ project, user: pm }));

const network = `
  S survey 2
  M* delivery:mos 1 | S FS 3
  B build 3         | M FS 0
`;

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  flow = await makeScheduledFlow(db.owner, project.id, pm.id, network);
});

const call = (address: string, input: object = {}, user = pm) => callAs(user, address, input, { project: project.number });
const release = (duIds: number[], more: object = {}, user = pm) =>
  call("rollout/release", { duIds, versionName: `V${Math.random()}`, ...more }, user);
const slot = (letter: string) => flow.of(letter).slot;
const anchored = (day = "2026-10-21") => ({ [slot("M")]: { plan_start: day, plan_end: day } });
const dus = (count: number, plan = anchored(), more: object = {}) =>
  makeDus(
    db.owner,
    project.id,
    Array.from({ length: count }, () => ({ plan: structuredClone(plan), ...more })),
    flow,
  );
type PlanRow = {
  release_state: number;
  released_start: number[] | null;
  released_end: number[] | null;
  baseline_end: number[] | null;
  plan_end: number[];
  state: number[];
  last_plan_end: number;
};
const planOf = async (duId: number) => (await db.owner<PlanRow[]>`select * from du_plan where du_id = ${duId}`)[0] as PlanRow;
const lines = () => versionLines(db.owner, project.id);
/** "DU code activity" of the refused. */
const refusals = (answer: { refused: { duId: number; code: string; activityName: string | null }[] }) =>
  answer.refused.map(({ duId, code, activityName }) => `${duId} ${code}${activityName ? ` ${activityName}` : ""}`);

// Days since 2000-01-01: 2026-10-14 is 9783.
const survey = [9783, 9784];
const delivery = 9790;
const build = [9791, 9795];
const scheduled = 1 | (1 << 10);

describe("rollout/release", () => {
  test("schedules, writes the released dates, offers the work and keeps the plan as a published version [SCH-09]", async () => {
    const [du] = await dus(1);
    const answer = await done(release([du!], { versionName: "W42" }));
    expect(answer).toEqual({
      version: { id: expect.any(Number), code: "P-0001" },
      baseline: null,
      released: 1,
      moved: 1,
      refused: [],
      refusedCount: 0,
      refusedDus: [],
    });
    expect(await readPlan(db.owner, du!)).toEqual({
      survey: "2026-10-14 2026-10-15",
      delivery: "2026-10-21 2026-10-21",
      build: "2026-10-22 2026-10-26",
    });
    expect(await planOf(du!)).toMatchObject({
      release_state: 1,
      released_start: [survey[0], delivery, build[0]],
      released_end: [survey[1], delivery, build[1]],
      last_plan_end: build[1],
      state: [scheduled, scheduled, scheduled],
      baseline_end: [0, 0, 0],
    });
    expect(await lines()).toEqual(["P-0001 published project in force, 1 DUs"]);
    const [row] = await db.owner`select plan_end, state from plan_version_row where version_id = ${answer.version.id}`;
    expect(row).toEqual({ plan_end: [survey[1], delivery, build[1]], state: [scheduled, scheduled, scheduled] });
    const [stored] = await db.owner`select scheduled_at, released_at, released_by, version_id from du_release where du_id = ${du!}`;
    expect(stored).toEqual({ scheduled_at: clock, released_at: clock, released_by: pm.id, version_id: answer.version.id });
    // The log holds the moved plan cells and the bits; copied dates are found in the version it names.
    const [log] =
      await db.owner`select l.cells, l.attrs, b.source, b.origin from plan_log l join plan_batch b on b.id = l.batch_id where l.du_id = ${du!}`;
    const cells = (at: number, ...fields: number[]) => fields.map((field) => at * 16 + field);
    expect(log).toEqual({
      cells: [...cells(1, 1, 2, 9), ...cells(2, 9), ...cells(3, 1, 2, 9)],
      attrs: { released: answer.version.id },
      source: "release",
      origin: { kind: "version", id: answer.version.id },
    });
  });

  test("saves a baseline version in the same step [SCH-10]", async () => {
    const [du, other] = await dus(2);
    const answer = await done(release([du!], { versionName: "W42", saveBaseline: true }));
    expect(answer).toMatchObject({ version: { code: "P-0001" }, baseline: { code: "B-0001" } });
    expect(await lines()).toEqual(["P-0001 published selection in force, 1 DUs", "B-0001 baseline selection in force, 1 DUs"]);
    expect((await planOf(du!)).baseline_end).toEqual([survey[1], delivery, build[1]]);
    expect((await planOf(other!)).baseline_end).toEqual([0, 0, 0]);
    const rows = await db.owner`select baseline_end from plan_version_row where du_id = ${du!}`;
    expect(rows).toEqual([{ baseline_end: [survey[1], delivery, build[1]] }, { baseline_end: [survey[1], delivery, build[1]] }]);
  });

  test("releases what can be and lists the rest with the activity at fault; a DU that is refused keeps everything", async () => {
    const [good] = await dus(1);
    const [dateless] = await dus(1, {});
    const [unbound] = await makeDus(db.owner, project.id, [{}]);
    const [frozen] = await dus(1, {
      ...anchored(),
      [slot("B")]: { plan_start: "2026-11-02", plan_end: "2026-11-04", state: 1 | (1 << 4) } as never,
    });
    const before = await planOf(frozen!);
    const answer = await done(release([good!, dateless!, unbound!, frozen!, 999_999]));
    expect(refusals(answer)).toEqual([
      "999999 DU_NOT_FOUND",
      `${dateless} ANCHOR_DATES_EMPTY delivery`,
      `${unbound} DU_EMPTY`,
      `${frozen} FROZEN_BLOCKS build`,
    ]);
    expect(answer.refused[3].text).toContain("build");
    expect(answer).toMatchObject({ released: 1, moved: 1, refusedCount: 4, refusedDus: [999_999, dateless, unbound, frozen] });
    expect(await versionDus(db.owner, answer.version.id)).toEqual([good]);
    expect(await planOf(frozen!)).toEqual(before);
    expect(await planOf(dateless!)).toMatchObject({ release_state: 0, released_end: null });
  });

  test("lists its warnings with what they are about", async () => {
    const [late] = await dus(1, anchored("2026-10-13"));
    const { warnings, warned } = await done(call("rollout/release", { duIds: [late], preview: true }));
    expect(warnings).toBeGreaterThan(0);
    expect(warned).toHaveLength(warnings);
    expect(warned[0]).toMatchObject({ duId: late, code: "PAST_DATE", activityName: expect.any(String), text: expect.any(String) });
  });

  test("tells who has an order that its dates have moved since the release before, once, and nobody else", async () => {
    const [du, other] = await dus(2);
    const tl = await makeMember(db.owner, project.id, "TL");
    await done(release([du!, other!], { skipSchedule: true }));
    await db.owner`
      insert into work_order (project_id, number, du_id, slot, status, assignee_id)
      values (${project.id}, 1, ${du!}, ${slot("M")}, 'accepted', ${tl.id}), (${project.id}, 2, ${other!}, ${slot("M")}, 'accepted', ${tl.id}),
        (${project.id}, 3, ${du!}, ${slot("B")}, 'cancelled', ${tl.id})`;
    const mails = () =>
      db.owner<{ address: string; text: string }[]>`
        select m.to_address as address, b."text" from mail_outbox m join mail_body b on b.id = m.body_id where m.project_id = ${project.id} order by m.id`;
    await done(release([du!, other!], { skipSchedule: true }));
    expect(await mails()).toEqual([]);
    await db.owner`update du_plan set plan_end[${slot("M")}] = 9791, row_version = row_version + 1 where du_id = ${du!}`;
    await done(release([du!, other!], { skipSchedule: true }));
    expect((await mails()).map(({ address }) => address)).toEqual([tl.email]);
    expect((await mails())[0]!.text).toContain("2026-10-22");
  });

  test("a preview tells the same and changes nothing", async () => {
    const [good] = await dus(1);
    const [dateless] = await dus(1, {});
    const before = await planOf(good!);
    const answer = await done(call("rollout/release", { duIds: [good, dateless], preview: true }));
    expect(answer).toMatchObject({ dus: 2, releasable: 1, moved: 1, warnings: 0, maySkip: true, mayBaseline: true });
    expect(refusals(answer)).toEqual([`${dateless} ANCHOR_DATES_EMPTY delivery`]);
    expect(await planOf(good!)).toEqual(before);
    expect(await lines()).toEqual([]);
    expect(await db.owner`select 1 from plan_batch where project_id = ${project.id}`).toHaveLength(0);
  });

  test("without a single DU to release there is no version", async () => {
    const [dateless] = await dus(1, {});
    expect(await done(release([dateless!], { saveBaseline: true }))).toMatchObject({ version: null, baseline: null, released: 0 });
    expect(await lines()).toEqual([]);
  });

  test("the PM may leave the dates as they are; started, completed and NA work is not offered", async () => {
    const [du] = await dus(1, {
      [slot("S")]: { plan_start: "2026-10-01", plan_end: "2026-10-02", actual_end: "2026-10-02" },
      [slot("M")]: { plan_start: "2026-10-30", plan_end: "2026-10-30" },
      [slot("B")]: { plan_start: "2026-10-19", plan_end: "2026-10-20", state: 1 | (1 << 1) },
    } as never);
    const [unbound] = await makeDus(db.owner, project.id, [{}]);
    const answer = await done(release([du!, unbound!], { skipSchedule: true }));
    expect(answer).toMatchObject({ released: 1, moved: 0 });
    expect(refusals(answer)).toEqual([`${unbound} DU_EMPTY`]);
    expect(await planOf(du!)).toMatchObject({ state: [1, scheduled, 3], released_end: [9771, 9799], plan_end: [9771, 9799, 9789] });
    const [stored] = await db.owner`select scheduled_at from du_release where du_id = ${du!}`;
    expect(stored).toEqual({ scheduled_at: null });
  });

  test("a released plan that changes waits for the next release, which needs no reason under change control", async () => {
    const [du] = await dus(1);
    await done(release([du!], { versionName: "one" }));
    await done(
      call("rolloutPlan/save", {
        edits: [{ duId: du, activityId: flow.of("M").id, field: "planEnd", value: "2026-10-22", base: "2026-10-21" }],
      }),
    );
    expect(await planOf(du!)).toMatchObject({ release_state: 2, released_end: [survey[1], delivery, build[1]] });
    await setSwitch(db.owner, project.id, "planChangeControl", "Y");
    expect(await done(release([du!], { versionName: "two" }))).toMatchObject({ released: 1, moved: 1 });
    expect(await planOf(du!)).toMatchObject({ release_state: 1, released_end: [survey[1], delivery + 1, build[1]! + 1] });
    // Once more: nothing moves, and the DU is part of the version all the same.
    const third = await done(release([du!], { versionName: "three" }));
    expect(third).toMatchObject({ released: 1, moved: 0, version: { code: "P-0003" } });
    expect(await versionDus(db.owner, third.version.id)).toEqual([du]);
    expect(await call("rolloutPlan/undo", { batchId: (await db.owner`select max(id)::int as id from plan_batch`)[0]!.id })).toMatchObject({
      status: 422,
      code: "WRONG_STATUS",
    });
  });

  test("one of the whole project replaces all before it and makes the next version of the plan; one of chosen DUs those it contains [VER-06] [VER-04]", async () => {
    const [a, b, c] = await dus(3);
    const planVersion = async () => (await done(call("dataVersion/plan/find"))).version;
    expect(await planVersion()).toBe(1);
    await done(release([a!, b!, c!]));
    expect(await planVersion()).toBe(2);
    await done(release([a!]));
    await done(release([b!, c!]));
    await done(release([a!, b!]));
    expect(await lines()).toEqual([
      "P-0001 published project in force, 3 DUs",
      "P-0002 historical (published) selection, 1 DUs",
      "P-0003 published selection in force, 2 DUs",
      "P-0004 published selection in force, 2 DUs",
    ]);
    expect(await planVersion()).toBe(2);
    await done(release([a!, b!, c!]));
    expect((await lines()).filter((line) => line.includes("in force"))).toEqual(["P-0005 published project in force, 3 DUs"]);
    expect(await planVersion()).toBe(3);
    const [gone] = await db.owner`select id from plan_version where code = 'P-0004' and project_id = ${project.id}`;
    await done(call("dataVersion/delete", { ids: [gone!.id] }));
  });

  test("the last release of a DU forgets a version that is deleted", async () => {
    const [a, b] = await dus(2);
    const first = await done(release([a!]));
    // The DU is blocked when the whole project is released: its last release is the one before.
    await db.owner`update du_plan set plan_start = '{}', plan_end = '{}' where du_id = ${a!}`;
    expect(await done(release([a!, b!]))).toMatchObject({ released: 1 });
    await done(call("dataVersion/delete", { ids: [first.version.id] }));
    expect(await db.owner`select version_id from du_release where du_id = ${a!}`).toEqual([{ version_id: null }]);
  });

  test("a region owner releases the DUs of his region, with their schedule and without a baseline", async () => {
    const region = await makeRegion(db.owner, project.id);
    const [own] = await dus(1, anchored(), { regionId: region });
    const [foreign] = await dus(1);
    const owner = await makeHolder(db.owner, project.id, "REGION_OWNER", { du: own!, region });
    expect(await release([own!], { skipSchedule: true }, owner)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await release([own!], { saveBaseline: true }, owner)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    const answer = await done(release([own!, foreign!], {}, owner));
    expect(answer).toMatchObject({ released: 1 });
    expect(answer.refused).toMatchObject([{ duId: foreign, duCode: null }]);
    expect(await planOf(foreign!)).toMatchObject({ release_state: 0 });
    expect(await lines()).toEqual(["P-0001 published selection in force, 1 DUs"]);
  });

  test("asks for DUs and a name within its bounds [VER-08]", async () => {
    const [du] = await dus(1);
    const problem = async (input: object) => {
      const { status, problems = [] } = await call("rollout/release", { duIds: [du], versionName: "x", ...input });
      return `${status} ${problems.map(({ path, code }) => `${path} ${code}`).join()}`;
    };
    expect(await problem({ versionName: " " })).toBe("400 versionName PLAN_NAME_REQUIRED");
    expect(await problem({ versionName: undefined })).toBe("400 versionName PLAN_NAME_REQUIRED");
    expect(await problem({ versionName: "x".repeat(releaseNameChars + 1) })).toBe("400 versionName NAME_TOO_LONG");
    const many = Array.from({ length: releaseDusMax + 1 }, (_, at) => at + 1);
    expect(await problem({ duIds: many })).toBe("400 duIds TOO_MANY_DU");
    expect(await release([])).toMatchObject({ status: 422, code: "DU_EMPTY" });
    expect(await call("rollout/release", { queryId: crypto.randomUUID(), versionName: "x" })).toMatchObject({ status: 410 });
    await done(release([du!], { versionName: "x".repeat(releaseNameChars) }));
    expect(await release([du!], { versionName: "X".repeat(releaseNameChars) })).toMatchObject({ status: 422, code: "NAME_EXISTS" });
    expect(await release(many.slice(1))).toMatchObject({ status: 200, data: { released: expect.any(Number) } });
  });

  test("a person without the right is refused", async () => {
    const [du] = await dus(1);
    const td = await makeMember(db.owner, project.id, "TD");
    expect(await release([du!], {}, td)).toMatchObject({ status: 403 });
  });
});

/** DUs of the flow with their anchor dated. */
const manyDus = (count: number) => makeManyDus(db.owner, project.id, flow.id, [0, delivery, 0], count);
const startMany = async (more: object = {}) => {
  const { queryId } = await done(call("wbs/filter"));
  return done(call("rollout/release", { queryId, versionName: "many", ...more }));
};

describe("a release of many DUs", () => {
  test("runs in the background above the bound, with the same result, once", async () => {
    const all = await manyDus(releaseDusMax);
    expect(await startMany({ versionName: "within" })).toMatchObject({ released: releaseDusMax });
    all.push(...(await dus(1, {})));
    const { taskId } = await startMany({ saveBaseline: true });
    const task = await run(taskId);
    expect(task).toMatchObject({ status: "partial", done_count: releaseDusMax, failed_count: 1 });
    expect(task.result).toMatchObject({
      released: releaseDusMax,
      moved: 0,
      version: { code: "P-0002" },
      baseline: { code: "B-0001" },
      refused: [{ duId: all.at(-1), code: "ANCHOR_DATES_EMPTY", activityName: "delivery" }],
    });
    await run(taskId);
    expect(await lines()).toEqual([
      `P-0001 historical (published) project, ${releaseDusMax} DUs`,
      `P-0002 published project in force, ${releaseDusMax} DUs`,
      `B-0001 baseline project in force, ${releaseDusMax} DUs`,
    ]);
  });

  test.each([
    refusedShown,
    refusedShown + 1,
  ])("counts %i rows it refuses, lists at most the first thousand, names all their DUs and has all in a workbook", async (count) => {
    const [good, ...bad] = await manyDus(count + 1);
    await db.owner`update du_plan set plan_start = '{}', plan_end = '{}' where du_id = any(${bad})`;
    const preview = await startMany({ preview: true });
    expect([preview.refusedCount, preview.refused.length]).toEqual([count, refusedShown]);
    const task = await run((await startMany()).taskId);
    expect(task).toMatchObject({ status: "partial", done_count: 1, failed_count: count });
    const { refused, ...result } = task.result;
    expect(result).toMatchObject({ released: 1, refusedCount: count, refusedDus: bad });
    expect(refused.map(({ duId }: { duId: number }) => duId)).toEqual(bad.slice(0, refusedShown));
    const [head, ...rows] = await workbook(task.error_file_id);
    expect(head).toEqual(["DU", "Activity", "Reason"]);
    const codes = await db.owner<{ code: string }[]>`select code from du where id = any(${bad}) order by id`;
    expect(rows).toEqual(codes.map(({ code }) => [code, "delivery", refused[0].text]));
    await expectSameWhenTakenUp(db, task.id, run);
    expect(await versionDus(db.owner, result.version.id)).toEqual([good]);
  });

  test("stopped after its first chunk it goes on behind it: every DU once, in one version, with all that was refused", {
    timeout: 120_000,
  }, async () => {
    const all = await manyDus(releaseChunkDus + 5);
    const [early, late] = [all[3]!, all.at(-2)!];
    await db.owner`update du_plan set plan_start = '{}', plan_end = '{}' where du_id = any(${[early, late]})`;
    const { taskId } = await startMany({ saveBaseline: true });
    const leaving = new AbortController();
    const first = runTask(db.app, taskKinds, taskId, leaving.signal).catch(() => "left");
    const chunks = async () => (await db.owner`select chunks_done from task where id = ${taskId}`)[0]!.chunks_done;
    while ((await chunks()) === 0) await pause(5);
    leaving.abort();
    const outcome = await first;
    // It may have come further by then.
    if (outcome === "left" && (await chunks()) === 1) {
      // What was released so far is told to others; it replaces nothing yet.
      expect(await lines()).toEqual([
        `P-0001 published selection in force, ${releaseChunkDus - 1} DUs`,
        `B-0001 baseline selection in force, ${releaseChunkDus - 1} DUs`,
      ]);
    }
    const task = await run(taskId);
    expect(task).toMatchObject({ status: "partial", done_count: releaseChunkDus + 3, failed_count: 2 });
    expect(task.result).toMatchObject({ released: releaseChunkDus + 3, version: { code: "P-0001" }, baseline: { code: "B-0001" } });
    expect(task.result.refused.map(({ duId }: { duId: number }) => duId)).toEqual([early, late]);
    expect(await workbook(task.error_file_id)).toHaveLength(3);
    expect(await lines()).toEqual([
      `P-0001 published project in force, ${releaseChunkDus + 3} DUs`,
      `B-0001 baseline project in force, ${releaseChunkDus + 3} DUs`,
    ]);
    const [states] = await db.owner`
      select count(*) filter (where release_state = 1)::int as released, count(*) filter (where row_version > 2)::int as twice
      from du_plan where project_id = ${project.id}`;
    expect(states).toEqual({ released: releaseChunkDus + 3, twice: 0 });
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { restoreDusMax, restoreReasonMax } from "#lib/plan-versions/restores/limits.ts";
import { directDusMax } from "#lib/plan-versions/snapshots/limits.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { undoMinutes } from "#lib/rollout-plan/undos/limits.ts";
import { refusedShown } from "#lib/scheduling/limits.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeDuOwner, makeDus, makeOwnerSet, setSwitch } from "../../../support/plan-factories.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done, makeManyDus, makeScheduledFlow, type ScheduledFlow } from "../../scheduling/make-scheduled.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let flow: ScheduledFlow;
const { run, workbook } = importsOf(db, () => ({ project, user: pm }));

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  flow = await makeScheduledFlow(db.owner, project.id, pm.id, "A* arrival:mos 1\nB build 3 | A FS 0\nC check 1 | B FS 0");
});

const call = (address: string, input: object = {}, user = pm, now = clock) =>
  callAs(user, address, input, { project: project.number, now });
const day = (date: string) => ({ plan_start: date, plan_end: date });
const dus = (count: number) =>
  makeDus(
    db.owner,
    project.id,
    Array.from({ length: count }, () => ({
      plan: { 1: day("2026-10-14"), 2: day("2026-10-15"), 3: { ...day("2026-10-16"), actual_end: "2026-10-13" } },
    })),
    flow,
  );
const baseline = async (duIds?: number[]) =>
  (await done(call("dataVersion/save", { kind: "baseline", name: `B${Math.random()}`, ...(duIds && { duIds }) }))).id as number | undefined;
const restore = (id: number | undefined, more: object = {}, user = pm) =>
  call("dataVersion/restore", { id, reason: "back to the promise", ...more }, user);
const planOf = async (duId: number) =>
  (await db.owner`select plan_start, plan_end, plan_owner, actual_end, baseline_end, release_state from du_plan where du_id = ${duId}`)[0]!;
// 2026-10-14 is day 9783.
const kept = [9783, 9784, 9785];
const moved = [9790, 9791, 9792];
const move = (...duIds: number[]) =>
  db.owner`update du_plan set plan_start = ${moved}, plan_end = ${moved}, row_version = row_version + 1 where du_id = any(${duIds})`;
const setBit = (duId: number, slot: number, bit: keyof typeof stateBits, value = 1) =>
  db.owner`update du_plan set state[${slot}] = state[${slot}] | ${value << stateBits[bit].at}::int where du_id = ${duId}`;
/** A version of the first DU that holds the same of the others. */
const spread = async (version: number | undefined, [, ...others]: readonly number[]) => {
  await db.owner`
    insert into plan_version_row (version_id, project_id, du_id, du_code, du_name, plan_start, plan_end, state)
    select r.version_id, r.project_id, du.id, du.code, du.name, r.plan_start, r.plan_end, r.state from plan_version_row r, du
    where r.version_id = ${version!} and du.id = any(${others})`;
  return version;
};
const refusals = (answer: { rejected: { duId: number; code: string; activityName: string | null }[] }) =>
  answer.rejected.map(({ code, activityName }) => `${activityName} ${code}`);

describe("dataVersion/restore", () => {
  test("sets plan dates as the version holds them, never actual or baseline dates, and can be undone for ten minutes", async () => {
    const [du, other] = await dus(2);
    const version = await baseline();
    await move(du!, other!);
    await db.owner`update du_plan set actual_end = '{0,0,9780}', baseline_end = '{9799}', release_state = 1 where du_id = ${du!}`;
    const answer = await done(restore(version, { duIds: [du] }));
    expect(answer).toEqual({ changed: 6, dus: 1, rejected: [], rejectedCount: 0, batchId: expect.any(Number) });
    expect(await planOf(du!)).toMatchObject({
      plan_start: kept,
      plan_end: kept,
      actual_end: [0, 0, 9780],
      baseline_end: [9799],
      release_state: 2,
    });
    expect(await planOf(other!)).toMatchObject({ plan_end: moved });
    const [batch] = await db.owner`select source, reason, origin from plan_batch where id = ${answer.batchId}`;
    expect(batch).toEqual({ source: "restore", reason: "back to the promise", origin: { kind: "version", id: version } });
    const late = new Date(clock.getTime() + undoMinutes * 60_000 + 1);
    expect(await call("rolloutPlan/undo", { batchId: answer.batchId }, pm, late)).toMatchObject({ status: 409, code: "UNDO_TOO_LATE" });
    expect(await done(call("rolloutPlan/undo", { batchId: answer.batchId }))).toMatchObject({ saved: 6 });
    expect(await planOf(du!)).toMatchObject({ plan_start: moved, plan_end: moved });
    expect(await db.owner`select 1 from plan_version_row where version_id = ${version!}`).toHaveLength(2);
  });

  test("a preview says the same and changes nothing; without a reason nothing is restored", async () => {
    const [du] = await dus(1);
    const version = await baseline();
    await move(du!);
    await setBit(du!, 2, "frozen");
    const preview = await done(restore(version, { preview: true, reason: "" }));
    expect(preview).toMatchObject({ changed: 4, dus: 1, batchId: null });
    expect(refusals(preview)).toEqual(["build FROZEN"]);
    expect(await planOf(du!)).toMatchObject({ plan_end: moved });
    expect(await restore(version, { reason: "  " })).toMatchObject({
      status: 400,
      problems: [{ path: "reason", code: "REASON_REQUIRED" }],
    });
  });

  test.each([
    ["frozen", "frozen", 2, 1, "build FROZEN"],
    ["closed", "closed", 2, 1, "build TASK_CLOSED"],
    ["NA", "na", 2, 1, "build NA_OR_INV"],
    ["the frozen MOS", "mosFrozen", 1, 1, "arrival MOS_FROZEN"],
  ] as const)("skips what is %s and lists it, the rest of the DU is restored", async (_what, bit, slot, value, line) => {
    const [du] = await dus(1);
    const version = await baseline();
    await move(du!);
    await setBit(du!, slot, bit, value);
    const answer = await done(restore(version));
    expect(refusals(answer)).toEqual([line]);
    expect((await planOf(du!)).plan_end).toEqual(kept.map((value, at) => (at + 1 === slot ? moved[at] : value)));
  });

  test("leaves alone the cell that the plan refuses and lists it, the rest of the DU is restored", async () => {
    const [du, other] = await dus(2);
    const version = await baseline();
    await move(du!, other!);
    // The check lies too near behind the arrival in the version, and the build of the other DU begins before its end.
    await db.owner`
      insert into warning_config (project_id, anchor_activity_id, field_a, alert_activity_id, field_b, operator, days, level, message, sort_no, created_by, created_at,
        updated_by, updated_at)
      values (${project.id}, ${flow.activities[0]!.id}, 'planEnd', ${flow.activities[2]!.id}, 'planStart', 'EQ', -5, 'MANDATORY', '{days}', 1, ${pm.id}, now(), ${pm.id},
        now())`;
    await db.owner`update du_plan set plan_start[1] = 9799, plan_end[1] = 9799, state[1] = state[1] | ${1 << stateBits.frozen.at}::int where du_id = ${du!}`;
    await db.owner`
      update plan_version_row set plan_start[3] = 9794, plan_end[3] = 9794 where version_id = ${version!} and du_id = ${du!}`;
    const expected = ["arrival FROZEN", "check WARNING_MANDATORY"];
    const preview = await done(restore(version, { preview: true }));
    expect(refusals(preview)).toEqual(expected);
    const answer = await done(restore(version));
    expect(refusals(answer)).toEqual(expected);
    expect(answer).toMatchObject({ changed: preview.changed, dus: 2 });
    // The end of the check is restored, the start that the warning names is not.
    expect(await planOf(du!)).toMatchObject({ plan_start: [9799, kept[1], moved[2]], plan_end: [9799, kept[1], 9794] });
    expect((await planOf(other!)).plan_end).toEqual(kept);
  });

  test("skips activities that left the flow, and leaves those that came into it", async () => {
    const [du] = await dus(1);
    await db.owner`update du_plan set state = '{1,1,0}', plan_start = '{9783,9784}', plan_end = '{9783,9784}' where du_id = ${du!}`;
    const version = await baseline();
    await db.owner`update du_plan set state = '{1,0,1}', plan_start = '{9790,0,9795}', plan_end = '{9790,0,9795}' where du_id = ${du!}`;
    const answer = await done(restore(version));
    expect(refusals(answer)).toEqual(["build NO_ACTIVITY"]);
    expect((await planOf(du!)).plan_end).toEqual([9783, 0, 9795]);
  });

  test("gives owners back where asked", async () => {
    const [du] = await dus(1);
    const [mine, theirs] = [
      await makeOwnerSet(db.owner, project.id, [pm.id]),
      await makeOwnerSet(db.owner, project.id, [pm.id, pm.id + 1]),
    ];
    await db.owner`update du_plan set plan_owner = ${[mine]} where du_id = ${du!}`;
    const version = await baseline();
    await move(du!);
    await db.owner`update du_plan set plan_owner = ${[theirs]} where du_id = ${du!}`;
    await done(restore(version));
    expect((await planOf(du!)).plan_owner).toEqual([theirs]);
    expect(await done(restore(version, { fields: ["owner"] }))).toMatchObject({ changed: 1 });
    expect((await planOf(du!)).plan_owner).toEqual([mine]);
    expect(await restore(version, { fields: ["plan", "owner"] })).toMatchObject({ status: 422, code: "NOTHING_MODIFIED" });
  });

  test("passes change control with its reason, but not who may not edit the DU", async () => {
    const [du] = await dus(1);
    const version = await baseline();
    await move(du!);
    await db.owner`update du_plan set release_state = 1 where du_id = ${du!}`;
    await setSwitch(db.owner, project.id, "planChangeControl", "Y");
    expect(await done(restore(version))).toMatchObject({ changed: 6, rejected: [] });
    await setSwitch(db.owner, project.id, "planChangeControl", "N");
    await setSwitch(db.owner, project.id, "dataControl", "Y");
    const pcm = await makeMember(db.owner, project.id, "PCM");
    const owner = await makeMember(db.owner, project.id, "SITE_OWNER");
    await makeDuOwner(db.owner, du!, owner.id);
    await move(du!);
    const answer = await done(restore(version, {}, pcm));
    expect(answer).toMatchObject({ changed: 0, dus: 0 });
    expect([...new Set(answer.rejected.map(({ code }: { code: string }) => code))]).toEqual(["NO_PERMISSION"]);
    expect((await planOf(du!)).plan_end).toEqual(moved);
    const td = await makeMember(db.owner, project.id, "TD");
    expect(await restore(version, {}, td)).toMatchObject({ status: 403 });
  });

  test(`restores ${directDusMax} DUs at once and ${directDusMax + 1} in the background, undone together`, async () => {
    const all = await dus(directDusMax + 1);
    const [first] = all;
    const part = await baseline(all.slice(1));
    const version = await baseline(all.slice(0, 5));
    await db.owner`delete from plan_version_row where version_id = ${version!} and du_id <> ${first!}`;
    await db.owner`update plan_version_row set version_id = ${version!} where version_id = ${part!}`;
    await move(...all);
    expect(await done(restore(version, { duIds: all.slice(0, directDusMax) }))).toMatchObject({ dus: directDusMax });
    await move(...all);
    const { taskId } = await done(restore(version));
    const task = await run(taskId);
    expect(task).toMatchObject({ status: "succeeded", done_count: directDusMax + 1 });
    expect(task.result).toMatchObject({
      changed: 6 * (directDusMax + 1),
      dus: directDusMax + 1,
      rejected: [],
      batchId: expect.any(Number),
    });
    expect(await planOf(all.at(-1)!)).toMatchObject({ plan_end: kept });
    await run(taskId);
    expect(await done(call("rolloutPlan/undo", { batchId: task.result.batchId }))).toMatchObject({ saved: 6 * (directDusMax + 1) });
    expect(await planOf(first!)).toMatchObject({ plan_end: moved });
  });

  test.each([
    refusedShown,
    refusedShown + 1,
  ])("counts %i rows that keep their values, lists at most the first thousand and has all in a workbook, taken up again too", async (count) => {
    const all = await makeManyDus(db.owner, project.id, flow.id, kept, count);
    const version = await spread(await baseline(all.slice(0, 1)), all);
    await move(...all);
    await db.owner`update du_plan set state[2] = state[2] | ${1 << stateBits.frozen.at}::int where du_id = any(${all})`;
    const preview = await done(restore(version, { preview: true }));
    expect([preview.rejectedCount, preview.rejected.length]).toEqual([count, refusedShown]);
    const task = await run((await done(restore(version))).taskId);
    const { rejected, ...result } = task.result;
    expect(result).toMatchObject({ changed: 4 * count, dus: count, rejectedCount: count });
    expect(rejected).toHaveLength(refusedShown);
    const [head, ...rows] = await workbook(task.error_file_id);
    expect(head).toEqual(["DU", "Activity", "Reason"]);
    const codes = await db.owner<{ code: string }[]>`select code from du where id = any(${all}) order by id`;
    expect(rows).toEqual(codes.map(({ code }) => [code, "build", rejected[0].text]));
    await expectSameWhenTakenUp(db, task.id, run);
    expect(await workbook((await run(task.id)).error_file_id)).toEqual([head, ...rows]);
  });

  test(`says of ${restoreDusMax} DUs that all their activities keep their values`, { timeout: 120_000 }, async () => {
    const slots = 14;
    await db.owner`
      insert into activity_library (project_id, slot, code, name, kind)
      select project_id, n, 'A' || n, 'step ' || n, kind from activity_library, generate_series(4, ${slots}) n where project_id = ${project.id} and slot = 2`;
    const days = Array.from({ length: slots }, (_, at) => kept[0]! + at);
    const all = await makeManyDus(db.owner, project.id, flow.id, days, restoreDusMax);
    const version = await spread(await baseline(all.slice(0, 1)), all);
    const frozen = Array.from({ length: slots }, () => 1 | (1 << stateBits.frozen.at));
    await db.owner`update du_plan set plan_end[1] = 9790, plan_start = ${days.map((day) => day + 7)}, state = ${frozen} where du_id = any(${all})`;
    const preview = await done(restore(version, { duIds: all, preview: true }));
    expect(preview).toMatchObject({ changed: 0, dus: 0, rejectedCount: slots * restoreDusMax });
    expect(preview.rejected).toHaveLength(refusedShown);
  });

  test("knows its DUs, its version and its bounds", async () => {
    const [du, stranger] = await dus(2);
    const version = await baseline([du!]);
    await move(du!);
    expect(await restore(version, { duIds: [stranger] })).toMatchObject({ status: 422, code: "DU_NOT_FOUND" });
    expect(await restore(999_999)).toMatchObject({ status: 404 });
    const other = await makeProject(db.owner);
    const otherPm = await makeMember(db.owner, other.id, "PM");
    expect(await callAs(otherPm, "dataVersion/restore", { id: version, reason: "x" }, { project: other.number })).toMatchObject({
      status: 404,
    });
    const problem = async (more: object) => (await restore(version, more)).problems?.map(({ path, code }) => `${path} ${code}`).join();
    expect(await problem({ duIds: [] })).toBe("duIds NO_SELECTION");
    expect(await problem({ duIds: Array.from({ length: restoreDusMax + 1 }, (_, at) => at + 1) })).toBe("duIds TOO_MANY_DU");
    expect(await problem({ reason: "x".repeat(restoreReasonMax + 1) })).toBe("reason VALUE_TOO_LONG");
    expect(await problem({ fields: ["actual"] })).toBe("fields.0 VALUE_UNKNOWN");
    expect(await restore(version, { reason: "x".repeat(restoreReasonMax) })).toMatchObject({ status: 200 });
  });
});

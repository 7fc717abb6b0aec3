import { beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { namedDusMax, versionNameChars, versionRemarkChars } from "#lib/plan-versions/limits.ts";
import { directDusMax } from "#lib/plan-versions/snapshots/limits.ts";
import { callAs } from "../../support/call.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";
import { makeDus } from "../../support/plan-factories.ts";
import { expectSameWhenTakenUp } from "../../support/take-up.ts";
import { importsOf, useFiles } from "../imports/support.ts";
import { done, makeScheduledFlow, type ScheduledFlow } from "../scheduling/make-scheduled.ts";
import { readVersions, versionDus, versionLines } from "./make-versions.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let flow: ScheduledFlow;
const { run } = importsOf(db, () => ({ project, user: pm }));

beforeEach(async () => {
  project = await makeProject(db.owner, { name: "North" });
  pm = await makeMember(db.owner, project.id, "PM");
  flow = await makeScheduledFlow(db.owner, project.id, pm.id, "A* arrival 1\nB build 3 | A FS 0");
});

const call = (address: string, input: object = {}, user = pm) => callAs(user, address, input, { project: project.number });
const save = (input: object, user = pm) => call("dataVersion/save", input, user);
const baseline = (name: string, duIds?: number[]) => save({ kind: "baseline", name, ...(duIds ? { duIds } : {}) });
const list = (filters: object[] = [], more: object = {}) =>
  done(call(`dataVersion/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`, more));
/** "field CODE" of the one fault of an input. */
const problemOf = async (answer: ReturnType<typeof call>) => {
  const { status, problems = [] } = await answer;
  expect(status).toBe(400);
  return problems.map(({ path, code }) => `${path} ${code}`).join();
};
const planned = { plan_start: "2026-10-14", plan_end: "2026-10-16" };
const dus = (count: number, bound = true) =>
  makeDus(
    db.owner,
    project.id,
    Array.from({ length: count }, () => ({ plan: { 1: { ...planned }, 2: { ...planned, plan_end: "2026-10-20" } } })),
    bound ? flow : undefined,
  );
const baselineOf = async (duId: number) =>
  (await db.owner`select baseline_start as start, baseline_end as "end" from du_plan where du_id = ${duId}`)[0];

describe("dataVersion/save of a baseline", () => {
  test("keeps the plan of every DU with a flow under a code, and its plan dates as baseline dates [VER-05]", async () => {
    const [first, second] = await dus(2);
    await dus(1, false);
    await db.owner`update du_plan set state[2] = state[2] | 2 where du_id = ${second!}`;
    const made = await done(save({ kind: "baseline", name: "  Promise  ", remark: "as agreed" }));
    expect(made).toEqual({ id: expect.any(Number), code: "B-0001" });
    expect((await list()).records).toEqual([
      {
        id: made.id,
        code: "B-0001",
        name: "Promise",
        kind: "baseline",
        formerKind: null,
        scope: "project",
        inForce: true,
        duCount: 2,
        activityCount: 3,
        source: "manual",
        remark: "as agreed",
        createdByName: pm.name,
        createdAt: expect.any(Date),
        rowVersion: 1,
      },
    ]);
    expect(await versionDus(db.owner, made.id)).toEqual([first, second]);
    // 2026-10-14 is day 9783; what is not applicable has no baseline.
    expect(await baselineOf(first!)).toEqual({ start: [9783, 9783], end: [9785, 9789] });
    expect(await baselineOf(second!)).toEqual({ start: [9783], end: [9785] });
    const [row] = await db.owner`select du_code, plan_end, state from plan_version_row where du_id = ${first!}`;
    expect(row).toMatchObject({ plan_end: [9785, 9789], state: [1, 1] });
    const [log] = await db.owner`select cells, attrs from plan_log where du_id = ${first!}`;
    expect(log).toEqual({ cells: [], attrs: { baseline: made.id } });
  });

  test("of the whole project makes earlier baselines history; one of chosen DUs leaves that of the project in force [VER-06]", async () => {
    const [a, b, c] = await dus(3);
    await done(baseline("one"));
    await done(baseline("two", [a!]));
    await done(baseline("three", [b!, c!]));
    expect(await versionLines(db.owner, project.id)).toEqual([
      "B-0001 baseline project in force, 3 DUs",
      "B-0002 baseline selection in force, 1 DUs",
      "B-0003 baseline selection in force, 2 DUs",
    ]);
    await done(baseline("four", [a!, b!]));
    expect((await versionLines(db.owner, project.id)).slice(1)).toEqual([
      "B-0002 historical (baseline) selection, 1 DUs",
      "B-0003 baseline selection in force, 2 DUs",
      "B-0004 baseline selection in force, 2 DUs",
    ]);
    // All DUs named one by one are the project too.
    await done(baseline("five", [a!, b!, c!]));
    expect((await readVersions(db.owner, project.id)).map(({ code, inForce, scope }) => `${code} ${scope} ${inForce}`)).toEqual([
      "B-0001 project false",
      "B-0002 selection false",
      "B-0003 selection false",
      "B-0004 selection false",
      "B-0005 project true",
    ]);
  });

  test("a baseline of chosen DUs changes the baseline dates of those alone", async () => {
    const [a, b] = await dus(2);
    await done(baseline("all"));
    await db.owner`update du_plan set plan_end = '{9790,9791}' where du_id = any(${[a!, b!]})`;
    await done(baseline("some", [a!]));
    expect(await baselineOf(a!)).toMatchObject({ end: [9790, 9791] });
    expect(await baselineOf(b!)).toMatchObject({ end: [9785, 9789] });
  });

  test(`saves ${directDusMax} DUs at once, and ${directDusMax + 1} in the background with the same result; twice does no harm`, async () => {
    const all = await dus(directDusMax);
    expect(await done(baseline("within"))).toMatchObject({ code: "B-0001" });
    all.push(...(await dus(1)));
    const { taskId } = await done(baseline("beyond"));
    expect(await run(taskId)).toMatchObject({ status: "succeeded", done_count: directDusMax + 1, result: { version: { code: "B-0002" } } });
    await expectSameWhenTakenUp(db, taskId, run);
    expect(await versionLines(db.owner, project.id)).toEqual([
      "B-0001 historical (baseline) project, 200 DUs",
      "B-0002 baseline project in force, 201 DUs",
    ]);
    expect(await baselineOf(all[200]!)).toMatchObject({ end: [9785, 9789] });
  });

  test.each([
    ["leaves the version a task still fills", { status: "running", done: 1 }, "baseline selection in force"],
    ["leaves the version of a task that waits for its next attempt", { status: "queued", done: 1 }, "baseline selection in force"],
    ["replaces the version of a task that has only its end before it", { status: "running", done: 2 }, "historical (baseline) selection"],
    ["replaces what a task left half filled", { status: "failed", done: 1 }, "historical (baseline) selection"],
  ])("%s", async (_what, { status, done: count }, stands) => {
    const all = await dus(2);
    const half = await done(baseline("theirs", [all[0]!]));
    await db.owner`
      with t as (
        insert into task (id, project_id, kind, direction, title, status, total_count, done_count, created_by, created_at)
        values (gen_random_uuid(), ${project.id}, 'planVersions.baseline', 'process', 'theirs', ${status}, 2, ${count}, ${pm.id}, now()) returning id
      ) update plan_version set task_id = t.id from t where plan_version.id = ${half.id}`;
    await done(baseline("ours"));
    expect(await versionLines(db.owner, project.id)).toEqual([`B-0001 ${stands}, 1 DUs`, "B-0002 baseline project in force, 2 DUs"]);
  });

  test("in the background is filled to its end while another is saved, and replaces that one", async () => {
    const all = await dus(directDusMax + 1);
    const { taskId } = await done(baseline("long"));
    await db.owner`
      insert into plan_version (project_id, plan_id, kind, name, code, scope, in_force, slot_count, source, task_id, created_by, created_at)
      select ${project.id}, id, 'baseline', 'long', 'B-0001', 'selection', true, 2, 'manual', ${taskId}, ${pm.id}, now() from rollout_plan where project_id = ${project.id}`;
    await done(baseline("short", [all[0]!]));
    expect(await run(taskId)).toMatchObject({ status: "succeeded", result: { version: { code: "B-0001" } } });
    expect(await versionLines(db.owner, project.id)).toEqual([
      "B-0001 baseline project in force, 201 DUs",
      "B-0002 historical (baseline) selection, 1 DUs",
    ]);
  });

  test.each([
    ["no name [VER-08]", { name: "" }, "name PLAN_NAME_REQUIRED"],
    ["a name of blanks [VER-08]", { name: "  " }, "name PLAN_NAME_REQUIRED"],
    ["a missing name", {}, "name VALUE_MISSING"],
    ["a name too long", { name: "x".repeat(versionNameChars + 1) }, "name NAME_TOO_LONG"],
    ["no DU", { name: "x", duIds: [] }, "duIds NO_SELECTION"],
    ["too many DUs", { name: "x", duIds: Array.from({ length: namedDusMax + 1 }, (_, at) => at + 1) }, "duIds TOO_MANY_DU"],
    ["a remark too long", { name: "x", remark: "x".repeat(versionRemarkChars + 1) }, "remark VALUE_TOO_LONG"],
    ["another kind", { name: "x", kind: "published" }, "kind VALUE_UNKNOWN"],
    ["no kind", { name: "x", kind: undefined }, "kind VALUE_MISSING"],
    ["an id without revision", { name: "x", id: 1 }, "rowVersion VALUE_MISSING"],
  ])("refuses %s", async (_what, input, problem) => {
    await dus(1);
    expect(await problemOf(save({ kind: "baseline", ...input }))).toBe(problem);
    expect(await versionLines(db.owner, project.id)).toEqual([]);
  });

  test("takes a name and a remark of full length, and refuses a name a baseline bore in any case", async () => {
    await dus(1);
    const name = "版".repeat(versionNameChars);
    expect(await save({ kind: "baseline", name, remark: "r".repeat(versionRemarkChars) })).toMatchObject({ status: 200 });
    await done(baseline("Week"));
    expect(await baseline(name)).toMatchObject({ status: 422, code: "NAME_EXISTS", problems: [{ path: "name" }] });
    expect(await baseline("week")).toMatchObject({ status: 422, code: "NAME_EXISTS" });
  });

  test("of as many DUs as may be named answers which of them is not there", async () => {
    const duIds = Array.from({ length: namedDusMax }, (_, at) => at + 5_000_000);
    expect(await baseline("x", duIds)).toMatchObject({ status: 422, code: "DU_NOT_FOUND" });
  });

  test("is refused where no DU follows a flow, and to who may not save baselines", async () => {
    await dus(1, false);
    expect(await baseline("x")).toMatchObject({ status: 422, code: "DU_EMPTY" });
    const viewer = await makeMember(db.owner, project.id, "TD");
    expect(await save({ kind: "baseline", name: "x" }, viewer)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });
});

describe("dataVersion/save of a name", () => {
  test("renames by the revision that was read, tells who comes late, and wants a name [VER-08]", async () => {
    await dus(1);
    const { id } = await done(baseline("old"));
    await done(save({ id, name: "new", remark: "why", rowVersion: 1 }));
    expect((await list()).records).toMatchObject([{ name: "new", remark: "why", rowVersion: 2 }]);
    expect(await save({ id, name: "late", rowVersion: 1 })).toMatchObject({ status: 409, code: "STALE" });
    expect(await problemOf(save({ id, name: " ", rowVersion: 2 }))).toBe("name PLAN_NAME_REQUIRED");
    expect(await save({ id: 999_999, name: "x", rowVersion: 1 })).toMatchObject({ status: 404 });
    const second = await done(baseline("second"));
    expect(await save({ id: second.id, name: "SECOND", rowVersion: 1 })).toMatchObject({ status: 200 });
    // The first is history now.
    expect(await save({ id, name: "again", rowVersion: 3 })).toMatchObject({ status: 422, code: "WRONG_STATUS" });
    expect(await save({ id: second.id, name: "NEW", rowVersion: 2 })).toMatchObject({ status: 422, code: "NAME_EXISTS" });
  });
});

describe("dataVersion/delete", () => {
  test("deletes history with its rows, and never what is in force", async () => {
    await dus(1);
    const first = await done(baseline("first"));
    expect(await call("dataVersion/delete", { ids: [first.id] })).toMatchObject({ status: 422, code: "VERSION_IN_FORCE" });
    const second = await done(baseline("second"));
    expect(await call("dataVersion/delete", { ids: [first.id, second.id] })).toMatchObject({
      status: 422,
      code: "VERSION_IN_FORCE",
      problems: [{ path: "ids.1", params: { code: "B-0002" } }],
    });
    expect(await versionDus(db.owner, first.id)).toHaveLength(1);
    expect(await done(call("dataVersion/delete", { ids: [first.id] }))).toEqual({ deleted: 1 });
    expect(await versionDus(db.owner, first.id)).toEqual([]);
    expect(await versionDus(db.owner, second.id)).toHaveLength(1);
    expect(await call("dataVersion/delete", { ids: [first.id] })).toMatchObject({ status: 404 });
  });

  test("reaches no version of another project", async () => {
    await dus(1);
    const made = await done(baseline("theirs"));
    await done(baseline("theirs too"));
    const other = await makeProject(db.owner);
    const otherPm = await makeMember(db.owner, other.id, "PM");
    expect(await callAs(otherPm, "dataVersion/delete", { ids: [made.id] }, { project: other.number })).toMatchObject({ status: 404 });
    expect(await versionDus(db.owner, made.id)).toHaveLength(1);
  });
});

describe("dataVersion/list", () => {
  test("filters by kind, scope, force and text, and sorts", async () => {
    const [a] = await dus(2);
    await done(baseline("alpha"));
    await done(baseline("beta"));
    await done(baseline("gamma", [a!]));
    const codes = async (...filters: object[]) => (await list(filters)).records.map(({ code }: { code: string }) => code);
    expect(await codes()).toEqual(["B-0003", "B-0002", "B-0001"]);
    expect(await codes({ field: "kind", type: "in", values: ["historical"] })).toEqual(["B-0001"]);
    expect(await codes({ field: "inForce", type: "eq", values: [true] })).toEqual(["B-0003", "B-0002"]);
    expect(await codes({ field: "scope", type: "eq", values: ["selection"] })).toEqual(["B-0003"]);
    expect(await codes({ field: "search", type: "like", values: ["BET"] })).toEqual(["B-0002"]);
    expect(await codes({ field: "search", type: "like", values: ["b-0001"] })).toEqual(["B-0001"]);
    const sorted = await list([], { sort: [{ field: "name", dir: "asc" }] });
    expect(sorted.records.map(({ name }: { name: string }) => name)).toEqual(["alpha", "beta", "gamma"]);
  });
});

describe("dataVersion/plan", () => {
  test("every project has a plan under its name; its name changes, with who and when; a name is required [VER-04] [VER-08]", async () => {
    const found = await done(call("dataVersion/plan/find"));
    expect(found).toMatchObject({ name: "North", version: 1, rowVersion: 1, createdByName: null, createdAt: expect.any(Date) });
    expect(found.updatedByName).toBeNull();
    const now = new Date("2026-11-02T08:30:00.000Z");
    const frame = { project: project.number, now };
    const saved = await done(callAs(pm, "dataVersion/plan/save", { name: "North 2026", rowVersion: 1 }, frame));
    const plan = { name: "North 2026", version: 1, rowVersion: 2, createdAt: found.createdAt, updatedByName: pm.name, updatedAt: now };
    expect(saved).toMatchObject(plan);
    expect(await done(call("dataVersion/plan/find"))).toMatchObject(plan);
    // Where a person stands as its creator, he is named.
    const maker = await makeMember(db.owner, project.id, "TL");
    await db.owner`update rollout_plan set created_by = ${maker.id} where project_id = ${project.id}`;
    expect(await done(call("dataVersion/plan/find"))).toMatchObject({ createdByName: maker.name, updatedByName: pm.name });
    expect(await call("dataVersion/plan/save", { name: "late", rowVersion: 1 })).toMatchObject({ status: 409, code: "STALE" });
    expect(await problemOf(call("dataVersion/plan/save", { name: "", rowVersion: 2 }))).toBe("name PLAN_NAME_REQUIRED");
    const long = { name: "x".repeat(versionNameChars + 1), rowVersion: 2 };
    expect(await problemOf(call("dataVersion/plan/save", long))).toBe("name NAME_TOO_LONG");
    expect(await call("dataVersion/plan/save", { name: "x".repeat(versionNameChars), rowVersion: 2 })).toMatchObject({ status: 200 });
  });
});

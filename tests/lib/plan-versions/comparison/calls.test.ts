import { beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { tileDusMax, tileSlotsMax } from "#lib/plan-versions/comparison/limits.ts";
import { decodeDays } from "#lib/rollout-plan/plan-rows/logic.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { makeDus, makeOwnerSet } from "../../../support/plan-factories.ts";
import { done, makeScheduledFlow, type ScheduledFlow } from "../../scheduling/make-scheduled.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let flow: ScheduledFlow;
let north: number;

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  north = await makeRegion(db.owner, project.id, "North");
  // Build stands before arrival in the flow, behind it in the library.
  flow = await makeScheduledFlow(db.owner, project.id, pm.id, "A* arrival 1\nB build 3 | A FS 0");
  await db.owner`update flow_activity set seq = 3 - seq where flow_id = ${flow.id}`;
});

const call = (address: string, input: object = {}, user = pm) => callAs(user, address, input, { project: project.number });
const plan = { 1: { plan_start: "2026-10-14", plan_end: "2026-10-14" }, 2: { plan_start: "2026-10-15", plan_end: "2026-10-19" } };
const makeDu = async (code: string, more: object = {}) =>
  (await makeDus(db.owner, project.id, [{ code, plan: structuredClone(plan), ...more }], flow))[0]!;
const baseline = async (name: string, duIds?: number[]) =>
  (await done(call("dataVersion/save", { kind: "baseline", name, ...(duIds && { duIds }) }))).id as number;
const compare = (left: number | "current", right: number | "current", more: object = {}) =>
  done(call("dataVersion/compare", { left, right, page: 1, size: 50, filters: [], ...more }));
const moveEnds = (duId: number, ends: string) => db.owner`update du_plan set plan_end = ${ends} where du_id = ${duId}`;
type Row = { duCode: string; activityName: string; kind: string; old: string | null; now: string | null; days: number | null };
const lines = ({ records }: { records: Row[] }) =>
  records.map(({ duCode, activityName, kind, old, now, days }) =>
    [duCode, activityName, kind, old ?? "-", now ?? "-", days].filter((part) => part !== null).join(" "),
  );

describe("dataVersion/compare", () => {
  test("compares a version with the current plan, date by date, in the order of DU code and flow [VER-06]", async () => {
    const [b, a] = [await makeDu("DU-10"), await makeDu("DU-9")];
    await makeDu("DU-11");
    const version = await baseline("promise");
    // 9783 is 2026-10-14.
    await moveEnds(b, "{9785,9786}");
    await moveEnds(a, "{9783,9795}");
    const answer = await compare(version, "current");
    expect(answer.left).toMatchObject({ code: "B-0001", name: "promise" });
    expect(answer.right).toBeNull();
    expect(lines(answer)).toEqual([
      "DU-9 build later 2026-10-19 2026-10-26 5",
      "DU-10 build earlier 2026-10-19 2026-10-17 -1",
      "DU-10 arrival later 2026-10-14 2026-10-16 2",
    ]);
    expect(answer).toMatchObject({
      total: 3,
      summary: { changed: 3, later: 2, earlier: 1, added: 0, removed: 0, medianDays: 2, dus: 2 },
    });
    // Turned around, later is earlier.
    expect((await compare("current", version)).summary).toMatchObject({ later: 1, earlier: 2 });
    expect((await compare(version, version)).total).toBe(0);
  });

  test("pages through the differences without a gap or a repetition", async () => {
    const dus = await Promise.all(Array.from({ length: 15 }, (_, at) => makeDu(`DU-${at + 1}`)));
    const version = await baseline("promise");
    for (const du of dus) await moveEnds(du, "{9785,9786}");
    const whole = lines(await compare(version, "current"));
    expect(whole).toHaveLength(30);
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(...lines(await compare(version, "current", { page, size: 10 })));
    expect(pages).toEqual(whole);
    expect(lines(await compare(version, "current", { page: 4, size: 10 }))).toEqual([]);
  });

  test("tells dates that came, went, or no longer apply", async () => {
    const [gone, came, na] = [await makeDu("gone"), await makeDu("came"), await makeDu("na")];
    await moveEnds(came, "{0,9788}");
    const version = await baseline("promise");
    await moveEnds(gone, "{0,9788}");
    await moveEnds(came, "{9783,9788}");
    await db.owner`update du_plan set state[1] = state[1] | 2 where du_id = ${na}`;
    expect(lines(await compare(version, "current"))).toEqual([
      "came arrival added - 2026-10-14",
      "gone arrival removed 2026-10-14 -",
      "na arrival removed 2026-10-14 -",
    ]);
  });

  test("counts working days by the calendar of the DU's region", async () => {
    const [here, there] = [await makeDu("here", { regionId: north }), await makeDu("there")];
    await done(call("commomUtil/saveCalendarSetData", { regionId: north, weekdays: [0, 1, 2, 3, 4, 5, 6], days: [] }));
    const version = await baseline("promise");
    for (const du of [here, there]) await moveEnds(du, "{9790,9788}");
    expect(lines(await compare(version, "current"))).toEqual([
      "here arrival later 2026-10-14 2026-10-21 7",
      "there arrival later 2026-10-14 2026-10-21 5",
    ]);
  });

  test("compares the asked dates, and what filters choose", async () => {
    const mine = await makeOwnerSet(db.owner, project.id, [pm.id]);
    const a = await makeDu("alpha", { regionId: north });
    const b = await makeDu("beta");
    await db.owner`update du_plan set plan_owner = ${[mine]} where du_id = ${b}`;
    const version = await baseline("promise");
    await db.owner`update du_plan set plan_start = '{9782,9784}', plan_end = '{9785,9795}' where du_id = any(${[a, b]})`;
    const codes = async (...filters: object[]) =>
      lines(await compare(version, "current", { filters })).map((line) => line.split(" ").slice(0, 3).join(" "));
    expect(await codes()).toHaveLength(4);
    expect(await codes({ field: "regionId", type: "in", values: [north] })).toEqual(["alpha build later", "alpha arrival later"]);
    expect(await codes({ field: "search", type: "like", values: ["BET"] })).toEqual(["beta build later", "beta arrival later"]);
    expect(await codes({ field: "activityId", type: "in", values: [flow.of("A").id] })).toEqual([
      "alpha arrival later",
      "beta arrival later",
    ]);
    expect(await codes({ field: "ownerId", type: "eq", values: [pm.id] })).toEqual(["beta arrival later"]);
    expect(await codes({ field: "laterThan", type: "eq", values: [4] })).toEqual(["alpha build later", "beta build later"]);
    expect(await codes({ field: "laterThan", type: "eq", values: [5] })).toEqual([]);
    const starts = await compare(version, "current", {
      fields: ["planStart"],
      filters: [{ field: "kind", type: "in", values: ["earlier"] }],
    });
    expect(lines(starts).map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual(["alpha arrival earlier", "beta arrival earlier"]);
    expect((await compare(version, "current", { fields: ["planStart", "planEnd"] })).summary).toMatchObject({ earlier: 2, later: 4 });
  });

  test("a version of chosen DUs is compared in those alone", async () => {
    const [a, b] = [await makeDu("alpha"), await makeDu("beta")];
    const all = await baseline("all");
    for (const du of [a, b]) await moveEnds(du, "{9785,9788}");
    const some = await baseline("some", [a]);
    expect(lines(await compare(all, some))).toEqual(["alpha arrival later 2026-10-14 2026-10-16 2"]);
    await moveEnds(b, "{9786,9788}");
    expect(lines(await compare(some, "current"))).toEqual([]);
    expect(lines(await compare(all, "current"))).toHaveLength(2);
  });

  test("stays readable after a DU was deleted", async () => {
    const a = await makeDu("alpha");
    await makeDu("beta");
    const version = await baseline("all");
    await db.owner`update du set deleted_at = now() where id = ${a}`;
    expect(lines(await compare(version, "current"))).toEqual(["alpha build removed 2026-10-19 -", "alpha arrival removed 2026-10-14 -"]);
  });

  test("knows no version of another project, and answers faulty input with the field", async () => {
    await makeDu("alpha");
    const version = await baseline("all");
    const other = await makeProject(db.owner);
    const otherPm = await makeMember(db.owner, other.id, "PM");
    const input = { left: version, right: "current", page: 1, size: 20, filters: [] };
    expect(await callAs(otherPm, "dataVersion/compare", input, { project: other.number })).toMatchObject({ status: 404 });
    expect(await call("dataVersion/compare", { ...input, left: 999_999 })).toMatchObject({ status: 404 });
    const paths = async (more: object) => (await call("dataVersion/compare", { ...input, ...more })).problems?.map(({ path }) => path);
    expect(await paths({ left: "yesterday" })).toEqual(["left"]);
    expect(await paths({ fields: [] })).toEqual(["fields"]);
    expect(await paths({ fields: ["name"] })).toEqual(["fields.0"]);
    expect(await paths({ size: 7 })).toEqual(["size"]);
    expect(await paths({ filters: [{ field: "secret", type: "eq", values: [1] }] })).toEqual(["filters.0.field"]);
    expect(
      await call("dataVersion/compare", { ...input, filters: [{ field: "regionId", type: "in", values: ["'; drop table du"] }] }),
    ).toMatchObject({
      status: 200,
      data: { total: 0 },
    });
  });
});

describe("dataVersion/progress", () => {
  test("adds up planned ends per version, those of the present plan and actual ends until today, by the week", async () => {
    const [a] = [await makeDu("alpha"), await makeDu("beta")];
    const version = await baseline("promise");
    await db.owner`update du_plan set plan_end = '{9790,9788}', actual_end = '{9782}' where du_id = ${a}`;
    const answer = await done(call("dataVersion/progress", { versionIds: [version] }));
    // Weeks end on Saturday.
    expect(answer.steps).toEqual(["2026-10-17", "2026-10-24"]);
    expect(answer.lines).toEqual([
      { versionId: version, kind: "planned", code: "B-0001", name: "promise", values: [2, 4] },
      { versionId: null, kind: "planned", code: null, name: null, values: [1, 4] },
      { versionId: null, kind: "actual", code: null, name: null, values: [1] },
    ]);
    expect(answer.today).toBe("2026-10-14");
    const one = await done(call("dataVersion/progress", { versionIds: [version], activityId: flow.of("A").id, grain: "day" }));
    expect(one.steps).toEqual(["2026-10-13", "2026-10-14", "2026-10-21"]);
    expect(one.lines.map(({ values }: { values: number[] }) => values)).toEqual([
      [0, 2, 2],
      [0, 1, 2],
      [1, 1],
    ]);
    const months = await done(call("dataVersion/progress", { grain: "month" }));
    expect(months.steps).toEqual(["2026-10-31"]);
  });

  test("takes 20 versions and refuses 21, and those of another project", async () => {
    await makeDu("alpha");
    const ids: number[] = [];
    for (let at = 0; at < 20; at++) ids.push(await baseline(`v${at}`));
    expect((await done(call("dataVersion/progress", { versionIds: ids }))).lines).toHaveLength(22);
    expect(await call("dataVersion/progress", { versionIds: [...ids, 999_999] })).toMatchObject({
      status: 400,
      problems: [{ path: "versionIds", code: "TOO_MANY", params: { max: 20 } }],
    });
    const other = await makeProject(db.owner);
    const otherPm = await makeMember(db.owner, other.id, "PM");
    expect(await callAs(otherPm, "dataVersion/progress", { versionIds: [ids[0]] }, { project: other.number })).toMatchObject({
      status: 404,
    });
    expect(await call("dataVersion/progress", { activityId: 999_999 })).toMatchObject({ status: 404 });
  });
});

describe("dataVersion/tile", () => {
  const tile = async (versionId: number, more: object = {}) => {
    const { queryId } = await done(call("wbs/filter"));
    return call("dataVersion/tile", { versionId, queryId, from: 0, count: 200, slots: [1, 2], ...more });
  };

  test("gives the dates of the version for the rows of a query with their shift to the present plan", async () => {
    const a = await makeDu("alpha");
    await makeDu("beta");
    const version = await baseline("promise", [a]);
    await moveEnds(a, "{9790,9788}");
    const answer = await done(tile(version));
    expect(answer).toMatchObject({ from: 0, version: { id: version, code: "B-0001", name: "promise" } });
    // The other DU is not in the version.
    expect(answer.rows.map(([duId]: [number]) => duId)).toEqual([a]);
    const [, days, shifts] = answer.rows[0];
    expect([...decodeDays(days)]).toEqual([9783, 9783, 0, 0, 9784, 9788, 0, 0]);
    expect(shifts).toEqual([0, 5, 0, 0, 0, 0, 0, 0]);
    const turned = await done(tile(version, { slots: [2] }));
    expect([...decodeDays(turned.rows[0][1])]).toEqual([9784, 9788, 0, 0]);
    expect((await done(tile(version, { from: 1 }))).rows).toEqual([]);
  });

  test("keeps to its bounds, its project and its query", async () => {
    await makeDu("alpha");
    const version = await baseline("promise");
    const problem = async (more: object) => (await tile(version, more)).problems?.map(({ path, code }) => `${path} ${code}`).join();
    expect(await problem({ count: tileDusMax + 1 })).toBe("count VALUE_TOO_LARGE");
    expect(await problem({ slots: [] })).toBe("slots NO_SELECTION");
    expect(await problem({ slots: [tileSlotsMax + 1] })).toBe("slots.0 VALUE_TOO_LARGE");
    expect(await tile(version, { count: tileDusMax, slots: [tileSlotsMax] })).toMatchObject({ status: 200 });
    expect(await tile(999_999)).toMatchObject({ status: 404 });
    expect(await tile(version, { queryId: crypto.randomUUID() })).toMatchObject({ status: 410, code: "QUERY_EXPIRED" });
    const other = await makeProject(db.owner);
    const otherPm = await makeMember(db.owner, other.id, "PM");
    const { queryId } = await done(callAs(otherPm, "wbs/filter", {}, { project: other.number }));
    const theirs = { versionId: version, queryId, from: 0, slots: [1] };
    expect(await callAs(otherPm, "dataVersion/tile", theirs, { project: other.number })).toMatchObject({ status: 404 });
  });
});

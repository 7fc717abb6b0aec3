import { beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeCluster, makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { makeAttribute } from "../../../support/plan-factories.ts";
import { done } from "../../scheduling/make-scheduled.ts";
import { makeViewProject, type Stage, viewCalls } from "../make-view.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let view: Awaited<ReturnType<typeof makeViewProject>>;
const call = viewCalls(
  () => project.number,
  () => pm,
);

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  view = await makeViewProject(db.owner, project.id, pm.id);
});

const makeTab = async (dimension: string, activityIds = [view.install]) =>
  (await done(call("multiDim/tab/save", { alias: dimension, dimension, activityIds, showRate: true, showAmount: true }))).id as number;
const times = <T>(count: number, make: T) => Array.from({ length: count }, () => make);
const query = (tabId: number, more: object = {}, as?: CtxUser) => done(call("multiDim/query", { tabId, ...more }, as));
// biome-ignore lint/suspicious/noExplicitAny: rows of an answer.
const titled = (rows: any[]) => Object.fromEntries(rows.map((row) => [row.title ?? row.kind, row]));
/** The DUs the grid shows for a kept list. */
const opened = async (queryId: string, as?: CtxUser) => done(call("wbs/filter", { selection: queryId, ids: true }, as));

/** The example of the specification: 61 DUs of a town, two without Installation, one NA. */
const townX = (): { town: string; install: Stage }[] => [
  ...times(40, { town: "X", install: "done" as Stage }),
  ...times(14, { town: "X", install: "late" as Stage }),
  ...times(4, { town: "X", install: "soon" as Stage }),
  ...times(2, { town: "X", install: "outside" as Stage }),
  { town: "X", install: "na" },
];

describe("multiDim/query", () => {
  it("counts a town as the specification does: 61 DUs, 40 of 58, 69.0 %", async () => {
    await view.dus([...townX(), { town: "Y", install: "done" }, { install: "late" }]);
    const answer = await query(await makeTab("town"));
    const { X, Y, empty } = titled(answer.rows);
    expect(X).toEqual({
      kind: "value",
      value: "X",
      title: "X",
      total: 61,
      figures: [{ applicable: 58, planned: 54, done: 40, delayed: 14, rate: 69 }],
    });
    expect(Y.figures).toEqual([{ applicable: 1, planned: 1, done: 1, delayed: 0, rate: 100 }]);
    expect(empty).toMatchObject({ kind: "empty", value: null, total: 1 });
    // From sums: 41 of 60, not the mean of 69.0, 100 and 0.
    expect(answer.totals).toEqual({
      kind: "all",
      value: null,
      title: null,
      total: 63,
      figures: [{ applicable: 60, planned: 56, done: 41, delayed: 15, rate: 68.3 }],
    });
    expect(answer).toMatchObject({
      count: 3,
      folded: 0,
      several: false,
      hidden: false,
      until: "2026-10-14",
      activities: [{ name: "Install" }],
    });
  });

  it("counts to the end of the period; what is delayed is so today", async () => {
    await view.dus([
      { town: "X", install: "done" },
      { town: "X", install: "late" },
      { town: "X", install: "today" },
      { town: "X", install: "soon" },
      { town: "X", install: "open" },
    ]);
    const tabId = await makeTab("town");
    const figures = async (period?: object) => (await query(tabId, period ? { period } : {})).totals.figures[0];
    expect(await figures()).toMatchObject({ applicable: 5, planned: 3, done: 1, delayed: 1, rate: 20 });
    expect(await figures({ preset: "thisMonth" })).toMatchObject({ planned: 4, done: 1, delayed: 1 });
    expect(await figures({ from: "2026-09-01", to: "2026-10-04" })).toMatchObject({
      applicable: 5,
      planned: 1,
      done: 0,
      delayed: 1,
      rate: 0,
    });
    expect(await figures({ from: "2026-09-01", to: "2026-10-05" })).toMatchObject({ done: 1 });
    expect(await call("multiDim/query", { tabId, period: { from: "2026-10-05", to: "2026-10-04" } })).toMatchObject({ status: 400 });
  });

  it("counts a DU with several values once for each, and once in the totals", async () => {
    const scene = await makeAttribute(db.owner, project.id, { type: "ENUM", enums: ["Roof", "Street"] });
    const [roof, street] = scene.enumIds.map(String) as [string, string];
    await view.dus([
      { ext: { [scene.key]: [roof, street] }, install: "done" },
      { ext: { [scene.key]: roof }, install: "late" },
      { ext: { [scene.key]: [] }, install: "late" },
    ]);
    const answer = await query(await makeTab(scene.key));
    const { Roof, Street, empty } = titled(answer.rows);
    expect([Roof.total, Street.total, empty.total, answer.totals.total]).toEqual([2, 1, 1, 3]);
    expect([Roof.figures[0].rate, Street.figures[0].rate, answer.totals.figures[0].rate]).toEqual([50, 100, 33.3]);
    expect(answer.several).toBe(true);
  });

  it("names regions, and folds what lies beyond the row limit into others", async () => {
    const regions = [];
    for (let at = 1; at <= 12; at++) regions.push(await makeRegion(db.owner, project.id, `North ${at}`));
    await view.dus([...regions.map((regionId) => ({ regionId, install: "done" as const })), { regionId: regions[11]!, install: "late" }]);
    const tabId = await makeTab("region");
    expect((await query(tabId)).rows.map(({ title }: { title: string }) => title)).toEqual(regions.map((_, at) => `North ${at + 1}`));
    await done(call("multiDim/global/save", { allowPersonal: true, defaultTabId: null, period: null, rowLimit: 10, rowVersion: 0 }));
    const answer = await query(tabId);
    expect(answer).toMatchObject({ folded: 2, count: 11 });
    const { others, "North 12": most } = titled(answer.rows);
    expect(others).toMatchObject({ total: 2, figures: [{ done: 2, applicable: 2 }] });
    expect(most).toMatchObject({ total: 2 });
    const drilled = await done(call("multiDim/drill", { tabId, row: "others", activityId: view.install, bucket: "done" }));
    expect(drilled.total).toBe(2);
  });

  it("names clusters, and leaves DUs without one together", async () => {
    const ids = await view.dus([{ install: "done" }, { install: "late" }]);
    await makeCluster(db.owner, project.id, "C-07", [ids[0]!]);
    const { "C-07": row, empty } = titled((await query(await makeTab("cluster"))).rows);
    expect([row.total, row.figures[0].rate, empty.total]).toEqual([1, 100, 1]);
  });

  it("is searched, ordered and paged", async () => {
    await view.dus([
      { town: "Apricot", install: "done" },
      { town: "Beech", install: "late" },
      { town: "Beech", install: "late" },
      { town: "Cherry", install: "late" },
    ]);
    const tabId = await makeTab("town");
    const rows = async (more: object) => (await query(tabId, more)).rows.map(({ title }: { title: string }) => title);
    expect(await rows({ sort: { by: "delayed", activity: 0, dir: "desc" } })).toEqual(["Beech", "Cherry", "Apricot"]);
    expect(await rows({ search: "ch" })).toEqual(["Beech", "Cherry"]);
    expect(await rows({ page: 2, size: 2 })).toEqual(["Cherry"]);
    expect(await rows({ page: 3, size: 2 })).toEqual([]);
  });

  it("narrows to the DUs of conditions, and sees what was saved since", async () => {
    const north = await makeRegion(db.owner, project.id, "North");
    const [first] = await view.dus([
      { town: "X", regionId: north, install: "late" },
      { town: "X", install: "late" },
    ]);
    const tabId = await makeTab("town");
    const delayed = async (filters: object[] = []) => (await query(tabId, { filters })).totals.figures[0].delayed;
    const inNorth = [{ field: "region", type: "in", values: [north] }];
    expect([await delayed(), await delayed(inNorth)]).toEqual([2, 1]);
    const kept = await query(tabId);
    const later = () => done(callAs(pm, "multiDim/query", { tabId }, { project: project.number, now: new Date(clock.getTime() + 60_000) }));
    expect((await later()).asOf).toEqual(kept.asOf);
    await done(
      call("rolloutPlan/save", {
        edits: [{ duId: first, activityId: view.install, field: "planEnd", value: "2026-10-30", base: "2026-10-13" }],
      }),
    );
    expect([await delayed(), await delayed(inNorth)]).toEqual([1, 0]);
    expect((await later()).seq).toBeGreaterThan(kept.seq);
  });

  it("hides amounts from those who see no counts of DUs", async () => {
    await view.dus(townX());
    const tabId = await makeTab("town");
    await db.owner`insert into role_permission (project_id, role, code, scope) values (${project.id}, 'PM', 'rollout.duCountHide', 'Y')`;
    const answer = await query(tabId);
    expect(answer.hidden).toBe(true);
    expect(answer.rows).toEqual([
      {
        kind: "value",
        value: "X",
        title: "X",
        total: null,
        figures: [{ applicable: null, planned: null, done: null, delayed: null, rate: 69 }],
      },
    ]);
    expect(answer.totals.total).toBeNull();
    expect(await done(call("multiDim/drill", { tabId, value: "X", bucket: "total" }))).toMatchObject({ total: null });
    expect(await done(call("multiDim/trend", { tabId, activityId: view.install }))).toMatchObject({
      applicable: null,
      percent: true,
      lines: { actual: [0, 69, 69, 69] },
    });
  });

  it("says that a field is gone, and does not show other people's tabs", async () => {
    const vendor = await makeAttribute(db.owner, project.id, { type: "TEXT" });
    const tabId = await makeTab(vendor.key);
    const td = await makeMember(db.owner, project.id, "TD");
    expect(await call("multiDim/query", { tabId }, td)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    await db.owner`update attribute set deleted_at = now() where id = ${vendor.id}`;
    expect(await call("multiDim/query", { tabId })).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });
});

describe("multiDim/preview", () => {
  it("counts a tab that is not stored yet, at most its first rows", async () => {
    await view.dus(Array.from({ length: 21 }, (_, at) => ({ town: `T${at + 1}`, install: "done" as const })));
    const answer = await done(call("multiDim/preview", { dimension: "town", activityIds: [view.install] }));
    expect(answer.rows).toHaveLength(20);
    expect(answer).toMatchObject({ count: 21, totals: { total: 21, figures: [{ done: 21, rate: 100 }] } });
    expect(await call("multiDim/preview", { dimension: "town", activityIds: [] })).toMatchObject({ status: 400 });
    const viewer = await makeMember(db.owner, project.id, "COMMON_VIEW");
    expect(await call("multiDim/preview", { dimension: "town", activityIds: [view.install] }, viewer)).toMatchObject({ status: 403 });
  });
});

describe("multiDim/drill", () => {
  it("opens exactly the DUs of every number in the grid", async () => {
    const ids = await view.dus([...townX(), { town: "Y", install: "late" }, { install: "late" }]);
    const tabId = await makeTab("town");
    const drill = async (more: object) => {
      const { queryId, total } = await done(call("multiDim/drill", { tabId, activityId: view.install, ...more }));
      const shown = await opened(queryId);
      expect(shown.total).toBe(total);
      return shown.duIds as number[];
    };
    const sorted = (list: number[]) => [...list].sort((a, b) => a - b);
    expect(sorted(await drill({ value: "X", bucket: "delayed" }))).toEqual(sorted(ids.slice(40, 54)));
    expect(await drill({ value: "X", bucket: "total" })).toHaveLength(61);
    expect(await drill({ value: "X", bucket: "applicable" })).toHaveLength(58);
    expect(await drill({ value: "X", bucket: "planned" })).toHaveLength(54);
    expect(sorted(await drill({ value: "X", bucket: "done" }))).toEqual(sorted(ids.slice(0, 40)));
    expect(await drill({ row: "empty", bucket: "delayed" })).toEqual([ids.at(-1)]);
    expect(await drill({ bucket: "delayed" })).toHaveLength(16);
    expect(await drill({ value: "X", bucket: "done", period: { from: "2026-10-01", to: "2026-10-04" } })).toEqual([]);
  });

  it("lets the grid filter and sort within them, for a day, for the same rights", async () => {
    const [first] = await view.dus([
      { code: "A-1", town: "X", install: "late" },
      { code: "A-2", town: "X", install: "late" },
    ]);
    const tabId = await makeTab("town");
    const { queryId } = await done(call("multiDim/drill", { tabId, value: "X", activityId: view.install, bucket: "delayed" }));
    const within = (now: Date, user = pm, more: object = {}) =>
      callAs(user, "wbs/filter", { selection: queryId, ids: true, ...more }, { project: project.number, now });
    expect((await done(within(clock, pm, { search: { field: "code", text: "A-1" } }))).duIds).toEqual([first]);
    expect((await done(within(new Date(clock.getTime() + 23.9 * 3_600_000)))).duIds).toHaveLength(2);
    expect(await within(new Date(clock.getTime() + 24 * 3_600_000))).toMatchObject({ status: 410, code: "SELECTION_EXPIRED" });
    const owner = await makeMember(db.owner, project.id, "SITE_OWNER");
    expect(await within(clock, owner)).toMatchObject({ status: 410, code: "SELECTION_EXPIRED" });
  });

  it("refuses an activity the tab does not count, and a number without its activity", async () => {
    const tabId = await makeTab("town");
    expect(await call("multiDim/drill", { tabId, activityId: view.accept, bucket: "done" })).toMatchObject({ status: 404 });
    expect(await call("multiDim/drill", { tabId, bucket: "done" })).toMatchObject({
      status: 400,
      problems: [{ path: "activityId", code: "VALUE_MISSING" }],
    });
  });
});

describe("multiDim/trend", () => {
  it("adds up plan, actual and baseline ends to the end of each step, weeks from Sunday", async () => {
    const ids = await view.dus([
      { town: "X", install: "done" },
      { town: "X", install: "late" },
      { town: "Y", install: "soon" },
      { town: "X", install: "na" },
    ]);
    await db.owner`update du_plan set baseline_end = '{0,9778}' where du_id = ${ids[1]!}`;
    const tabId = await makeTab("town");
    const trend = (more: object = {}) => done(call("multiDim/trend", { tabId, activityId: view.install, ...more }));
    // Plan ends 10-01, 10-13, 10-20; done 10-05; baseline 10-09 (day 9778): Saturdays 10-03, 10-10, 10-17, 10-24.
    expect(await trend()).toEqual({
      steps: ["2026-10-03", "2026-10-10", "2026-10-17", "2026-10-24"],
      lines: { plan: [1, 1, 2, 3], actual: [0, 1, 1, 1], baseline: [0, 1, 1, 1] },
      applicable: 3,
      percent: false,
    });
    expect(await trend({ grain: "month" })).toMatchObject({ steps: ["2026-10-31"], lines: { plan: [3], actual: [1], baseline: [1] } });
    expect((await trend({ grain: "day", value: "Y" })).steps).toEqual(["2026-10-20"]);
    expect(await call("multiDim/trend", { tabId, activityId: view.accept })).toMatchObject({ status: 404 });
  });
});

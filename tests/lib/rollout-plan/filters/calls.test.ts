import { describe, expect, it } from "vitest";
import { withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { later, planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, save, survey, install } = planCalls(db, project);

describe("filters", () => {
  it("wbs/filter answers the same question from memory until the plan changes, and forgets it after ten minutes", async () => {
    const ask = (now = clock) => call(project.pm, "wbs/filter", { filters: [{ field: "code", type: "like", values: ["TILE"] }] }, now);
    const first = await ask();
    expect((await ask()).data.queryId).toBe(first.data.queryId);
    const [duId] = await makeDus(db.owner, project.id, [{}], project.flow);
    await save(project.pm, [{ duId: duId!, activityId: survey(), field: "planEnd", value: "2026-10-20" }]);
    const second = await ask();
    expect(second.data.queryId).not.toBe(first.data.queryId);
    const tile = (queryId: string, now: Date) => call(project.pm, "rolloutPlan/tile", { queryId, from: 0 }, now);
    expect((await tile(first.data.queryId, later(9))).status).toBe(200);
    expect(await tile(first.data.queryId, later(10))).toMatchObject({ status: 410, code: "QUERY_EXPIRED" });
  });

  it("gives a kept result only to people with the same rights, and only rows they still reach", async () => {
    const subcon = await makeMember(db.owner, project.id, "SUBCON");
    const company = await makeSubcontractor(db.owner, project.id, [subcon.id]);
    const ids = await makeDus(db.owner, project.id, [{ subcontractorId: company }, { subcontractorId: company }, {}], project.flow);
    const all = await call(project.pm, "wbs/filter", {});
    expect(await call(subcon, "rolloutPlan/tile", { queryId: all.data.queryId, from: 0 })).toMatchObject({ status: 410 });
    const own = await call(subcon, "wbs/filter", { ids: true });
    expect(own.data).toMatchObject({ total: null });
    expect(own.data.duIds).toBeUndefined();
    // Who does not see how many DUs there are gets no figures about them either.
    expect(await call(subcon, "rolloutPlan/summary", { queryId: own.data.queryId, activityIds: [survey()] })).toMatchObject({
      code: "NO_PERMISSION",
    });
    await db.owner`update du set subcontractor_id = null where id = ${ids[0]!}`;
    expect((await call(subcon, "rolloutPlan/tile", { queryId: own.data.queryId, from: 0 })).data.duIds).toEqual([ids[1]]);
  });

  it("searches one entry inside, several as a whole, up to 500, and names those it did not find [OPS-30]", async () => {
    await makeDus(db.owner, project.id, [{ code: "FIND-1" }, { code: "FIND-2" }, { code: "FIND-21" }], project.flow);
    const search = (text: string) => call(project.pm, "wbs/filter", { search: { field: "code", text }, ids: true });
    expect((await search("find-2")).data.total).toBe(2);
    expect((await search("FIND-2, FIND-1，NONE\n\tFIND-2")).data).toMatchObject({ total: 2, unmatched: ["NONE"] });
    expect((await search("100%")).data.total).toBe(0);
    const entries = (count: number) => Array.from({ length: count }, (_, i) => `X${i}`).join(",");
    expect((await search(entries(500))).status).toBe(200);
    expect(await search(entries(501))).toMatchObject({ status: 422, code: "SEARCH_TOO_MANY" });
  });

  it("takes filters of 3,000 characters and refuses one more, and conditions on what there is not [OPS-31]", async () => {
    const like = (length: number) => {
      const filters = [{ field: "code", type: "like", values: [""] }];
      filters[0]!.values[0] = "x".repeat(length - JSON.stringify(filters).length);
      return call(project.pm, "wbs/filter", { filters });
    };
    expect((await like(2000)).status).toBe(200);
    /** Filters of so many characters, more than one text may hold. */
    const many = (length: number) => {
      const filters = ["", "x".repeat(1500)].map((value) => ({ field: "code", type: "like", values: [value] }));
      filters[0]!.values[0] = "x".repeat(length - JSON.stringify(filters).length);
      return call(project.pm, "wbs/filter", { filters });
    };
    expect((await many(3000)).status).toBe(200);
    expect(await many(3001)).toMatchObject({ status: 422, code: "FILTER_TOO_LONG" });
    for (const filter of [
      { field: "nothing", type: "eq", values: ["x"] },
      { field: "planEnd", activityId: 987_654, type: "empty", values: [] },
      { field: "status", type: "eq", values: ["unknown"] },
      { field: "planEnd", activityId: survey(), type: "range", values: ["x", null] },
    ])
      expect(await call(project.pm, "wbs/filter", { filters: [filter] })).toMatchObject({ status: 400, code: "INVALID_INPUT" });
  });

  it("rolloutPlan/summary counts over the whole query", async () => {
    const done = { plan_end: "2026-10-12", actual_end: "2026-10-12" };
    const [, , third] = await makeDus(
      db.owner,
      project.id,
      [
        { code: "SUM-1", plan: { 1: done } },
        { code: "SUM-2", plan: { 1: { plan_end: "2026-10-13" } } },
        { code: "SUM-3", plan: { 1: { state: withState(1, "na", 1) } } },
        { code: "SUM-4", plan: { 1: { plan_start: "2026-10-15" } } },
      ],
      project.flow,
    );
    const { data } = await call(project.pm, "wbs/filter", { search: { field: "code", text: "SUM-" } });
    const summary = await call(project.pm, "rolloutPlan/summary", { queryId: data.queryId, activityIds: [survey(), install()] });
    expect(summary.data.activities).toEqual([
      { activityId: survey(), applicable: 3, planStart: 1, planEnd: 2, actualStart: 0, actualEnd: 1, delayed: 1, percent: 33.33 },
      { activityId: install(), applicable: 4, planStart: 0, planEnd: 0, actualStart: 0, actualEnd: 0, delayed: 0, percent: 0 },
    ]);
    // The same question after a save: what was counted before is not what is true now.
    await save(project.pm, [{ duId: third!, activityId: install(), field: "planEnd", value: "2026-10-20" }]);
    const again = await call(project.pm, "rolloutPlan/summary", { queryId: data.queryId, activityIds: [survey(), install()] });
    expect(again.data.activities[1]).toMatchObject({ activityId: install(), applicable: 4, planEnd: 1 });
  });

  it("rolloutPlan/facet lists values with counts under the other conditions", async () => {
    const region = await makeRegion(db.owner, project.id, "Facet");
    await makeDus(
      db.owner,
      project.id,
      [{ code: "FAC-1", regionId: region }, { code: "FAC-2", regionId: region }, { code: "FAC-3" }],
      project.flow,
    );
    const filters = [
      { field: "code", type: "like", values: ["FAC-"] },
      { field: "region", type: "eq", values: [1] },
    ];
    const facet = (column: string, q?: string) => call(project.pm, "rolloutPlan/facet", { column, filters, ...(q ? { q } : {}) });
    expect((await facet("region")).data).toEqual([
      { value: region, title: "Facet", count: 2 },
      { value: null, title: null, count: 1 },
    ]);
    expect((await facet("code", "fac-3")).data).toEqual([]);
  });

  it("filters, sorts and lists by notes", async () => {
    const ids = await makeDus(db.owner, project.id, [{ code: "REM-1" }, { code: "REM-2" }, { code: "REM-3" }], project.flow);
    const note = (duId: number, field: string, value: unknown) => ({ duId, activityId: survey(), field, value });
    await save(project.pm, [
      note(ids[0]!, "score", 2),
      note(ids[0]!, "scoreRemark", "crew came late"),
      note(ids[1]!, "score", 5),
      note(ids[1]!, "delayReason", "Rain"),
      { duId: ids[2]!, activityId: install(), field: "delayReason", value: "Rain" },
    ]);
    const ask = async (filters: object[], sort: object[] = []) => {
      const activity = { activityId: survey() };
      const answer = await call(project.pm, "wbs/filter", {
        search: { field: "code", text: "REM-" },
        filters: filters.map((filter) => ({ ...activity, ...filter })),
        sort: sort.map((one) => ({ ...activity, ...one })),
        ids: true,
      });
      return answer.data.duIds.map((id: number) => ids.indexOf(id) + 1);
    };
    expect(await ask([{ field: "delayReason", type: "like", values: ["rai"] }])).toEqual([2]);
    expect(await ask([{ field: "delayReason", type: "empty" }])).toEqual([1, 3]);
    expect(await ask([{ field: "score", type: "range", values: [null, 2] }])).toEqual([1]);
    expect(await ask([{ field: "score", type: "notEmpty" }])).toEqual([1, 2]);
    expect(await ask([{ field: "scoreRemark", type: "in", values: ["crew came late", "x"] }])).toEqual([1]);
    expect(await ask([], [{ field: "score", dir: "desc" }])).toEqual([2, 1, 3]);
    expect(await ask([], [{ field: "delayReason", dir: "asc" }])).toEqual([2, 1, 3]);
    const facet = await call(project.pm, "rolloutPlan/facet", {
      column: "delayReason",
      activityId: survey(),
      filters: [{ field: "code", type: "like", values: ["REM-"] }],
    });
    expect(facet.data).toEqual([
      { value: null, title: null, count: 2 },
      { value: "Rain", title: "Rain", count: 1 },
    ]);
  });

  it("rolloutPlan/facet counts days, owners, statuses and yes or no", async () => {
    const own = { state: 1, plan_owner: project.ownSet };
    await makeDus(
      db.owner,
      project.id,
      [
        { code: "VAL-1", plan: { 1: { ...own, plan_end: "2026-10-12" } } },
        { code: "VAL-2", plan: { 1: { ...own, plan_end: "2026-10-20" } } },
        { code: "VAL-3", plan: { 1: { state: 1, plan_end: "2026-10-20" } } },
        { code: "VAL-4", plan: { 1: { state: 1 } } },
      ],
      project.flow,
    );
    const [unbound] = await makeDus(db.owner, project.id, [{ code: "VAL-5" }]);
    await db.owner`update du set allow_direct_moving = true where id = ${unbound!}`;
    const filters = [{ field: "code", type: "like", values: ["VAL-"] }];
    const facet = async (column: string, ofActivity = true, q?: string) =>
      (
        await call(project.pm, "rolloutPlan/facet", {
          column,
          ...(ofActivity ? { activityId: survey() } : {}),
          filters,
          ...(q ? { q } : {}),
        })
      ).data.map((row: Record<string, unknown>) => [row.value, row.title, row.count]);
    expect(await facet("planEnd")).toEqual([
      ["2026-10-12", "2026-10-12", 1],
      ["2026-10-20", "2026-10-20", 2],
      [null, null, 2],
    ]);
    expect(await facet("planEnd", true, "-12")).toEqual([["2026-10-12", "2026-10-12", 1]]);
    expect(await facet("planOwner")).toEqual([
      [null, null, 3],
      [project.pm.id, project.pm.name, 2],
    ]);
    const statuses = new Map((await facet("status")).map(([value, , count]: unknown[]) => [value, count]));
    expect(Object.fromEntries(statuses)).toMatchObject({ delayed: 1, within7: 2, notPlanned: 1, incomplete: 4, unfrozen: 4, thisWeek: 1 });
    expect(new Map((await facet("status", false)).map(([value, , count]: unknown[]) => [value, count]))).toEqual(
      new Map([
        ["within7", 2],
        ["delayed", 1],
        ["noFlow", 1],
        ["notPlanned", 1],
      ]),
    );
    expect(await facet("allowDirectMoving", false)).toEqual([
      [false, "false", 4],
      [true, "true", 1],
    ]);
  });
});

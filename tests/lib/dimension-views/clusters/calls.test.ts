import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { assignDusMax, clusterNameChars, outlinePointsMax, wholeMax } from "#lib/dimension-views/clusters/limits.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeRegion } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";
import { done, makeFlow } from "../../activity-flows/make-flow.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, install } = planCalls(db, project);
let td: CtxUser;
let count = 0;

beforeAll(async () => {
  td = await makeMember(db.owner, project.id, "TD");
});

const given = (more: Record<string, unknown> = {}) => ({ name: `C-${++count}`, priority: 1, ...more });
const save = (more: Record<string, unknown> = {}, user = td) => call(user, "cluster/save", given(more));
const make = async (more: Record<string, unknown> = {}) => (await save(more)).data.id as number;
const list = async (filters: unknown[] = []) =>
  (await call(td, `cluster/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`)).data.records as Record<string, unknown>[];

describe("cluster/save and cluster/list [MDV-07]", () => {
  it("names no region that is deleted meanwhile", async () => {
    const regionId = await makeRegion(db.owner, project.id, "Leaving");
    const answer = await meanwhile(
      db,
      async (sql) => {
        await sql`select 1 from project where id = ${project.id} for no key update`;
        await sql`update delivery_region set deleted_at = now() where id = ${regionId}`;
      },
      () => save({ regionId }),
    );
    expect(answer).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("keeps a cluster with its region, rate, cutover activity and outline, and lists it by priority", async () => {
    const regionId = await makeRegion(db.owner, project.id, "North");
    const polygon = [
      [121, 31],
      [122, 31],
      [122, 32],
    ];
    const id = await make({
      name: "C-07",
      priority: 2,
      regionId,
      completionRate: 80,
      cutoverActivityId: install(),
      maxCutoverQty: 20,
      polygon,
      color: "c3",
    });
    const first = await make({ name: "C-01", priority: 1 });
    const rows = await list([{ field: "id", type: "in", values: [id, first] }]);
    expect(rows.map((row) => row.name)).toEqual(["C-01", "C-07"]);
    expect(rows[1]).toMatchObject({
      id,
      regionId,
      region: "North",
      priority: 2,
      completionRate: 80,
      rateKind: "integer",
      cutoverActivity: "Install",
      maxCutoverQty: 20,
      polygon,
      color: "c3",
      duCount: 0,
      rowVersion: 1,
    });
    expect((await list([{ field: "region", type: "in", values: [regionId] }])).map((row) => row.id)).toEqual([id]);
    expect((await list([{ field: "name", type: "like", values: ["-07"] }])).map((row) => row.id)).toEqual([id]);
    expect((await list([{ field: "priority", type: "range", values: [2, null] }])).map((row) => row.id)).toContain(id);
    expect((await list([{ field: "priority", type: "range", values: [null, 1] }])).map((row) => row.id)).not.toContain(id);
  });

  const cases: [what: string, more: Record<string, unknown>, code: string | null][] = [
    ["a priority of 1", { priority: 1 }, null],
    ["a priority of 0", { priority: 0 }, "PRIORITY_POSITIVE"],
    ["a negative priority", { priority: -1 }, "PRIORITY_POSITIVE"],
    ["the largest priority", { priority: wholeMax }, null],
    ["a larger one", { priority: wholeMax + 1 }, "VALUE_TOO_LARGE"],
    ["a whole rate of 0", { completionRate: 0 }, null],
    ["a whole rate of 9999", { completionRate: 9999 }, null],
    ["a whole rate of 10000", { completionRate: 10_000 }, "RATE_RANGE"],
    ["a whole rate below 0", { completionRate: -1 }, "RATE_RANGE"],
    ["a whole rate with decimals", { completionRate: 80.5 }, "RATE_RANGE"],
    ["a real rate of 0.01", { rateKind: "real", completionRate: 0.01 }, null],
    ["a real rate of 0", { rateKind: "real", completionRate: 0 }, "RATE_RANGE"],
    ["a real rate of 99.99", { rateKind: "real", completionRate: 99.99 }, null],
    ["a real rate of 100", { rateKind: "real", completionRate: 100 }, "RATE_RANGE"],
    ["a real rate with three decimals", { rateKind: "real", completionRate: 1.234 }, "RATE_RANGE"],
    ["a name of the longest length", { name: "x".repeat(clusterNameChars) }, null],
    ["a longer name", { name: "y".repeat(clusterNameChars + 1) }, "NAME_TOO_LONG"],
    ["no name", { name: " " }, "NAME_REQUIRED"],
    ["a cutover quantity of 1", { maxCutoverQty: 1 }, null],
    ["a cutover quantity of 0", { maxCutoverQty: 0 }, "VALUE_TOO_SMALL"],
    ["an outline of the most points", { polygon: Array.from({ length: outlinePointsMax }, (_, i) => [i / 10, i / 20]) }, null],
    ["one point more", { polygon: Array.from({ length: outlinePointsMax + 1 }, (_, i) => [i / 10, i / 20]) }, "TOO_MANY"],
    ["an outline beyond the earth", { polygon: [[181, 0], [0, 0], [0, 1]] }, "VALUE_TOO_LARGE"], // biome-ignore format: one case a line
  ];
  it.each(cases)("%s: %o is answered with %s [MDV-07]", async (_what, more, code) => {
    const answer = await save(more);
    expect(answer.problems?.[0]?.code ?? answer.code ?? null).toBe(code);
  });

  it("refuses a taken name in any case, a stale revision, and what another project owns", async () => {
    const id = await make({ name: "Taken" });
    expect(await save({ name: "tAKEN" })).toMatchObject({ status: 422, code: "NAME_EXISTS" });
    expect(await save({ id, rowVersion: 1, name: "Taken", priority: 5 })).toMatchObject({ status: 200, data: { rowVersion: 2 } });
    expect(await save({ id, rowVersion: 1, name: "Taken" })).toMatchObject({ status: 409, code: "STALE", data: { priority: 5 } });
    const foreign = await makeRegion(db.owner, (await db.owner`select id from project where id <> ${project.id} limit 1`)[0]!.id);
    expect(await save({ regionId: foreign })).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await save({ cutoverActivityId: 999_999 })).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("is read by who holds cluster.view and changed by PM, PCM and TD alone", async () => {
    expect((await call(project.viewer, "cluster/list/1/20/default/%5B%5D")).status).toBe(200);
    for (const [address, input] of [
      ["cluster/save", given()],
      ["cluster/assign", { duIds: [1], clusterId: null }],
      ["cluster/delete", { ids: [1] }],
    ] as const)
      expect(await call(project.viewer, address, input)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });
});

describe("the cutover activity of a cluster", () => {
  const pm = (address: string, input: object = {}) => call(project.pm, address, input);

  it("stays in its flows and in the library until no cluster names it [FLW-33]", async () => {
    const flow = await makeFlow(project.pm, project.number, "With cutover", "Cutover* Rest", "Cutover>Rest");
    const activityId = flow.activityIds.get("Cutover")!;
    const [first, second] = [await make({ name: "First" }), await make({ name: "Second", cutoverActivityId: activityId })];
    await done(save({ id: first, rowVersion: 1, name: "First", cutoverActivityId: activityId }));
    const copy = await done(pm("flow/edit", { id: flow.id }));
    const { nodes } = await done(pm(`flow/find/${copy.id}`));
    const ids = nodes.flatMap((node: { id: number; name: string }) => (node.name === "Cutover" ? node.id : []));
    expect(await pm("flow/node/delete", { ids })).toMatchObject({
      status: 422,
      code: "ACTIVITY_REFERENCED",
      msg: "Activity referenced, cannot be deleted: Cutover (First, Second)",
    });
    await done(pm("flow/discard", { id: copy.id }));
    // In no flow any more it is named by the clusters alone.
    await db.owner`delete from flow_activity where activity_id = ${activityId}`;
    const disable = () => pm("activityLibrary/disable", { ids: [activityId] });
    expect(await disable()).toMatchObject({
      status: 422,
      code: "ACTIVITY_REFERENCED",
      msg: "Activity referenced, cannot be deleted: Cutover: First, Second",
    });
    await done(save({ id: first, rowVersion: 2, name: "First" }));
    expect((await disable()).msg).toBe("Activity referenced, cannot be deleted: Cutover: Second");
    await done(call(td, "cluster/delete", { ids: [second] }));
    expect(await db.owner`select 1 from config_ref where holder_kind = 'CLUSTER' and holder_id in (${first}, ${second})`).toHaveLength(0);
    await done(disable());
  });
});

describe("cluster/assign and cluster/delete [MDV-07]", () => {
  const clusterOf = async (ids: number[]) =>
    (await db.owner<{ c: number | null }[]>`select cluster_id as c from du where id = any(${ids}) order by id`).map((row) => row.c);

  it("puts DUs into one cluster at a time, with a priority, as one batch that can be undone", async () => {
    const [a, b] = [await make(), await make()];
    const ids = await makeDus(db.owner, project.id, [{}, {}], project.flow);
    const first = await call(td, "cluster/assign", { duIds: ids, clusterId: a, priority: 3 });
    expect(first.data.ids).toEqual(ids);
    expect(await clusterOf(ids)).toEqual([a, a]);
    expect((await list([{ field: "id", type: "in", values: [a] }]))[0]).toMatchObject({ duCount: 2 });
    expect((await call(td, "cluster/assign", { duIds: ids, clusterId: a })).data.ids).toEqual([]);
    const moved = await call(project.pm, "cluster/assign", { duIds: [ids[0]], clusterId: b });
    expect(await clusterOf(ids)).toEqual([b, a]);
    const [log] = await db.owner`select attrs from plan_log where batch_id = ${moved.data.batchId}`;
    expect(log!.attrs).toEqual({ "du.cluster_id": [a, b] });
    expect((await call(project.pm, "rolloutPlan/undo", { batchId: moved.data.batchId })).status).toBe(200);
    expect(await clusterOf(ids)).toEqual([a, a]);
    expect(await db.owner`select cluster_priority from du where id = ${ids[1]!}`).toEqual([{ cluster_priority: 3 }]);
    await call(td, "cluster/assign", { duIds: ids, priority: null });
    expect(await db.owner`select cluster_priority from du where id = ${ids[1]!}`).toEqual([{ cluster_priority: null }]);
  });

  it("takes at most the DUs of one call, none of them from elsewhere, and a cluster of the project", async () => {
    const ids = (n: number) => Array.from({ length: n }, (_, i) => 900_000 + i);
    expect((await call(td, "cluster/assign", { duIds: ids(assignDusMax + 1), clusterId: null })).problems?.[0]).toMatchObject({
      code: "TOO_MANY_DU",
      params: { max: assignDusMax },
    });
    // As many as may be are looked for, and are not there.
    expect(await call(td, "cluster/assign", { duIds: ids(assignDusMax), clusterId: null })).toMatchObject({ code: "DU_EMPTY" });
    const [du] = await makeDus(db.owner, project.id, [{}]);
    expect(await call(td, "cluster/assign", { duIds: [du], clusterId: 999_999 })).toMatchObject({ status: 404 });
    expect((await call(td, "cluster/assign", { duIds: [du], clusterId: null, priority: 0 })).problems?.[0]?.code).toBe("PRIORITY_POSITIVE");
    expect((await call(td, "cluster/assign", { duIds: [du] })).problems?.[0]?.code).toBe("VALUE_MISSING");
  });

  it("deletes a cluster that holds DUs only with them taken out", async () => {
    const id = await make({ name: "Full" });
    const [du] = await makeDus(db.owner, project.id, [{}], project.flow);
    await call(td, "cluster/assign", { duIds: [du], clusterId: id });
    const refused = await call(td, "cluster/delete", { ids: [id] });
    expect(refused).toMatchObject({ status: 422, code: "IN_USE" });
    expect(refused.msg).toContain("Full (1 DU)");
    expect((await call(td, "cluster/delete", { ids: [id], removeDus: true })).data).toEqual({ deleted: 1, removed: 1 });
    expect(await clusterOf([du!])).toEqual([null]);
    expect(await call(td, "cluster/delete", { ids: [id] })).toMatchObject({ status: 404 });
  });

  it("deletes a cluster that only deleted DUs still name", async () => {
    const id = await make();
    const [du] = await makeDus(db.owner, project.id, [{}], project.flow);
    await call(td, "cluster/assign", { duIds: [du], clusterId: id });
    await db.owner`update du set deleted_at = now() where id = ${du!}`;
    expect((await call(td, "cluster/delete", { ids: [id] })).data).toEqual({ deleted: 1, removed: 0 });
  });
});

describe("cluster/view [MDV-08]", () => {
  const view = async (id: number, user = td) => (await call(user, "cluster/view", { clusterIds: [id] })).data.clusters[0];
  const slot = 5;

  it("counts done DUs of the cutover activity, names the missing ones and draws the curve", async () => {
    const id = await make({ completionRate: 75, cutoverActivityId: install() });
    const ids = await makeDus(
      db.owner,
      project.id,
      [
        { code: "V-1", plan: { [slot]: { plan_end: "2026-10-12", actual_end: "2026-10-13" } } },
        { code: "V-2", plan: { [slot]: { plan_end: "2026-10-12", actual_end: "2026-10-12" } } },
        { code: "V-3", plan: { [slot]: { plan_end: "2026-10-20" } } },
        // NA: planned and done count for nothing there.
        { code: "V-4", plan: { [slot]: { plan_end: "2026-10-12", actual_end: "2026-10-12", state: 3 } } },
      ],
      project.flow,
    );
    await db.owner`update customer_site s set longitude = 121 + (du.id % 2), latitude = 31 + (du.id % 3) from du where du.site_id = s.id and du.id = any(${ids})`;
    await call(td, "cluster/assign", { duIds: ids, clusterId: id });
    const found = await view(id);
    expect(found).toMatchObject({ total: 4, done: 2, rate: 50, ready: false, needed: 1, missingCount: 2, cutoverActivity: "Install" });
    expect(found.missing.map((du: { code: string; planEnd: string | null }) => [du.code, du.planEnd])).toEqual([
      ["V-3", "2026-10-20"],
      ["V-4", null],
    ]);
    expect(found.curve).toEqual([
      { day: "2026-10-12", planned: 2, actual: 1 },
      { day: "2026-10-13", planned: 2, actual: 2 },
      { day: "2026-10-20", planned: 3, actual: 2 },
    ]);
    expect(found.hull.length).toBeGreaterThan(2);
    const outline = [
      [1, 1],
      [2, 1],
      [2, 2],
    ];
    await db.owner`update cluster set polygon = ${db.owner.json(outline)} where id = ${id}`;
    expect((await view(id)).hull).toEqual(outline);
  });

  it("is not measured without a cutover activity, and not ready without DUs", async () => {
    const id = await make({ completionRate: 0 });
    expect(await view(id)).toMatchObject({ total: 0, rate: null, ready: false });
    await call(td, "cluster/assign", { duIds: await makeDus(db.owner, project.id, [{}], project.flow), clusterId: id });
    expect(await view(id)).toMatchObject({ total: 1, done: null, needed: null, rate: null, ready: false, missing: [], curve: [] });
  });

  it("tells rates and no numbers to whom numbers of DUs are hidden", async () => {
    const id = await make({ completionRate: 50, cutoverActivityId: install() });
    const plan = { [slot]: { plan_end: "2026-10-12", actual_end: "2026-10-13" } };
    await call(td, "cluster/assign", { duIds: await makeDus(db.owner, project.id, [{ plan }, {}], project.flow), clusterId: id });
    await db.owner`insert into role_permission (project_id, role, code, scope) values (${project.id}, 'CUSTOMER', 'cluster.view', 'Y')`;
    const customer = await makeMember(db.owner, project.id, "CUSTOMER");
    expect(await view(id, customer)).toMatchObject({
      total: null,
      done: null,
      needed: null,
      missingCount: null,
      missing: [],
      curve: [],
      rate: 50,
      ready: true,
    });
    const rows = (await call(customer, "cluster/list/1/50/default/%5B%5D")).data.records;
    expect(rows.every((row: { duCount: number | null }) => row.duCount === null)).toBe(true);
  });
});

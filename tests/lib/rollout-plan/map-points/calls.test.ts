import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { mapDusMax, pointStatuses, unlocatedMax } from "#lib/rollout-plan/map-points/limits.ts";
import { unpackPoints } from "#lib/rollout-plan/map-points/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call, install } = planCalls(db, project);
let ids: number[];
let customer: CtxUser;

/** Seven DUs, one of each status; the first has no flow, the last no coordinates. */
beforeAll(async () => {
  const [first] = await makeDus(db.owner, project.id, [{ code: "MAP-0" }]);
  const rest = await makeDus(
    db.owner,
    project.id,
    [
      { code: "MAP-1", plan: Object.fromEntries([1, 2, 3, 4, 5].map((slot) => [slot, { state: 3 }])) },
      { code: "MAP-2", plan: { 5: { plan_end: "2026-10-13" } } },
      { code: "MAP-3", plan: { 5: { plan_end: "2026-10-20" } } },
      { code: "MAP-4", plan: { 5: { plan_end: "2026-11-20" } } },
      { code: "MAP-5", plan: { 5: { plan_end: "2026-10-12", actual_end: "2026-10-13" } } },
      { code: "MAP-6" },
      { code: "MAP-7" },
    ],
    project.flow,
  );
  ids = [first!, ...rest];
  await db.owner`
    update customer_site s set longitude = case du.code when 'MAP-0' then -179.5 else 121.473701 end, latitude = case du.code when 'MAP-7' then null else 31.230416 end
    from du where du.site_id = s.id and du.code like 'MAP-%'`;
  customer = await makeMember(db.owner, project.id, "CUSTOMER");
});

const ask = async (input: Record<string, unknown> = {}, user = project.viewer) => {
  const { queryId } = (await call(user, "wbs/filter", { search: { field: "code", text: "MAP-" }, view: "map" })).data;
  return { queryId, answer: await call(user, "rolloutPlan/map", { queryId, ...input }) };
};
const statusesOf = (points: Parameters<typeof unpackPoints>[0]) =>
  Object.fromEntries([...unpackPoints(points).statuses].map((code, at) => [unpackPoints(points).ids[at], pointStatuses[code]]));

describe("rolloutPlan/map [RPL-04]", () => {
  it("gives every DU that has coordinates with its status, and names those that have none", async () => {
    const { answer } = await ask();
    const points = unpackPoints(answer.data.points);
    expect([...points.ids]).toEqual(ids.slice(0, 7));
    expect([...points.xs].slice(0, 2)).toEqual([-179_500_000, 121_473_701]);
    expect([...points.ys].slice(0, 2)).toEqual([31_230_416, 31_230_416]);
    expect([...points.statuses].map((code) => pointStatuses[code])).toEqual([
      "noFlow",
      "notApplicable",
      "delayed",
      "within7",
      "after7",
      "notPlanned",
      "notPlanned",
    ]);
    expect(answer.data.unlocated).toEqual([{ duId: ids[7], code: "MAP-7", name: "Name of MAP-7" }]);
    expect(answer.data.unlocatedCount).toBe(1);
  });

  it("is coloured by one chosen activity instead", async () => {
    const { answer } = await ask({ activityId: install() });
    expect(Object.values(statusesOf(answer.data.points))).toEqual([
      "noFlow",
      "na",
      "delayed",
      "within7",
      "after7",
      "completed",
      "notPlanned",
    ]);
    expect((await ask({ activityId: 999_999 })).answer).toMatchObject({ status: 404 });
  });

  it("answers 304 without a body to who holds the same change number, and anew after a change", async () => {
    const { queryId, answer } = await ask();
    const { seq } = answer.data;
    expect(await call(project.viewer, "rolloutPlan/map", { queryId, seq })).toMatchObject({ status: 304, code: "NOT_MODIFIED" });
    await call(project.pm, "rolloutPlan/save", {
      edits: [{ duId: ids[6], activityId: install(), field: "planEnd", value: "2026-10-15", base: null }],
    });
    const after = await call(project.viewer, "rolloutPlan/map", { queryId, seq });
    expect(after.status).toBe(200);
    expect(statusesOf(after.data.points)[ids[6]!]).toBe("within7");
  });

  it("tells no numbers to whom they are hidden, and nothing of an unknown query", async () => {
    const { answer } = await ask({}, customer);
    expect(answer.data.points.count).toBe(7);
    expect(answer.data.unlocatedCount).toBeNull();
    expect(await call(project.viewer, "rolloutPlan/map", { queryId: randomUUID() })).toMatchObject({ status: 410, code: "QUERY_EXPIRED" });
  });

  it("names at most so many DUs without coordinates, and counts all", async () => {
    await db.owner`insert into customer_site (project_id, code, name) select ${project.id}, 'BARE-' || n, 'Bare' from generate_series(1, ${unlocatedMax + 1}) n`;
    await db.owner`
      with made as (insert into du (project_id, code, name, site_id) select project_id, code, name, id from customer_site where code like 'BARE-%' returning id, project_id)
      insert into du_plan (du_id, project_id) select id, project_id from made`;
    const { queryId } = (await call(project.viewer, "wbs/filter", { search: { field: "code", text: "BARE-" }, view: "map" })).data;
    const { data } = await call(project.viewer, "rolloutPlan/map", { queryId });
    expect(data.unlocated).toHaveLength(unlocatedMax);
    expect(data.unlocatedCount).toBe(unlocatedMax + 1);
    expect(data.points.count).toBe(0);
  });

  it("describes the DUs of a list, at most so many at once", async () => {
    const { data } = await call(project.viewer, "rolloutPlan/map/dus", { duIds: [ids[2], ids[0], 999_999] });
    expect(data.map((du: { code: string }) => du.code)).toEqual(["MAP-2", "MAP-0"]);
    const many = (count: number) => Array.from({ length: count }, (_, n) => 900_000 + n);
    expect((await call(project.viewer, "rolloutPlan/map/dus", { duIds: many(mapDusMax) })).status).toBe(200);
    expect((await call(project.viewer, "rolloutPlan/map/dus", { duIds: many(mapDusMax + 1) })).problems?.[0]).toMatchObject({
      code: "TOO_MANY_DU",
      params: { max: mapDusMax },
    });
  });
});

describe("a stored selection as a question", () => {
  const store = (user: CtxUser, key: string, duIds: number[]) =>
    call(user, `wbs/batchInsertStorageDuForWeb/${key}`, { kind: "map", duIds });
  const found = async (user: CtxUser, selection: string) => call(user, "wbs/filter", { selection, ids: true });

  it("finds its DUs, is one's own, and follows what is stored under its key", async () => {
    await store(project.viewer, "lasso", [ids[2]!, ids[1]!]);
    expect((await found(project.viewer, "lasso")).data.duIds).toEqual([ids[1], ids[2]]);
    expect(await found(project.pm, "lasso")).toMatchObject({ status: 410, code: "SELECTION_EXPIRED" });
    // The same key of somebody else with the same rights, and another selection under the key, are other questions.
    await store(project.pm, "lasso", [ids[3]!]);
    expect((await found(project.pm, "lasso")).data.duIds).toEqual([ids[3]]);
    await db.owner`update du_selection set du_ids = ${[ids[4]!]}, expires_at = expires_at + interval '1 second' where user_id = ${project.pm.id}`;
    expect((await found(project.pm, "lasso")).data.duIds).toEqual([ids[4]]);
  });
});

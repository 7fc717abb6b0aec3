import { beforeAll, describe, expect, it } from "vitest";
import { clock, useDatabase } from "#tests/support/database.ts";
import { makeDus } from "#tests/support/plan-factories.ts";
import { planCalls, usePlanProject } from "#tests/support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let dus: number[];

beforeAll(async () => {
  dus = await makeDus(
    db.owner,
    project.id,
    [{ plan: { 5: { plan_end: "2026-12-20" } } }, { plan: { 5: { plan_end: "2026-12-01" } } }, {}],
    project.flow,
  );
  await makeDus(db.owner, project.id, [{}]);
  const [region] = await db.owner<
    { id: number }[]
  >`insert into delivery_region (project_id, name) values (${project.id}, 'North') returning id`;
  await db.owner`
    update du set region_id = ${region!.id}, work_type = 'install', rfi_priority = 3, eomonth = '2028-02', allow_direct_moving = true,
      direct_migration_site_id = (select site_id from du where id = ${dus[1]!}), decom_site_id = site_id where id = ${dus[0]!}`;
  await db.owner`update du_plan set ic_actual_end = 9800 where du_id = ${dus[0]!}`;
});

type Row = { duId: number } & Record<string, unknown>;
const rowsOf = async (versionId: number) =>
  (
    (
      await call(project.pm, "nc/duConfig/find/list", {
        page: 1,
        size: 50,
        filters: [{ field: "versionId", type: "eq", values: [versionId] }],
      })
    ).data as { records: Row[] }
  ).records;

describe("DUs of the rollout plan", () => {
  it("make a first version with settings, DUs and the activities of their flows [ENG-18]", async () => {
    const made = await call(project.pm, "engine/version/createFromPlan", { versionName: "First" });
    const { id, ...taken } = made.data as { id: number };
    expect(taken).toEqual({ dus: { added: 3, changed: 0, skipped: 1 }, activities: { flows: 1, added: 5, changed: 0, removed: 0 } });
    expect((await rowsOf(id)).map(({ duId }) => duId)).toEqual(dus);
    expect((await call(project.pm, "engine/setting/find", { versionId: id })).data).toMatchObject({
      rowVersion: 1,
      planStartDate: clock.toISOString().slice(0, 10),
    });
    expect((await call(project.pm, "engine/version/createFromPlan", { versionName: "First" })).code).toBe("NAME_EXISTS");
    expect((await call(project.pm, "engine/version/createFromPlan", { versionName: "None", duIds: [999_999] })).code).toBe("DU_EMPTY");
  });

  it("come with what DU and plan say of them, and are taken anew on request [ENG-10]", async () => {
    const { id } = (await call(project.pm, "engine/version/save", { versionName: "Some" })).data as { id: number };
    const take = (more: Record<string, unknown> = {}) =>
      call(project.pm, "nc/duConfig/takeFromPlan", { versionId: id, duIds: [dus[0]], ...more });
    expect((await take()).data).toEqual({ added: 1, changed: 0, skipped: 0 });
    const sites = await db.owner<{ id: number; code: string }[]>`
      select du.id, s.code from du join customer_site s on s.id = du.site_id where du.id = any(${dus}::bigint[]) order by du.id`;
    expect(await rowsOf(id)).toMatchObject([
      {
        duId: dus[0],
        duType: "install",
        customerSite: sites[0]!.code,
        directMigrationSite: sites[1]!.code,
        decomSite: sites[0]!.code,
        allowDirectMoving: true,
        region: "North",
        longitude: 121.47,
        latitude: 31.23,
        rfiPriority: 3,
        planEndDate: "2026-12-20",
        icActualEndDate: "2026-10-31",
        decomActualEndDate: null,
        eomonth: "2028-02-29",
        inScope: true,
      },
    ]);
    await db.owner`update du set rfi_priority = 4 where id = ${dus[0]!}`;
    expect((await take()).data).toEqual({ added: 0, changed: 0, skipped: 0 });
    expect((await take({ refresh: true, duIds: undefined })).data).toEqual({ added: 2, changed: 1, skipped: 1 });
    expect((await rowsOf(id))[0]).toMatchObject({ rfiPriority: 4, rowVersion: 2 });
    expect((await take({ refresh: true })).data).toEqual({ added: 0, changed: 0, skipped: 0 });
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeDus } from "#tests/support/plan-factories.ts";
import { planCalls, usePlanProject } from "#tests/support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let versionId: number;
let dus: number[];
let rows: number[];

const filled = async (address: string, given: Record<string, unknown>[]) => {
  const answer = await call(project.pm, address, { versionId, rows: given });
  expect(answer.status, JSON.stringify(answer.problems ?? answer.msg)).toBe(200);
  return (answer.data as { ids: number[] }).ids;
};
const sites = async (search?: string) =>
  (
    await call(project.pm, "nc/reuseMaterial/find/list", {
      page: 1,
      size: 20,
      filters: [{ field: "kind", type: "eq", values: ["site"] }, ...(search ? [{ field: "search", type: "like", values: [search] }] : [])],
    })
  ).data as { records: Record<string, unknown>[]; total: number };

beforeAll(async () => {
  const { name } = (await db.owner<{ name: string }[]>`select name from activity_flow where id = ${project.flow.id}`)[0]!;
  versionId = ((await call(project.pm, "engine/version/save", { versionName: "V" })).data as { id: number }).id;
  dus = await makeDus(db.owner, project.id, [{}, { plan: { 5: { state: 1 | (1 << 1) } } }, {}], project.flow);
  const du = { workflowName: name, duType: "dismantle" };
  await filled("nc/duConfig/save", [
    { ...du, duId: dus[0], customerSite: "S-1" },
    { ...du, duId: dus[1], customerSite: "S-1" },
    { ...du, duId: dus[2] },
  ]);
  await call(project.pm, "engine/activity/takeFromFlows", { versionId });
  const { records } = (await call(project.pm, "engine/activity/find/list", { page: 1, size: 20 })).data as {
    records: ({ activityName: string } & Record<string, unknown>)[];
  };
  const { slot: _slot, ...install } = records.find(({ activityName }) => activityName === "Install")!;
  await filled("engine/activity/save", [{ ...install, disassembly: true }]);
  rows = await filled("nc/duMaterial/save", [
    { duId: dus[0], itemCode: "ANT", description: "Antenna", decomQty: 4 },
    { duId: dus[0], itemCode: "BOLT", decomQty: 9 },
    { duId: dus[1], itemCode: "ANT", decomQty: 1 },
    { duId: dus[2], itemCode: "ANT", decomQty: 2 },
    { duId: dus[2], itemCode: "ANT", installQty: 2 },
  ]);
  await call(project.pm, "engine/setting/save", { versionId, planStartDate: "2026-11-02", damageRate: 0.1, reuseRate: 0.8 });
  await filled("nc/reuseMaterial/save", [{ itemCode: "ANT", turnaroundDays: 1 }]);
});

describe("nc/reuseMaterial of sites", () => {
  it("lists what is dismantled, with what can be used of it again [ENG-49]", async () => {
    const found = await sites();
    expect(found.total).toBe(4);
    expect(found.records).toMatchObject([
      {
        id: rows[0],
        duId: dus[0],
        customerSite: "S-1",
        itemCode: "ANT",
        description: "Antenna",
        decomQty: 4,
        expectedQty: 2,
        availableDate: null,
      },
      { itemCode: "BOLT", expectedQty: null },
      { duId: dus[1], expectedQty: 0 },
      { duId: dus[2], customerSite: null, expectedQty: 1 },
    ]);
    expect((await sites("bolt")).total).toBe(1);
    const items = (await call(project.pm, "nc/reuseMaterial/find/list", { page: 1, size: 20 })).data as { records: unknown[] };
    expect(items.records).toMatchObject([{ itemCode: "ANT", turnaroundDays: 1 }]);
  });

  it("says from when, by the last plan and the working days behind it", async () => {
    const { name } = (await db.owner<{ name: string }[]>`select name from activity_flow where id = ${project.flow.id}`)[0]!;
    const [run] = await db.owner<{ id: number }[]>`
      insert into engine_run (project_id, version_id, status, phase, has_output, snapshot_sha256, code_version, seed, evaluation_limit, time_budget_s, islands,
        former_status, plan_start_date, started_at, heartbeat_at, requested_by_id, created_at)
      values (${project.id}, ${versionId}, 'success', 'done', true, repeat('0', 64), '1', 1, 1, 1, 1, 'setting', '2026-11-02', now(), now(), ${project.pm.id}, now()) returning id`;
    await db.owner`insert into engine_run_flow (run_id, project_id, workflow_name, activity_names, slots) values (${run!.id}, ${project.id}, ${name}, '{Survey,Install}', '{1,5}')`;
    // A Friday: the turnaround is the Monday, the material is there on Tuesday.
    const end = dayNumber("2026-11-06");
    await db.owner`
      insert into engine_out_du (run_id, project_id, du_id, workflow_name, rank, starts, ends, pools, teams, bindings, binding_refs, fixed, late_days, has_gap)
      values (${run!.id}, ${project.id}, ${dus[0]!}, ${name}, 0, ${[end + 9, end]}::smallint[], ${[end + 9, end]}::smallint[], '{0,0}', '{0,0}', '{0,0}', '{0,0}', '00', 0, false)`;
    expect((await sites()).records.map(({ availableDate }) => availableDate)).toEqual(["2026-11-10", null, null, null]);
  });

  it("makes the work order of the disassembly of one site, and of one site only [ENG-38]", async () => {
    const make = (...ids: (number | undefined)[]) => call(project.pm, "nc/reuseMaterial/createDismantleTask", { ids });
    expect((await make()).problems?.[0]?.code).toBe("NO_SELECTION");
    expect((await make(rows[0], rows[3])).code).toBe("DIFFERENT_SITE");
    // Without a site nothing says that it is the same one.
    expect((await make(rows[3])).code).toBe("DIFFERENT_SITE");
    expect((await make(rows[4])).code).toBe("NOT_FOUND");
    // The disassembly of the second DU is not applicable.
    const refused = await make(rows[0], rows[2]);
    expect([refused.code, refused.problems?.map(({ path }) => path)]).toEqual(["NO_ACTIVITY", ["ids.1"]]);
    expect(await db.owner`select 1 from work_order where project_id = ${project.id}`).toEqual([]);
    const made = await make(rows[0], rows[1]);
    const orders = await db.owner`select id, du_id, slot, status, assignee_id from work_order where project_id = ${project.id}`;
    expect(orders).toMatchObject([{ du_id: dus[0], slot: 5, status: "scheduled", assignee_id: null }]);
    expect(made.data).toEqual({ workOrderIds: [orders[0]!.id] });
    expect((await make(rows[0])).data).toEqual(made.data);
    expect((await call(project.pm, `workOrder/find/${orders[0]!.id}`)).data).toMatchObject({ id: orders[0]!.id, duId: dus[0] });
  });
});

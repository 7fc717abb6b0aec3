import { beforeAll, describe, expect, it } from "vitest";
import { shareMax } from "#lib/regions/limits.ts";
import { useDatabase } from "../../support/database.ts";
import { meanwhile } from "../../support/meanwhile.ts";
import { makeDus } from "../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);

type Row = {
  id: number;
  name: string;
  percentage: number;
  status: string;
  duCount: number;
  sortNo: number;
  networkRegions: { id: number }[];
  uses: { kind: string; count: number }[];
  rowVersion: number;
};
const list = async () => (await call(project.viewer, "deliveryRegion/list")).data as Row[];
const named = async (name: string) => (await list()).find((row) => row.name === name) as Row;
const save = (regions: Record<string, unknown>[]) =>
  call(project.pm, "deliveryRegion/save", { regions: regions.map((region, at) => ({ sortNo: at + 1, networkRegionIds: [], ...region })) });
const addNetwork = async (name: string) => (await call(project.pm, "networkRegion/save", { name })).data.id as number;
const refreshed = (row: Row, more: Record<string, unknown> = {}) => ({
  id: row.id,
  name: row.name,
  sortNo: row.sortNo,
  networkRegionIds: row.networkRegions.map(({ id }) => id),
  rowVersion: row.rowVersion,
  ...more,
});

let north: number;
let south: number;

beforeAll(async () => {
  [north, south] = [await addNetwork("NR North"), await addNetwork("NR South")];
  await save([
    { name: "North", networkRegionIds: [north] },
    { name: "South", networkRegionIds: [south] },
  ]);
});

describe("deliveryRegion/save and list", () => {
  it("keeps a region with its name, network regions and share [REG-03]", async () => {
    expect(await named("North")).toMatchObject({
      percentage: 0,
      status: "ACTIVE",
      duCount: 0,
      networkRegions: [{ id: north, name: "NR North" }],
    });
  });

  it("refuses a name that is there already, whatever its case, and no name [REG-04]", async () => {
    const repeat = await save([{ name: " NORTH " }]);
    expect(repeat).toMatchObject({ code: "REGION_REPEAT", msg: "Delivery Region Repeat: NORTH", problems: [{ path: "regions.0.name" }] });
    expect((await save([{ name: "Twin" }, { name: "twin" }])).code).toBe("REGION_REPEAT");
    expect((await save([{ name: " " }])).problems?.[0]?.code).toBe("NAME_REQUIRED");
    expect((await save([{ name: "x".repeat(101) }])).problems?.[0]?.code).toBe("NAME_TOO_LONG");
    const [first, second] = [await named("North"), await named("South")];
    const swapped = await save([refreshed(first, { name: "South" }), refreshed(second, { name: "North" })]);
    expect(swapped.data.ids).toEqual([first.id, second.id]);
    const back = await save([refreshed(await named("South"), { name: "North" }), refreshed(await named("North"), { name: "South" })]);
    expect(back.status).toBe(200);
  });

  it("refuses a save after which a network region is mapped to nothing, or to two [REG-05]", async () => {
    const extra = await addNetwork("NR Extra");
    const refused = await save([{ name: "East" }]);
    expect(refused).toMatchObject({ code: "NETWORK_REGION_UNMAPPED", data: { names: ["NR Extra"] } });
    const twice = await save([
      { name: "East", networkRegionIds: [extra] },
      { name: "West", networkRegionIds: [extra] },
    ]);
    expect(twice.code).toBe("NETWORK_REGION_TWICE");
    expect((await save([refreshed(await named("North"), { networkRegionIds: [extra] })])).data).toMatchObject({ names: ["NR North"] });
    expect((await save([refreshed(await named("North"), { networkRegionIds: [north, extra] })])).status).toBe(200);
    expect((await call(project.pm, "networkRegion/list", { keyword: "extra" })).data).toMatchObject([
      { name: "NR Extra", region: "North", source: "MANUAL" },
    ]);
    // What one region takes another loses, named or not.
    await save([refreshed(await named("South"), { networkRegionIds: [south, extra] })]);
    expect((await named("North")).networkRegions.map(({ id }) => id)).toEqual([north]);
    const row = await named("South");
    expect((await save([{ ...refreshed(row), rowVersion: row.rowVersion - 1 }])).code).toBe("STALE");
  });
});

describe("deliveryRegion/saveShare", () => {
  const share = async (percentages: number[]) =>
    call(project.pm, "deliveryRegion/saveShare", {
      shares: (await list()).map(({ id, rowVersion }, at) => ({ id, rowVersion, percentage: percentages[at] })),
    });

  it("sets the shares of all regions together when they sum to 100.00 exactly [REG-06]", async () => {
    expect(await share([60, 39.99])).toMatchObject({ code: "PERCENT_SUM", msg: "The shares must sum to 100.00, not 99.99" });
    expect((await share([60.001, 39.999])).problems?.[0]).toMatchObject({ code: "PERCENT_RANGE", params: { max: shareMax } });
    expect((await share([-1, 101])).problems?.map(({ code }) => code)).toEqual(["PERCENT_RANGE", "PERCENT_RANGE"]);
    const rows = await list();
    const missing = await call(project.pm, "deliveryRegion/saveShare", {
      shares: [{ id: rows[0]!.id, rowVersion: rows[0]!.rowVersion, percentage: 100 }],
    });
    expect(missing).toMatchObject({ code: "REGION_MISSING", msg: "No share is given for: South" });
    expect((await share([60.01, 39.99])).status).toBe(200);
    expect((await list()).map(({ percentage }) => percentage)).toEqual([60.01, 39.99]);
    expect((await share([0, 100])).status).toBe(200);
    expect((await share([60, 40])).status).toBe(200);
    expect((await call(project.viewer, "deliveryRegion/saveShare", { shares: [] })).status).toBe(403);
  });
});

describe("deliveryRegion/setStatus and delete", () => {
  it("takes a region out of use once nothing is mapped to it, its share going to the others in the same call", async () => {
    await save([{ name: "Old" }]);
    const old = await named("Old");
    const rest = await list();
    await call(project.pm, "deliveryRegion/saveShare", {
      shares: rest.map(({ id, rowVersion, name }) => ({ id, rowVersion, percentage: name === "Old" ? 20 : 40 })),
    });
    const set = async (more: Record<string, unknown> = {}) =>
      call(project.pm, "deliveryRegion/setStatus", {
        id: old.id,
        status: "INVALID",
        confirm: true,
        rowVersion: (await named("Old")).rowVersion,
        ...more,
      });
    expect((await set({ confirm: false })).code).toBe("CONFIRM_REQUIRED");
    expect((await set()).code).toBe("PERCENT_SUM");
    const others = (await list()).filter(({ name }) => name !== "Old");
    const shares = others.map(({ id, rowVersion }) => ({ id, rowVersion, percentage: 50 }));
    await db.owner`
      insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
      values (${project.id}, 'FLOW_RULE', 1, 'REGION', ${old.id}, 'FILTER')`;
    expect((await set({ shares })).status).toBe(200);
    // The rules that name it are looked at again.
    const queued = await db.owner`select kind, params from task where project_id = ${project.id}`;
    expect(queued).toMatchObject([{ kind: "activityFlows.recheck", params: { targetKind: "REGION", targetIds: [old.id] } }]);
    await db.owner`delete from config_ref where project_id = ${project.id}`;
    expect(await named("Old")).toMatchObject({ status: "INVALID", percentage: 0 });
    expect((await save([refreshed(await named("Old"), { networkRegionIds: [north] })])).code).toBe("REGION_INVALID");
    const kept = await makeDus(db.owner, project.id, [{ regionId: old.id }, {}]);
    const edit = async (duId: number, more: Record<string, unknown>) => {
      const version = (await db.owner`select row_version as version from du where id = ${duId}`)[0]!.version;
      return call(project.pm, "du/save", { rows: [{ id: duId, rowVersion: version, ...more }] });
    };
    expect((await edit(kept[0]!, { regionId: old.id, name: "Still there" })).status).toBe(200);
    expect((await edit(kept[1]!, { regionId: old.id })).code).toBe("REGION_UNKNOWN");
    expect((await set({ status: "ACTIVE" })).status).toBe(200);
    expect(await named("Old")).toMatchObject({ status: "ACTIVE", percentage: 0 });
  });

  it("refuses to delete a region something names, with what it is [REG-07]", async () => {
    const old = await named("Old");
    const refused = await call(project.pm, "deliveryRegion/delete", { ids: [old.id] });
    expect(refused).toMatchObject({ code: "REGION_REFERENCED", msg: "Delivery Region referenced, cannot be deleted: Old (DU 1)" });
    await db.owner`update du set region_id = null where region_id = ${old.id}`;
    await db.owner`insert into cluster (project_id, name, region_id, priority, color) values (${project.id}, 'C', ${old.id}, 1, 'c1')`;
    await db.owner`insert into region_owner (region_id, user_id) values (${old.id}, ${project.pm.id})`;
    expect((await named("Old")).uses).toEqual(
      expect.arrayContaining([
        { kind: "cluster", count: 1 },
        { kind: "region_owner", count: 1 },
      ]),
    );
    await db.owner`delete from cluster where region_id = ${old.id}`;
    await db.owner`delete from region_owner where region_id = ${old.id}`;
    const [from, to] = project.activities.map(({ id }) => id) as [number, number];
    const configured: [address: string, input: object][] = [
      [
        "planAutoRule/save",
        {
          name: "Old ones",
          ruleType: "ACT_TO_ACT",
          flowId: project.flow.id,
          duFilter: [{ field: "region", type: "in", values: [String(old.id)] }],
          actions: [{ sources: [{ k: "ACT", a: from, f: "ACTUAL_END" }], target: { k: "ACT", a: to, f: "PLAN_END" } }],
        },
      ],
      [
        "emailAuto/addAndEditRule",
        {
          name: "Old ones",
          type: "ACT_DEVIATION",
          activityIds: [from],
          deviationDays: 1,
          frequency: { kind: "DAILY" },
          validBegin: "2026-10-14T00:00",
          validEnd: "2026-12-31T00:00",
          sendTime: "08:00",
          sendRange: "REGION",
          regionIds: [old.id],
          receivers: { userIds: [project.pm.id] },
        },
      ],
      [
        "template/basic/save",
        {
          kind: "filter",
          name: "Old ones",
          objectType: "project",
          gridKey: "plan",
          isPublic: false,
          body: { filters: [{ key: "region", type: "in", values: [String(old.id)] }], sort: [] },
        },
      ],
    ];
    for (const [at, [address, input]] of configured.entries()) {
      expect(await call(project.pm, address, input), address).toMatchObject({ status: 200 });
      expect(await call(project.pm, "deliveryRegion/delete", { ids: [old.id] }), address).toMatchObject({
        code: "REGION_REFERENCED",
        msg: `Delivery Region referenced, cannot be deleted: Old (Other configuration ${at + 1})`,
      });
    }
    await db.owner`delete from config_ref where project_id = ${project.id}`;
    expect((await call(project.pm, "deliveryRegion/delete", { ids: [(await named("North")).id] })).msg).toMatch(
      /Network regions 1, Share % 50/,
    );
    expect((await call(project.pm, "deliveryRegion/delete", { ids: [old.id] })).data).toEqual({ deleted: 1 });
    expect(await named("Old")).toBeUndefined();
  });
});

describe("a region and DUs", () => {
  const make = async (name: string) => {
    const [made] = await db.owner<
      { id: number }[]
    >`insert into delivery_region (project_id, name) values (${project.id}, ${name}) returning id`;
    return made!.id;
  };

  it("stays where a DU is put into it meanwhile", async () => {
    const id = await make("Entered");
    const [du] = await makeDus(db.owner, project.id, [{}], project.flow);
    const answer = await meanwhile(
      db,
      (sql) => sql`update du set region_id = ${id} where id = ${du!}`,
      () => call(project.pm, "deliveryRegion/delete", { ids: [id] }),
    );
    expect(answer).toMatchObject({ code: "REGION_REFERENCED" });
  });

  it("takes no DU in where it is deleted meanwhile", async () => {
    const id = await make("Left");
    const [du] = await makeDus(db.owner, project.id, [{}], project.flow);
    await meanwhile(
      db,
      async (sql) => {
        await sql`select 1 from delivery_region where id = ${id} for update`;
        await sql`update delivery_region set deleted_at = now() where id = ${id}`;
      },
      () => call(project.pm, "rolloutPlan/save", { edits: [{ duId: du!, field: "region", value: id, base: null }] }),
    );
    expect(await db.owner`select region_id from du where id = ${du!}`).toEqual([{ region_id: null }]);
  });
});

describe("networkRegion/save and delete", () => {
  it("refuses a name that is there and the deletion of one a DU came by", async () => {
    expect((await call(project.pm, "networkRegion/save", { name: "nr north" })).code).toBe("NAME_EXISTS");
    const [du] = await makeDus(db.owner, project.id, [{}]);
    const id = await addNetwork("NR Far");
    await db.owner`update du set network_region_id = ${id} where id = ${du!}`;
    expect(await call(project.pm, "networkRegion/delete", { ids: [id] })).toMatchObject({
      code: "IN_USE",
      msg: "Referenced, cannot be deleted: NR Far (1 DU)",
    });
    await db.owner`update du set network_region_id = null where id = ${du!}`;
    expect((await call(project.pm, "networkRegion/delete", { ids: [id] })).data).toEqual({ deleted: 1 });
    expect((await call(project.viewer, "networkRegion/save", { name: "no" })).status).toBe(403);
  });

  it("refuses the deletion of one a DU comes by at that moment", async () => {
    const [du] = await makeDus(db.owner, project.id, [{}]);
    const id = await addNetwork("NR Near");
    const answer = await meanwhile(
      db,
      (sql) => sql`update du set network_region_id = ${id} where id = ${du!}`,
      () => call(project.pm, "networkRegion/delete", { ids: [id] }),
    );
    expect(answer).toMatchObject({ code: "IN_USE", msg: expect.stringContaining("NR Near (1 DU)") });
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { planCalls, usePlanProject } from "#tests/support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let versionId: number;

beforeAll(async () => {
  versionId = ((await call(project.pm, "engine/version/save", { versionName: "V" })).data as { id: number }).id;
});

type Row = { id: number; rowVersion: number; name: string; priority: number };
const list = async () =>
  ((await call(project.pm, "nc/centerWarehouse/find/list", { page: 1, size: 20 })).data as { records: Row[] }).records;
const save = (rows: Record<string, unknown>[]) => call(project.pm, "nc/centerWarehouse/save", { rows });
const remove = (given: Record<string, unknown>) => call(project.pm, "nc/centerWarehouse/delete", given);
const idOf = async (name: string) => (await list()).find((row) => row.name === name)!.id;
const stock = (warehouseId: number, origin: string) => db.owner`
  insert into engine_inventory (project_id, version_id, warehouse_id, item_code, inventory_qty, origin, created_by, created_at, updated_by, updated_at)
  values (${project.id}, ${versionId}, ${warehouseId}, 'ANT', 1, ${origin}, ${project.pm.id}, now(), ${project.pm.id}, now())`;

describe("nc/centerWarehouse", () => {
  it("lists and saves name, principal name, priority, type and region [ENG-13] [ENG-52] [ENG-53]", async () => {
    const rows = [
      { name: "Main", principalName: "Hub", priority: 1, type: "central", region: null },
      { name: "North", principalName: null, priority: 2, type: "regional", region: "North" },
      { name: "South", priority: 3, type: "regional", region: "South" },
    ];
    expect((await save(rows)).status).toBe(200);
    const stored = await list();
    expect(stored).toMatchObject(rows);
    const { id, rowVersion } = stored[2]!;
    expect((await save([{ ...rows[2], id, rowVersion, priority: 4 }])).status).toBe(200);
    expect((await list())[2]).toMatchObject({ priority: 4, rowVersion: 2 });
  });

  it("asks for the region of a regional one alone, a positive priority and a name of its own", async () => {
    const row = { name: "East", priority: 1 };
    const problem = async (given: Record<string, unknown>) => (await save([given])).problems?.[0];
    expect(await problem({ ...row, type: "regional" })).toMatchObject({ path: "rows.0.region", code: "VALUE_MISSING" });
    expect(await problem({ ...row, type: "central", region: "North" })).toMatchObject({ path: "rows.0.region", code: "VALUE_UNKNOWN" });
    expect((await problem({ ...row, type: "central", priority: 0 }))?.path).toBe("rows.0.priority");
    expect((await save([{ ...row, name: "MAIN", type: "central" }])).code).toBe("NAME_EXISTS");
  });

  it("is offered as a list, by type [ENG-58]", async () => {
    const names = async (input: Record<string, unknown>) =>
      ((await call(project.pm, "commomUtil/getWarehouseList", input)).data as Row[]).map(({ name }) => name);
    expect(await names({})).toEqual(["Main", "North", "South"]);
    expect(await names({ type: "regional" })).toEqual(["North", "South"]);
  });

  it("stays while stock was added to it by hand [ENG-35]", async () => {
    const main = await idOf("Main");
    await stock(main, "addition");
    expect(await remove({ ids: [main, await idOf("North")], confirm: true })).toMatchObject({
      code: "WAREHOUSE_IN_ADDITIONS",
      msg: expect.stringContaining("Main"),
    });
    expect((await list()).length).toBe(3);
  });

  it("takes stock that was synchronised into it along, once that is confirmed [ENG-36] [ENG-54]", async () => {
    const north = await idOf("North");
    await stock(north, "sync");
    await stock(north, "sync");
    const rows = async () => Number((await db.owner`select count(*) from engine_inventory where project_id = ${project.id}`)[0]!.count);
    expect(await remove({ ids: [north] })).toMatchObject({ code: "CONFIRM_REQUIRED", data: { syncRows: 2 } });
    expect(await rows()).toBe(3);
    expect((await remove({ ids: [north], confirm: true })).data).toEqual({ deleted: 1 });
    expect(await rows()).toBe(1);
    expect((await list()).map(({ name }) => name)).toEqual(["Main", "South"]);
    expect((await remove({ ids: [north] })).code).toBe("NOT_FOUND");
  });

  it("changes the inputs of the versions that plan with its stock, and of no other", async () => {
    const changed = async (name: string) => {
      await db.owner`update engine_plan_version set inputs_changed_at = '2020-01-01' where id = ${versionId}`;
      const { id, rowVersion, priority } = (await list()).find((row) => row.name === name)!;
      expect(
        (
          await save([
            {
              id,
              rowVersion,
              name,
              type: name === "Main" ? "central" : "regional",
              region: name === "Main" ? null : name,
              priority: priority + 5,
            },
          ])
        ).status,
      ).toBe(200);
      return (await db.owner`select inputs_changed_at > '2020-01-02' as changed from engine_plan_version where id = ${versionId}`)[0]!
        .changed;
    };
    expect([await changed("Main"), await changed("South")]).toEqual([true, false]);
  });

  it("has names in other systems, one warehouse for each", async () => {
    const mapped = (sourceCode: string, warehouseId: number) =>
      call(project.pm, "nc/warehouseMapping/save", { rows: [{ sourceSystem: "WMS", sourceCode, warehouseId }] });
    const south = await idOf("South");
    expect((await mapped("S-1", south)).status).toBe(200);
    expect((await mapped("S-1", south)).code).toBe("ENGINE_ROW_REPEAT");
    expect((await mapped("S-2", 999_999)).code).toBe("NOT_FOUND");
    const found = await call(project.pm, "nc/warehouseMapping/find/list", { page: 1, size: 20 });
    expect(found.data).toMatchObject({
      total: 1,
      records: [{ sourceSystem: "WMS", sourceCode: "S-1", warehouseId: south, warehouseName: "South" }],
    });
    expect((await remove({ ids: [south] })).data).toEqual({ deleted: 1 });
    expect((await call(project.pm, "nc/warehouseMapping/find/list", { page: 1, size: 20 })).data).toMatchObject({ total: 0 });
  });
});

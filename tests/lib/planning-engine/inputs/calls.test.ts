import { beforeAll, describe, expect, it } from "vitest";
import { inputRowsMax, itemCodeChars } from "#lib/planning-engine/inputs/limits.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeDus } from "#tests/support/plan-factories.ts";
import { planCalls, usePlanProject } from "#tests/support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let versionId: number;
let duId: number;
let otherId: number;
let warehouseId: number;

beforeAll(async () => {
  versionId = ((await call(project.pm, "engine/version/save", { versionName: "V" })).data as { id: number }).id;
  [duId, otherId] = (await makeDus(db.owner, project.id, [{}, {}])) as [number, number];
  const rows = [{ name: "Main", type: "central", priority: 1 }];
  warehouseId = ((await call(project.pm, "nc/centerWarehouse/save", { rows })).data as { ids: number[] }).ids[0]!;
});

type Row = { id: number; rowVersion: number } & Record<string, unknown>;
const list = async (block: string, filters: unknown[] = []) =>
  (await call(project.pm, `${block}/find/list`, { page: 1, size: 20, filters })).data as { records: Row[]; total: number };
const save = (block: string, rows: Record<string, unknown>[]) => call(project.pm, `${block}/save`, { versionId, rows });
const problem = async (block: string, row: Record<string, unknown>) => {
  const { path, code } = (await save(block, [row])).problems?.[0] ?? {};
  return [path, code];
};

describe("inputs of a version", () => {
  it("lists, saves and deletes the DUs with what the engine asks of them [ENG-10] [ENG-46] [ENG-47] [ENG-48]", async () => {
    const row = {
      duId,
      workflowName: "NEW",
      duType: "both",
      customerSite: "S-1",
      directMigrationSite: "S-0",
      allowDirectMoving: true,
      region: "North",
      longitude: 121.473701,
      latitude: 31.2304,
      cluster: "C1",
      clusterPriority: 2,
      rfiPriority: 1,
      planEndDate: "2026-12-20",
      icActualEndDate: "2026-11-01",
      decomActualEndDate: "2026-11-02",
      decomSite: "S-9",
      inScope: true,
    };
    expect((await save("nc/duConfig", [{ ...row, eomonth: "2028-02-03" }])).status).toBe(200);
    const [stored] = (await list("nc/duConfig")).records as [Row];
    expect(stored).toMatchObject({ ...row, eomonth: "2028-02-29", duCode: expect.any(String), duName: expect.any(String) });
    expect((await save("nc/duConfig", [row])).code).toBe("ENGINE_ROW_REPEAT");
    expect(await problem("nc/duConfig", { duId, workflowName: "NEW", duType: "move" })).toEqual(["rows.0.duType", "VALUE_UNKNOWN"]);
    expect(await problem("nc/duConfig", { ...row, latitude: null })).toEqual(["rows.0.latitude", "VALUE_MISSING"]);
    expect(await problem("nc/duConfig", { ...row, longitude: 180.1 })).toEqual(["rows.0.longitude", "NUMBER_RANGE"]);
    const other = { duId: otherId, workflowName: "NEW", duType: "install", cluster: "C1" };
    expect(await save("nc/duConfig", [{ ...other, clusterPriority: 3 }])).toMatchObject({
      code: "CLUSTER_PRIORITY_UNEQUAL",
      msg: expect.stringContaining("C1"),
    });
    expect((await save("nc/duConfig", [{ ...other, clusterPriority: 2 }])).status).toBe(200);
    expect((await call(project.pm, "nc/duConfig/delete", { ids: [stored.id] })).data).toEqual({ deleted: 1 });
    expect((await list("nc/duConfig")).records).toMatchObject([{ duId: otherId, allowDirectMoving: false, inScope: true, eomonth: null }]);
  });

  it("keeps what DUs give back and need: one quantity in a row [ENG-12] [ENG-23]", async () => {
    const row = { duId, itemCode: "ANT", description: "Antenna", materialCategory: "RF" };
    const saved = await save("nc/duMaterial", [
      { ...row, decomQty: 2.5 },
      { ...row, installQty: 3 },
    ]);
    expect(saved.status).toBe(200);
    expect((await list("nc/duMaterial")).records).toMatchObject([
      { ...row, decomQty: 2.5, installQty: null, duCode: expect.any(String), rowVersion: 1 },
      { ...row, decomQty: null, installQty: 3 },
    ]);
    for (const both of [{}, { decomQty: 1, installQty: 1 }])
      expect(await problem("nc/duMaterial", { ...row, ...both })).toEqual(["rows.0.installQty", "QTY_EXACTLY_ONE"]);
    expect((await save("nc/duMaterial", [{ ...row, installQty: 9 }])).code).toBe("ENGINE_ROW_REPEAT");
    expect(await problem("nc/duMaterial", { ...row, duId: 999_999, installQty: 1 })).toEqual(["rows.0.duId", "NOT_FOUND"]);
  });

  it("keeps stock and what is to come of an item in a warehouse [ENG-14]", async () => {
    const row = { warehouseId, itemCode: "ANT", inventoryQty: 4, planQty: 2, planInboundDate: "2026-11-09" };
    expect((await save("nc/inventory", [row])).status).toBe(200);
    expect((await list("nc/inventory")).records).toMatchObject([{ ...row, warehouseName: "Main", origin: "addition" }]);
  });

  it("refuses stock of which nothing is known, and a plan without its day or the other way round [ENG-24] [ENG-25]", async () => {
    const row = { warehouseId, itemCode: "RRU" };
    expect(await problem("nc/inventory", row)).toEqual(["rows.0.inventoryQty", "INVENTORY_EMPTY"]);
    expect(await problem("nc/inventory", { ...row, planQty: 1 })).toEqual(["rows.0.planInboundDate", "PLAN_QTY_DATE_PAIR"]);
    expect(await problem("nc/inventory", { ...row, inventoryQty: 1, planInboundDate: "2026-11-09" })).toEqual([
      "rows.0.planQty",
      "PLAN_QTY_DATE_PAIR",
    ]);
    expect((await save("nc/inventory", [{ ...row, inventoryQty: 0 }])).status).toBe(200);
    expect((await save("nc/inventory", [{ ...row, planQty: 0, planInboundDate: "2026-11-09" }])).status).toBe(200);
  });

  const substitute = {
    designItemCode: "ANT",
    designDescription: "Antenna",
    designQty: 1,
    designPriority: 1,
    groupName: "G1",
    warehouseItemCode: "ANT-2",
    warehouseDescription: "Antenna 2",
    warehouseQty: 2,
    substitutionPriority: 1,
  };

  it("lists, saves and deletes what may stand in for an item [ENG-15] [ENG-55] [ENG-56] [ENG-57]", async () => {
    const saved = await save("nc/itemSubstitute", [substitute, { ...substitute, warehouseItemCode: "BRACKET" }]);
    expect(saved.status).toBe(200);
    const { records } = await list("nc/itemSubstitute", [{ field: "search", type: "like", values: ["brack"] }]);
    expect(records).toMatchObject([{ ...substitute, warehouseItemCode: "BRACKET" }]);
    expect((await call(project.pm, "nc/itemSubstitute/delete", { ids: [records[0]!.id] })).data).toEqual({ deleted: 1 });
    expect((await list("nc/itemSubstitute")).total).toBe(1);
    expect(await save("nc/itemSubstitute", [{ ...substitute, warehouseItemCode: "CABLE", designQty: 2 }])).toMatchObject({
      code: "SUBSTITUTE_UNEQUAL",
      msg: expect.stringMatching(/G1.*ANT/),
    });
    expect((await list("nc/itemSubstitute")).total).toBe(1);
  });

  it("asks for the quantity of an item that is named [ENG-26]", async () => {
    for (const field of ["designQty", "warehouseQty"]) {
      const { [field]: _left, ...rest } = substitute as Record<string, unknown>;
      expect(await problem("nc/itemSubstitute", rest)).toEqual([`rows.0.${field}`, "VALUE_MISSING"]);
    }
  });

  it("checks every number as what it is [ENG-27]", async () => {
    // A positive whole number, a positive number with two decimals, a number and a whole number that may be 0.
    const site = { duId, workflowName: "NEW", duType: "both" };
    for (const rfiPriority of [0, -1, 1.5])
      expect((await problem("nc/duConfig", { ...site, rfiPriority }))[0], `${rfiPriority}`).toBe("rows.0.rfiPriority");
    expect((await save("nc/duConfig", [{ ...site, rfiPriority: 1 }])).status).toBe(200);
    const teams = { skillType: "INST", resourceName: "North" };
    for (const teamCount of [-1, 1.5])
      expect((await problem("engine/skillResource", { ...teams, teamCount }))[0], `${teamCount}`).toBe("rows.0.teamCount");
    // A team that is lost is a smaller number, down to none.
    expect((await save("engine/skillResource", [{ ...teams, teamCount: 0 }])).status).toBe(200);
    for (const installQty of [0, -1, 0.001])
      expect((await problem("nc/duMaterial", { duId, itemCode: "Q", installQty }))[0], `${installQty}`).toBe("rows.0.installQty");
    expect((await save("nc/duMaterial", [{ duId, itemCode: "Q", installQty: 0.01 }])).status).toBe(200);
    expect(await problem("nc/inventory", { warehouseId, itemCode: "Q", inventoryQty: -0.01 })).toEqual([
      "rows.0.inventoryQty",
      "NUMBER_NEGATIVE",
    ]);
    expect(await problem("nc/inventory", { warehouseId, itemCode: "Q", inventoryQty: 0.001 })).toEqual([
      "rows.0.inventoryQty",
      "NUMBER_DECIMALS",
    ]);
    expect(await problem("nc/reuseMaterial", { itemCode: "Q", turnaroundDays: -1 })).toEqual(["rows.0.turnaroundDays", "NUMBER_NEGATIVE"]);
    expect(await problem("nc/reuseMaterial", { itemCode: "Q", turnaroundDays: 0.5 })).toEqual(["rows.0.turnaroundDays", "NUMBER_INTEGER"]);
  });

  it("lists, saves and deletes material that is used again [ENG-49] [ENG-50] [ENG-51]", async () => {
    const row = { itemCode: "ANT", materialCategory: "RF", damageRate: 0.1, reuseRate: 0.8, bufferRate: 0, turnaroundDays: 1 };
    expect((await save("nc/reuseMaterial", [row, { itemCode: "RRU" }])).status).toBe(200);
    const { records } = await list("nc/reuseMaterial");
    expect(records).toMatchObject([row, { itemCode: "RRU", damageRate: null, turnaroundDays: 0 }]);
    expect(await problem("nc/reuseMaterial", { itemCode: "X", damageRate: 1.1 })).toEqual(["rows.0.damageRate", "NUMBER_RANGE"]);
    expect((await call(project.pm, "nc/reuseMaterial/delete", { ids: records.map(({ id }) => id) })).data).toEqual({ deleted: 2 });
    expect((await list("nc/reuseMaterial")).total).toBe(0);
  });

  it("refuses an action on no row [ENG-31] and a save of nothing new [ENG-32]", async () => {
    expect((await call(project.pm, "nc/inventory/delete", { ids: [] })).problems?.[0]?.code).toBe("NO_SELECTION");
    expect((await save("nc/inventory", [])).problems?.[0]?.code).toBe("NOTHING_MODIFIED");
    const [first] = (await list("nc/inventory")).records as [Row];
    const same = {
      id: first.id,
      rowVersion: first.rowVersion,
      warehouseId,
      itemCode: "ANT",
      inventoryQty: 4,
      planQty: 2,
      planInboundDate: "2026-11-09",
    };
    expect((await save("nc/inventory", [same])).code).toBe("NOTHING_MODIFIED");
    expect((await save("nc/inventory", [{ ...same, inventoryQty: 5 }])).status).toBe(200);
    expect((await save("nc/inventory", [{ ...same, inventoryQty: 6 }])).code).toBe("STALE");
    expect((await save("nc/inventory", [{ ...same, id: 999_999 }])).code).toBe("NOT_FOUND");
  });

  it("notes that the inputs of a version changed, gives new ids in the order of the rows, and keeps to its sizes", async () => {
    await db.owner`update engine_plan_version set inputs_changed_at = '2020-01-01' where id = ${versionId}`;
    const rows = ["B", "A", "C"].map((itemCode) => ({ itemCode }));
    const { ids } = (await save("nc/reuseMaterial", rows)).data as { ids: number[] };
    const stored = (await list("nc/reuseMaterial")).records;
    expect(ids.map((id) => stored.find((row) => row.id === id)?.itemCode)).toEqual(["B", "A", "C"]);
    const [version] = await db.owner`select inputs_changed_at > '2020-01-02' as changed from engine_plan_version where id = ${versionId}`;
    expect(version).toEqual({ changed: true });
    expect(await problem("nc/reuseMaterial", { itemCode: "x".repeat(itemCodeChars + 1) })).toEqual(["rows.0.itemCode", "VALUE_TOO_LONG"]);
    const many = Array.from({ length: inputRowsMax + 1 }, (_, index) => ({ itemCode: `M${index}` }));
    expect((await save("nc/reuseMaterial", many)).problems?.[0]).toMatchObject({
      path: "rows",
      code: "TOO_MANY",
      params: { max: inputRowsMax },
    });
    expect((await save("nc/reuseMaterial", many.slice(1))).status).toBe(200);
  });
});

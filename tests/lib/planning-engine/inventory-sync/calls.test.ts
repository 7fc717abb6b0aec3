import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { listStock } from "#lib/planning-engine/inventory-sync/queries.ts";
import { type StockSandbox, startStockSandbox } from "#lib/planning-engine/stock-sandbox/commands.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeMember } from "#tests/support/factories.ts";
import { inProject } from "#tests/support/plan-ctx.ts";
import { makeDus } from "#tests/support/plan-factories.ts";
import { planCalls, usePlanProject } from "#tests/support/plan-project.ts";
import { expectSameWhenTakenUp } from "../../../support/take-up.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
const jobs = importsOf(db, () => ({ project, user: project.pm }));
let versionId: number;
let warehouseId: number;
let sandbox: StockSandbox | null = null;

beforeAll(async () => {
  versionId = ((await call(project.pm, "engine/version/save", { versionName: "V" })).data as { id: number }).id;
  const rows = [{ name: "Main", type: "central", priority: 1 }];
  warehouseId = ((await call(project.pm, "nc/centerWarehouse/save", { rows })).data as { ids: number[] }).ids[0]!;
  const [duId] = await makeDus(db.owner, project.id, [{}]);
  const needed = ["ANT", "RRU"].map((itemCode) => ({ duId, itemCode, installQty: 1 }));
  await call(project.pm, "nc/duMaterial/save", { versionId, rows: needed });
  await call(project.pm, "nc/inventory/save", { versionId, rows: [{ warehouseId, itemCode: "OWN", inventoryQty: 5 }] });
});
afterEach(async () => {
  await sandbox?.close();
  sandbox = null;
  delete process.env.INVENTORY_URL;
});

const start = (given = versionId) => call(project.pm, "nc/inventory/sync", { versionId: given });
const status = async () => (await call(project.pm, "nc/inventory/syncStatus", { versionId })).data as Record<string, unknown>;
const ended = async () => jobs.run(((await start()).data as { taskId: string }).taskId);
const stock = () => inProject(project.pm, project.number, (ctx) => listStock(ctx));
const against = async (faults: Parameters<typeof startStockSandbox>[0]) => {
  sandbox = await startStockSandbox(faults);
  process.env.INVENTORY_URL = sandbox.base;
};

describe("nc/inventory/sync", () => {
  it("needs a warehouse mapping and the current version [ENG-34]", async () => {
    expect(await status()).toMatchObject({ state: "idle" });
    expect((await start()).code).toBe("NO_MAPPING");
    const rows = [{ sourceSystem: "WMS", sourceCode: "W1", warehouseId }];
    await call(project.pm, "nc/warehouseMapping/save", { rows });
    const { id } = (await call(project.pm, "engine/version/save", { versionName: "Other" })).data as { id: number };
    expect((await start(id)).code).toBe("NO_CURRENT_VERSION");
    expect((await start(999_999)).code).toBe("NOT_FOUND");
    const td = await makeMember(db.owner, project.id, "TD");
    expect((await call(td, "nc/inventory/sync", { versionId })).status).toBe(403);
    expect((await call(td, "nc/inventory/syncStatus", { versionId })).status).toBe(200);
  });

  it("runs in the background, says so while it runs, and puts its rows in place of those it put there before [ENG-19]", async () => {
    const started = await start();
    expect(await status()).toMatchObject({ state: "syncing", finishedAt: null, taskId: (started.data as { taskId: string }).taskId });
    expect((await start()).code).toBe("SYNC_RUNNING");
    expect(await jobs.run((started.data as { taskId: string }).taskId)).toMatchObject({ status: "succeeded" });
    expect(await status()).toMatchObject({ state: "success", rows: 2, finishedAt: expect.any(Date), reason: null });
    const first = (await stock())!;
    expect(first).toMatchObject([
      { itemCode: "ANT", warehouseName: "Main", origin: "sync" },
      { itemCode: "OWN", inventoryQty: 5, origin: "addition" },
      { itemCode: "RRU", origin: "sync" },
    ]);
    await expectSameWhenTakenUp(db, (started.data as { taskId: string }).taskId, jobs.run);
    expect(await ended()).toMatchObject({ status: "succeeded" });
    const again = (await stock())!;
    expect(again.map(({ id: _id, ...row }) => row)).toEqual(first.map(({ id: _id, ...row }) => row));
    expect(again.find(({ origin }) => origin === "addition")!.id).toBe(first.find(({ origin }) => origin === "addition")!.id);
  });

  it("says that it failed and why, leaves the stock as it was, and can be tried again [ENG-19] [ENG-59]", async () => {
    const before = await stock();
    await against({ faults: ["reject"] });
    expect(await ended()).toMatchObject({ status: "failed" });
    expect(await status()).toMatchObject({
      state: "failed",
      finishedAt: expect.any(Date),
      reason: expect.stringMatching(/failed: PROJECT_UNKNOWN/),
    });
    expect(await stock()).toEqual(before);
    expect(await ended()).toMatchObject({ status: "succeeded" });
    expect(sandbox!.asked).toBe(2);
    expect(await status()).toMatchObject({ state: "success", reason: null });
    // A task that has gone without an end does not run any more.
    const { taskId } = (await start()).data as { taskId: string };
    await db.owner`update task set status = 'failed', finished_at = now() where id = ${taskId}`;
    expect(await status()).toMatchObject({ state: "failed" });
    expect((await start()).status).toBe(200);
  });

  it("gives no stock without a current version", async () => {
    await db.owner`update engine_plan_version set is_current = false where project_id = ${project.id}`;
    expect(await stock()).toBeNull();
  });
});

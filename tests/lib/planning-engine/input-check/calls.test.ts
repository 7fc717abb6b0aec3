import { beforeAll, describe, expect, it } from "vitest";
import { normalise } from "#lib/planning-engine/normalise/logic.ts";
import { snapshotText } from "#lib/planning-engine/snapshot/logic.ts";
import { readSnapshot, snapshotHash } from "#lib/planning-engine/snapshot/queries.ts";
import { problemOf } from "#lib/planning-engine/snapshot-problem/logic.ts";
import { newRun, planOf, runFirst } from "#lib/planning-engine/solver/logic.ts";
import { useDatabase } from "#tests/support/database.ts";
import { inProject } from "#tests/support/plan-ctx.ts";
import { makeDus } from "#tests/support/plan-factories.ts";
import { planFaults } from "#tests/support/plan-faults.ts";
import { planCalls, usePlanProject } from "#tests/support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let versionId: number;
let dus: number[];

const filled = async (address: string, rows: Record<string, unknown>[]) => {
  const answer = await call(project.pm, address, { versionId, rows });
  expect(answer.status, JSON.stringify(answer.problems ?? answer.msg)).toBe(200);
  return (answer.data as { ids: number[] }).ids;
};
type Found = { block: string; code: string; duId: number | null; duCode: string | null; text: string };
const check = async () =>
  (await call(project.pm, "engine/input/check", { versionId })).data as { errors: Found[]; warnings: Found[]; counts: object };
const codes = (rows: Found[]) => rows.map(({ block, code }) => `${block} ${code}`);
const status = async () =>
  Object.fromEntries(
    (
      (await call(project.pm, "engine/input/status", { versionId })).data as {
        blocks: { block: string; state: string; rows: number; problems: number }[];
      }
    ).blocks.map(({ block, state, rows, problems }) => [block, [state, rows, problems]]),
  );
const setting = (more: Record<string, unknown> = {}, rowVersion = 0) =>
  call(project.pm, "engine/setting/save", { versionId, planStartDate: "2026-11-02", rowVersion, ...more });

beforeAll(async () => {
  versionId = ((await call(project.pm, "engine/version/save", { versionName: "V" })).data as { id: number }).id;
  dus = await makeDus(db.owner, project.id, [{ plan: { 1: { actual_start: "2026-10-20", actual_end: "2026-10-21" } } }, {}], project.flow);
});

describe("engine/input", () => {
  it("says of every input how far it is, and what keeps the version from being calculated [ENG-17]", async () => {
    expect(Object.values(await status())).toEqual(Array.from({ length: 8 }, () => ["not_configured", 0, 0]));
    expect(codes((await check()).errors)).toEqual(["setting SETTING_MISSING", "du BLOCK_EMPTY", "activity BLOCK_EMPTY"]);
    await setting();
    await filled("nc/duConfig/save", [
      { duId: dus[0], workflowName: "NEW", duType: "both", region: "North" },
      { duId: dus[1], workflowName: "OLD", duType: "both", planEndDate: "2026-12-01" },
    ]);
    await filled("engine/activity/save", [
      { workflowName: "NEW", activityName: "Survey", sort: 1, durationDays: 1, needSubcontractor: true, skillType: "SUR" },
      {
        workflowName: "NEW",
        activityName: "Install",
        sort: 2,
        durationDays: 3,
        materialRelated: true,
        assembly: true,
        predecessors: [{ activityName: "Survey", relation: "FS" }],
      },
    ]);
    expect(await status()).toMatchObject({
      setting: ["configured", 1, 0],
      du: ["configured", 2, 0],
      activity: ["configuring", 2, 1],
      skill_resource: ["not_configured", 0, 0],
      reuse: ["not_configured", 0, 0],
    });
    const { errors, warnings } = await check();
    expect(codes(errors)).toEqual([
      "skill_resource BLOCK_EMPTY",
      "du_material BLOCK_EMPTY",
      "inventory BLOCK_EMPTY",
      "activity WORKFLOW_EMPTY",
    ]);
    expect(errors.at(-1)).toMatchObject({ duId: dus[1], duCode: expect.any(String), text: expect.stringMatching(/OLD/) });
    expect(errors.at(-1)!.text.startsWith(errors.at(-1)!.duCode!)).toBe(true);
    expect(new Set(codes(warnings))).toEqual(new Set(["activity SLOT_MISSING", "du DUE_MISSING"]));
    expect((await call(project.viewer, "engine/input/check", { versionId })).status).toBe(403);
    expect((await call(project.stranger, "engine/input/check", { versionId })).status).toBe(403);
    expect((await call(project.pm, "engine/input/status", { versionId: 999_999 })).code).toBe("NOT_FOUND");
  });

  it("says before a run what the engine can prove against it, and nothing when there is nothing", async () => {
    await filled("engine/activity/save", [{ workflowName: "OLD", activityName: "Take down", durationDays: 90, disassembly: true }]);
    await filled("engine/skillResource/save", [{ skillType: "SUR", resourceName: "R", region: "South", teamCount: 1 }]);
    const rows = [{ name: "Main", type: "central", priority: 1 }];
    const [warehouseId] = ((await call(project.pm, "nc/centerWarehouse/save", { rows })).data as { ids: number[] }).ids;
    await filled("nc/inventory/save", [{ warehouseId, itemCode: "ANT", inventoryQty: 1 }]);
    await filled("nc/duMaterial/save", [
      { duId: dus[0], itemCode: "ANT", installQty: 2 },
      { duId: dus[1], itemCode: "ANT", decomQty: 3 },
    ]);
    // A survey that is done needs no team: its DU is not named.
    await setting({ horizonDays: 60, gapPolicy: "strict" }, 1);
    let found = await check();
    expect(codes(found.errors)).toEqual([]);
    expect(codes(found.warnings).filter((code) => !/SLOT|DUE/.test(code))).toEqual([
      "skill_resource NO_TEAM",
      "setting HORIZON",
      "inventory MATERIAL_GAP",
    ]);
    const texts = Object.fromEntries(found.warnings.map(({ code, text }) => [code, text]));
    expect(texts.MATERIAL_GAP).toMatch(/ANT.*2.*1.*1/);
    expect(texts.HORIZON).toMatch(/90/);
    await filled("engine/skillResource/save", [{ skillType: "SUR", resourceName: "R", teamCount: 1 }]);
    await setting({ horizonDays: 200 }, 2);
    found = await check();
    expect(codes(found.warnings).filter((code) => !/SLOT|DUE/.test(code))).toEqual([]);
    expect(await status()).toMatchObject({ activity: ["configured", 3, 0], inventory: ["configured", 1, 0] });
    // Clusters are planned backward too.
    await setting({ direction: "reverse", enableCluster: true, clusteringRate: 0.5, activityAnchor: "Survey" }, 3);
    expect(codes((await check()).errors)).toEqual([]);
    await setting({ direction: "forward", enableCluster: false }, 4);
  });

  it("freezes the input as it was read: the same text and hash twice, another after a change, and a problem the engine plans", async () => {
    const read = () => inProject(project.pm, project.number, (ctx) => readSnapshot(ctx, { versionId }));
    const { snapshot, faults } = await read();
    expect(faults.some(({ level }) => level === "error")).toBe(false);
    expect(snapshot).toMatchObject({
      planStart: expect.any(Number),
      dus: { id: dus },
      lots: { quantity: [100] },
      demand: { quantity: [200] },
    });
    const text = snapshotText(snapshot!);
    expect(snapshotText((await read()).snapshot!)).toBe(text);
    expect(JSON.parse(text)).toEqual(snapshot);
    const { problem } = problemOf(JSON.parse(text));
    const run = newRun(normalise(problem).ready!, { seed: 1, evaluationLimit: 1, islands: 1 });
    expect(runFirst(run, () => false)).toBe(true);
    expect(planFaults(problem, planOf(run)!)).toEqual([]);
    await filled("nc/inventory/save", [
      { warehouseId: (await db.owner`select id from engine_warehouse`)[0]!.id, itemCode: "ANT", inventoryQty: 1 },
    ]);
    expect(snapshotHash(snapshotText((await read()).snapshot!))).not.toBe(snapshotHash(text));
  });

  it("warns when a flow has changed since its activities were taken, and keeps the dates of its finished work", async () => {
    const { id } = (await call(project.pm, "engine/version/createFromPlan", { versionName: "P" })).data as { id: number };
    versionId = id;
    expect(codes((await check()).warnings)).toEqual(["du DUE_MISSING"]);
    const { snapshot } = await inProject(project.pm, project.number, (ctx) => readSnapshot(ctx, { versionId }));
    expect(snapshot).toMatchObject({ kept: { job: [0], state: [1] } });
    await db.owner`update activity_flow set version = version + 1 where id = ${project.flow.id}`;
    expect(codes((await check()).warnings)).toContain("activity FLOW_CHANGED");
    await call(project.pm, "engine/activity/takeFromFlows", { versionId });
    expect(codes((await check()).warnings)).toEqual(["du DUE_MISSING"]);
    await db.owner`update du set deleted_at = now() where id = ${dus[1]!}`;
    expect(codes((await check()).warnings)).toContain("du DU_DELETED");
  });
});

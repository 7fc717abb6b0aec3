import type { Pool } from "#db/client.ts";
import { addDays, projectToday } from "#lib/core/clock.ts";
import { listEngineActivities, saveEngineActivities } from "#lib/planning-engine/activities/actions.ts";
import {
  saveDuMaterials,
  saveInventory,
  saveItemSubstitutes,
  saveReuseMaterials,
  saveSkillResources,
} from "#lib/planning-engine/inputs/actions.ts";
import { createVersionFromPlan } from "#lib/planning-engine/prefill/actions.ts";
import { startRun } from "#lib/planning-engine/runs/actions.ts";
import { saveEngineSetting } from "#lib/planning-engine/versions/actions.ts";
import { saveWarehouseMappings, saveWarehouses } from "#lib/planning-engine/warehouses/actions.ts";
import { type Call, callerOf, finishTask } from "./caller.ts";
import { cities } from "./cities.ts";
import { demoNames } from "./demo.ts";
import { newBuild, swap } from "./flows.ts";
import { type Name, named, nameText } from "./names.ts";
import { crewNames } from "./people.ts";

/** What the engine version of the demo and its warehouses and items are called. */
export const engineNames = {
  version: named("首批", "First wave", "第1陣"),
  warehouses: {
    guangzhou: named("广州中心仓", "Guangzhou central", "広州中央倉庫"),
    yokohama: named("横滨仓", "Yokohama", "横浜倉庫"),
  },
  items: {
    antenna: named("有源天线", "Active antenna", "アクティブアンテナ"),
    smallAntenna: named("小型有源天线", "Small active antenna", "小型アクティブアンテナ"),
    baseband: named("基带单元", "Baseband unit", "ベースバンド装置"),
    radio: named("射频单元", "Radio unit", "無線装置"),
  },
  categories: { radio: named("无线", "Radio", "無線") },
} as const;

const { antenna, smallAntenna, baseband, radio } = engineNames.items;
const { rigging, transmission, power } = crewNames.skills;
/** Who does which activity of the demo's flows. */
const skillOf: Record<string, Name> = {
  POWER: power,
  INSTALL: rigging,
  DISMANTLE: rigging,
  COMMISSION: transmission,
  INTEGRATION: transmission,
  CUTOVER: transmission,
};
/** The company whose crews work in a country. */
const { LN, KT, NW } = demoNames.subcontractors;
const companyOf: Record<string, Name> = { China: LN, Japan: KT, "United Kingdom": NW };
const countryOf = new Map(cities.map(({ region, country }) => [nameText(region), country[1]]));

/** A DU with something left to do; `needs` tells that it is not installed yet. */
type Planned = { duId: number; region: string; isNew: boolean; needs: boolean };

/**
 * Gives the demo project a version of the planning engine: what is still open in its plan, crews, stock that does not suffice for all, and a calculated plan.
 * All of it by the calls of the product, as its PM.
 * @returns a line that says what was made
 */
export async function seedEngine(pool: Pool, now: Date): Promise<string> {
  const [project] = await pool<{ id: number; versions: number; tzOffset: number }[]>`
    select id, tz_offset_beijing as "tzOffset", (select count(*)::int from engine_plan_version v where v.project_id = p.id) as versions
    from project p where number = 'DEMO'`;
  if (!project || project.versions > 0) return "The demo project has its engine version already";
  const call = await callerOf(pool, "pm", now);
  const dus = await pool<Planned[]>`
    select d.id as "duId", r.name as region, d.delivery_type = ${nameText(demoNames.flows.newBuild)} as "isNew", p.ic_actual_end = 0 as needs
    from du d join delivery_region r on r.id = d.region_id join du_plan p on p.du_id = d.id
    where d.project_id = ${project.id} and p.done_count < p.applicable_count order by d.id`;
  const today = projectToday(now, project.tzOffset);

  const { id: versionId } = await call(createVersionFromPlan, {
    versionName: nameText(engineNames.version),
    duIds: dus.map(({ duId }) => duId),
  });
  await call(saveEngineSetting, {
    versionId,
    rowVersion: 1,
    planStartDate: today,
    sortByRfi: true,
    damageRate: 0.1,
    reuseRate: 0.8,
    currency: "CNY",
    evaluationLimit: 200,
  });
  await call(saveEngineActivities, { versionId, rows: await skilled(call, versionId) });
  await call(saveSkillResources, { versionId, rows: crews(dus) });
  await seedMaterial(call, versionId, dus, today);
  const { taskId } = await call(startRun, { versionId });
  await finishTask(pool, taskId);
  const [run] = await pool<{ status: string }[]>`select status from engine_run where task_id = ${taskId}`;
  if (run?.status !== "success") throw new Error(`the plan of the demo project ended as ${run?.status}`);
  return `Engine version of ${dus.length} DUs, calculated`;
}

/** The activities that crews do, as the flows have them, with what the flows do not know. */
async function skilled(call: Call, versionId: number) {
  const filters = [{ field: "versionId", type: "eq", values: [versionId] }];
  const { records } = await call(listEngineActivities, { page: 1, size: 50, filters });
  const byName = new Map([...newBuild, ...swap].map(({ code, name }) => [nameText(name), code]));
  return records.flatMap(({ slot: _slot, ...row }) => {
    const code = byName.get(String(row.activityName)) ?? "";
    const skill = skillOf[code];
    return skill ? [{ ...row, needSubcontractor: true, skillType: nameText(skill), materialRelated: code === "INSTALL" }] : [];
  });
}

/** Crews of each region and skill: fewer than would be needed to be on time everywhere. */
function crews(dus: readonly Planned[]) {
  return [...Map.groupBy(dus, ({ region }) => region)].flatMap(([region, { length }]) =>
    [rigging, transmission, power].map((skill) => ({
      skillType: nameText(skill),
      resourceName: nameText(companyOf[countryOf.get(region) ?? ""] ?? LN),
      region,
      teamCount: Math.max(1, Math.round(length / 20)),
    })),
  );
}

/** What the DUs need and give back, and a stock in which antennas run short, basebands come late and old radio units are used again. */
async function seedMaterial(call: Call, versionId: number, dus: readonly Planned[], today: string): Promise<void> {
  const category = nameText(engineNames.categories.radio);
  const rows = dus.flatMap(({ duId, isNew }, at) => [
    { duId, itemCode: "AAU-64", description: nameText(antenna), installQty: 3, materialCategory: category },
    ...(isNew ? [{ duId, itemCode: "BBU", description: nameText(baseband), installQty: 1, materialCategory: category }] : []),
    ...(isNew && at % 3 === 0 ? [{ duId, itemCode: "RRU", description: nameText(radio), installQty: 3, materialCategory: category }] : []),
    ...(isNew ? [] : [{ duId, itemCode: "RRU", description: nameText(radio), decomQty: 3, materialCategory: category }]),
  ]);
  await call(saveDuMaterials, { versionId, rows });
  const { guangzhou, yokohama } = engineNames.warehouses;
  const region = [...countryOf].find(([, country]) => country === "Japan")?.[0];
  const { ids } = await call(saveWarehouses, {
    rows: [
      { name: nameText(guangzhou), type: "central", priority: 1 },
      { name: nameText(yokohama), type: "regional", region, priority: 2 },
    ],
  });
  const [central, regional] = ids as [number, number];
  await call(saveWarehouseMappings, {
    rows: [
      { sourceSystem: "WMS", sourceCode: "GZ", warehouseId: central },
      { sourceSystem: "WMS", sourceCode: "YH", warehouseId: regional },
    ],
  });
  const open = new Set(dus.flatMap(({ duId, needs }) => (needs ? [duId] : [])));
  const wanted = (item: string) =>
    rows.reduce((sum, row) => sum + (row.itemCode === item && open.has(row.duId) ? (row.installQty ?? 0) : 0), 0);
  const part = (item: string, share: number) => Math.round(wanted(item) * share);
  await call(saveInventory, {
    versionId,
    rows: [
      { warehouseId: central, itemCode: "AAU-64", inventoryQty: part("AAU-64", 0.4) },
      { warehouseId: central, itemCode: "AAU-64", planQty: part("AAU-64", 0.3), planInboundDate: addDays(today, 30) },
      { warehouseId: regional, itemCode: "AAU-64", inventoryQty: part("AAU-64", 0.1) },
      { warehouseId: central, itemCode: "AAU-32", inventoryQty: part("AAU-64", 0.1) },
      { warehouseId: central, itemCode: "BBU", inventoryQty: part("BBU", 0.5) },
      { warehouseId: central, itemCode: "BBU", planQty: part("BBU", 0.5) + 1, planInboundDate: addDays(today, 60) },
      { warehouseId: central, itemCode: "RRU", inventoryQty: part("RRU", 0.2) },
    ],
  });
  await call(saveItemSubstitutes, {
    versionId,
    rows: [
      {
        designItemCode: "AAU-64",
        designDescription: nameText(antenna),
        designQty: 1,
        designPriority: 1,
        groupName: "32T",
        warehouseItemCode: "AAU-32",
        warehouseDescription: nameText(smallAntenna),
        warehouseQty: 1,
        substitutionPriority: 1,
      },
    ],
  });
  await call(saveReuseMaterials, { versionId, rows: [{ itemCode: "RRU", materialCategory: category, turnaroundDays: 5 }] });
}

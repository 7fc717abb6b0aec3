import type { z } from "zod";
import { SaveEngineActivities } from "#lib/planning-engine/activities/schema.ts";
import type { BlockName } from "#lib/planning-engine/inputs/logic.ts";
import {
  SaveDuMaterials,
  SaveEngineDus,
  SaveInventory,
  SaveItemSubstitutes,
  SaveReuseMaterials,
  SaveSkillResources,
} from "#lib/planning-engine/inputs/schema.ts";
import { SaveWarehouseMappings, SaveWarehouses } from "#lib/planning-engine/warehouses/schema.ts";

/** How the rows of an input are read and written. */
type InputBlock = {
  /** Address of the calls, before what they do. */
  door: string;
  /** Checks one row as a save checks it. */
  row: z.ZodType;
  /** What a new row begins with. */
  begin: Readonly<Record<string, unknown>>;
  /** Columns only a new row can be given. */
  keys: readonly string[];
};

/** The inputs with rows, in the order of their tabs. */
export const inputBlocks = {
  du: {
    door: "nc/duConfig",
    row: SaveEngineDus.shape.rows.element,
    begin: { duType: "install", allowDirectMoving: false, inScope: true },
    keys: ["duCode"],
  },
  activity: {
    door: "engine/activity",
    row: SaveEngineActivities.shape.rows.element,
    begin: { sort: 1, materialRelated: false, needSubcontractor: false, disassembly: false, assembly: false },
    keys: [],
  },
  skillResource: { door: "engine/skillResource", row: SaveSkillResources.shape.rows.element, begin: {}, keys: [] },
  duMaterial: { door: "nc/duMaterial", row: SaveDuMaterials.shape.rows.element, begin: {}, keys: ["duCode"] },
  inventory: { door: "nc/inventory", row: SaveInventory.shape.rows.element, begin: { origin: "addition" }, keys: [] },
  itemSubstitute: { door: "nc/itemSubstitute", row: SaveItemSubstitutes.shape.rows.element, begin: {}, keys: [] },
  reuseMaterial: {
    door: "nc/reuseMaterial",
    row: SaveReuseMaterials.shape.rows.element,
    begin: { turnaroundDays: 0 },
    keys: [],
  },
  warehouse: { door: "nc/centerWarehouse", row: SaveWarehouses.shape.rows.element, begin: { type: "regional", priority: 1 }, keys: [] },
  warehouseMapping: { door: "nc/warehouseMapping", row: SaveWarehouseMappings.shape.rows.element, begin: {}, keys: [] },
} as const satisfies Record<BlockName, InputBlock>;

/** The inputs in the order of their tabs. */
export const blockNames = Object.keys(inputBlocks) as BlockName[];

/** Whether the rows belong to the project rather than to a version. */
export const ofProject = (name: BlockName): boolean => name === "warehouse" || name === "warehouseMapping";

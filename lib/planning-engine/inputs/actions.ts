"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import { deleteRows, saveRows } from "./commands.ts";
import { listRows } from "./queries.ts";
import {
  DeleteRows,
  ListInputs,
  SaveDuMaterials,
  SaveEngineDus,
  SaveInventory,
  SaveItemSubstitutes,
  SaveReuseMaterials,
  SaveSkillResources,
} from "./schema.ts";

export const listEngineDus = action({
  address: `nc/duConfig/find/${listSuffix}`,
  also: ["nc/duConfig/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListInputs,
  run: (ctx, input) => listRows(ctx, "du", input),
  errors: ["NOT_FOUND"],
});

export const saveEngineDus = action({
  address: "nc/duConfig/save",
  needs: "engine.edit",
  input: SaveEngineDus,
  run: (ctx, input) => saveRows(ctx, "du", input),
  errors: ["CLUSTER_PRIORITY_UNEQUAL", "ENGINE_ROW_REPEAT", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "TOO_MANY", "VERSION_LOCKED"],
});

export const deleteEngineDus = action({
  address: "nc/duConfig/delete",
  needs: "engine.edit",
  input: DeleteRows,
  run: (ctx, input) => deleteRows(ctx, "du", input),
  errors: ["NOT_FOUND", "NO_SELECTION", "TOO_MANY", "VERSION_LOCKED"],
});

export const listSkillResources = action({
  address: `engine/skillResource/find/${listSuffix}`,
  also: ["engine/skillResource/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListInputs,
  run: (ctx, input) => listRows(ctx, "skillResource", input),
  errors: ["NOT_FOUND"],
});

export const saveSkillResources = action({
  address: "engine/skillResource/save",
  needs: "engine.edit",
  input: SaveSkillResources,
  run: (ctx, input) => saveRows(ctx, "skillResource", input),
  errors: ["ENGINE_ROW_REPEAT", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "TOO_MANY", "VERSION_LOCKED"],
});

export const deleteSkillResources = action({
  address: "engine/skillResource/delete",
  needs: "engine.edit",
  input: DeleteRows,
  run: (ctx, input) => deleteRows(ctx, "skillResource", input),
  errors: ["NOT_FOUND", "NO_SELECTION", "TOO_MANY", "VERSION_LOCKED"],
});

export const listDuMaterials = action({
  address: `nc/duMaterial/find/${listSuffix}`,
  also: ["nc/duMaterial/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListInputs,
  run: (ctx, input) => listRows(ctx, "duMaterial", input),
  errors: ["NOT_FOUND"],
});

export const saveDuMaterials = action({
  address: "nc/duMaterial/save",
  needs: "engine.edit",
  input: SaveDuMaterials,
  run: (ctx, input) => saveRows(ctx, "duMaterial", input),
  errors: ["ENGINE_ROW_REPEAT", "NOTHING_MODIFIED", "NOT_FOUND", "QTY_EXACTLY_ONE", "STALE", "TOO_MANY", "VERSION_LOCKED"],
});

export const deleteDuMaterials = action({
  address: "nc/duMaterial/delete",
  needs: "engine.edit",
  input: DeleteRows,
  run: (ctx, input) => deleteRows(ctx, "duMaterial", input),
  errors: ["NOT_FOUND", "NO_SELECTION", "TOO_MANY", "VERSION_LOCKED"],
});

export const listInventory = action({
  address: `nc/inventory/find/${listSuffix}`,
  also: ["nc/inventory/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListInputs,
  run: (ctx, input) => listRows(ctx, "inventory", input),
  errors: ["NOT_FOUND"],
});

export const saveInventory = action({
  address: "nc/inventory/save",
  needs: "engine.edit",
  input: SaveInventory,
  run: (ctx, input) => saveRows(ctx, "inventory", input),
  errors: ["INVENTORY_EMPTY", "NOTHING_MODIFIED", "NOT_FOUND", "PLAN_QTY_DATE_PAIR", "STALE", "TOO_MANY", "VERSION_LOCKED"],
});

export const deleteInventory = action({
  address: "nc/inventory/delete",
  needs: "engine.edit",
  input: DeleteRows,
  run: (ctx, input) => deleteRows(ctx, "inventory", input),
  errors: ["NOT_FOUND", "NO_SELECTION", "TOO_MANY", "VERSION_LOCKED"],
});

export const listItemSubstitutes = action({
  address: `nc/itemSubstitute/find/${listSuffix}`,
  also: ["nc/itemSubstitute/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListInputs,
  run: (ctx, input) => listRows(ctx, "itemSubstitute", input),
  errors: ["NOT_FOUND"],
});

export const saveItemSubstitutes = action({
  address: "nc/itemSubstitute/save",
  needs: "engine.edit",
  input: SaveItemSubstitutes,
  run: (ctx, input) => saveRows(ctx, "itemSubstitute", input),
  errors: ["ENGINE_ROW_REPEAT", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "SUBSTITUTE_UNEQUAL", "TOO_MANY", "VERSION_LOCKED"],
});

export const deleteItemSubstitutes = action({
  address: "nc/itemSubstitute/delete",
  needs: "engine.edit",
  input: DeleteRows,
  run: (ctx, input) => deleteRows(ctx, "itemSubstitute", input),
  errors: ["NOT_FOUND", "NO_SELECTION", "TOO_MANY", "VERSION_LOCKED"],
});

export const saveReuseMaterials = action({
  address: "nc/reuseMaterial/save",
  needs: "engine.edit",
  input: SaveReuseMaterials,
  run: (ctx, input) => saveRows(ctx, "reuseMaterial", input),
  errors: ["ENGINE_ROW_REPEAT", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "TOO_MANY", "VERSION_LOCKED"],
});

export const deleteReuseMaterials = action({
  address: "nc/reuseMaterial/delete",
  needs: "engine.edit",
  input: DeleteRows,
  run: (ctx, input) => deleteRows(ctx, "reuseMaterial", input),
  errors: ["NOT_FOUND", "NO_SELECTION", "TOO_MANY", "VERSION_LOCKED"],
});

"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import { deleteRows, saveRows } from "../inputs/commands.ts";
import { listRows } from "../inputs/queries.ts";
import { DeleteRows } from "../inputs/schema.ts";
import { deleteWarehouses } from "./commands.ts";
import { findWarehouses } from "./queries.ts";
import { DeleteWarehouses, FindWarehouses, ListWarehouses, SaveWarehouseMappings, SaveWarehouses } from "./schema.ts";

export const listWarehouses = action({
  address: `nc/centerWarehouse/find/${listSuffix}`,
  also: ["nc/centerWarehouse/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListWarehouses,
  run: (ctx, input) => listRows(ctx, "warehouse", input),
});

export const saveWarehouses = action({
  address: "nc/centerWarehouse/save",
  needs: "engine.edit",
  input: SaveWarehouses,
  run: (ctx, input) => saveRows(ctx, "warehouse", input),
  errors: ["NAME_EXISTS", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "TOO_MANY"],
});

export const removeWarehouses = action({
  address: "nc/centerWarehouse/delete",
  needs: "engine.edit",
  input: DeleteWarehouses,
  run: deleteWarehouses,
  errors: ["CONFIRM_REQUIRED", "NOT_FOUND", "NO_SELECTION", "TOO_MANY", "VERSION_LOCKED", "WAREHOUSE_IN_ADDITIONS"],
});

export const getWarehouseList = action({
  address: "commomUtil/getWarehouseList",
  kind: "read",
  needs: "engine.view",
  input: FindWarehouses,
  run: findWarehouses,
});

export const listWarehouseMappings = action({
  address: `nc/warehouseMapping/find/${listSuffix}`,
  also: ["nc/warehouseMapping/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListWarehouses,
  run: (ctx, input) => listRows(ctx, "warehouseMapping", input),
});

export const saveWarehouseMappings = action({
  address: "nc/warehouseMapping/save",
  needs: "engine.edit",
  input: SaveWarehouseMappings,
  run: (ctx, input) => saveRows(ctx, "warehouseMapping", input),
  errors: ["ENGINE_ROW_REPEAT", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "TOO_MANY"],
});

export const deleteWarehouseMappings = action({
  address: "nc/warehouseMapping/delete",
  needs: "engine.edit",
  input: DeleteRows,
  run: (ctx, input) => deleteRows(ctx, "warehouseMapping", input),
  errors: ["NOT_FOUND", "NO_SELECTION", "TOO_MANY"],
});

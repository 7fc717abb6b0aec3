"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteNetworkRegions, ListNetworkRegions, SaveNetworkRegion } from "./schema.ts";

export const listNetworkRegions = action({
  address: "networkRegion/list",
  kind: "read",
  needs: "region.view",
  input: ListNetworkRegions,
  run: queries.listNetworkRegions,
});

export const saveNetworkRegion = action({
  address: "networkRegion/save",
  needs: "region.edit",
  input: SaveNetworkRegion,
  run: commands.saveNetworkRegion,
  errors: ["NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOTHING_MODIFIED", "NOT_FOUND", "STALE"],
});

export const deleteNetworkRegions = action({
  address: "networkRegion/delete",
  needs: "region.edit",
  input: DeleteNetworkRegions,
  run: commands.deleteNetworkRegions,
  errors: ["IN_USE", "NOT_FOUND"],
});

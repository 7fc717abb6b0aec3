"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteRegions, ListRegions, SaveRegions, SaveShares, SetRegionStatus } from "./schema.ts";

export const listRegions = action({
  address: "deliveryRegion/list",
  kind: "read",
  needs: "region.view",
  input: ListRegions,
  run: (ctx) => queries.listRegions(ctx),
});

export const saveRegions = action({
  address: "deliveryRegion/save",
  needs: "region.edit",
  input: SaveRegions,
  run: commands.saveRegions,
  errors: [
    "NAME_REQUIRED",
    "NAME_TOO_LONG",
    "NETWORK_REGION_TWICE",
    "NETWORK_REGION_UNMAPPED",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "REGION_INVALID",
    "REGION_REPEAT",
    "STALE",
  ],
});

export const saveShares = action({
  address: "deliveryRegion/saveShare",
  needs: "region.edit",
  input: SaveShares,
  run: commands.saveShares,
  errors: ["NOTHING_MODIFIED", "NOT_FOUND", "PERCENT_RANGE", "PERCENT_SUM", "REGION_MISSING", "STALE"],
});

export const setRegionStatus = action({
  address: "deliveryRegion/setStatus",
  needs: "region.edit",
  input: SetRegionStatus,
  run: commands.setStatus,
  errors: ["CONFIRM_REQUIRED", "NETWORK_REGION_MAPPED", "NOT_FOUND", "PERCENT_RANGE", "PERCENT_SUM", "REGION_MISSING", "STALE"],
});

export const deleteRegions = action({
  address: "deliveryRegion/delete",
  needs: "region.edit",
  input: DeleteRegions,
  run: commands.deleteRegions,
  errors: ["NOT_FOUND", "REGION_REFERENCED"],
});

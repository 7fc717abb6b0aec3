"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { AssignDus, DeleteClusters, ListClusters, SaveCluster, ViewClusters } from "./schema.ts";

export const listClusters = action({
  address: `cluster/${listSuffix}`,
  kind: "read",
  needs: "cluster.view",
  input: ListClusters,
  run: queries.listClusters,
});

export const saveCluster = action({
  address: "cluster/save",
  needs: "cluster.edit",
  input: SaveCluster,
  run: commands.saveCluster,
  errors: ["NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOTHING_MODIFIED", "NOT_FOUND", "PRIORITY_POSITIVE", "RATE_RANGE", "STALE"],
});

export const deleteClusters = action({
  address: "cluster/delete",
  needs: "cluster.edit",
  input: DeleteClusters,
  run: commands.deleteClusters,
  errors: ["IN_USE", "NOT_FOUND"],
});

export const assignDus = action({
  address: "cluster/assign",
  needs: "cluster.edit",
  input: AssignDus,
  run: commands.assignDus,
  errors: ["DU_EMPTY", "NOT_FOUND", "NO_SELECTION", "PRIORITY_POSITIVE", "TOO_MANY_DU"],
});

export const viewClusters = action({
  address: "cluster/view",
  kind: "read",
  needs: "cluster.view",
  input: ViewClusters,
  run: queries.viewClusters,
});

"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as queries from "./queries.ts";
import { ActivityList, BatchInput, CellHistory, FlowList, ListPlanLog } from "./schema.ts";

/** Changes of plan cells, newest first. */
export const listPlanLog = action({
  address: `planLog/${listSuffix}`,
  kind: "read",
  needs: "planLog.view",
  input: ListPlanLog,
  run: queries.listPlanLog,
  errors: ["DATE_RANGE", "NARROW_FILTER"],
});

export const listLogFlows = action({
  address: "planLog/findTaskFlowIdList",
  kind: "read",
  needs: "planLog.view",
  input: FlowList,
  run: queries.listLogFlows,
});

export const listLogActivities = action({
  address: "planLog/findActivityList",
  kind: "read",
  needs: "planLog.view",
  input: ActivityList,
  run: queries.listLogActivities,
});

/** History of one cell. */
export const cellHistory = action({
  address: "planLog/cell",
  kind: "read",
  needs: "rollout.view",
  input: CellHistory,
  run: queries.listCellHistory,
  errors: ["NOT_FOUND"],
});

export const planBatch = action({
  address: "planLog/batch/{batchId}",
  kind: "read",
  needs: "planLog.view",
  input: BatchInput,
  run: queries.getBatch,
  errors: ["NOT_FOUND"],
});

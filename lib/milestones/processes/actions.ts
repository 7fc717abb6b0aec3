"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { CreateOrders, ListProcesses, ProcessIds, SaveProcess } from "./schema.ts";

export const listProcesses = action({
  address: "tempProcess/list/{page}/{size}/default/{filters}",
  also: ["tempProcess/list"],
  kind: "read",
  needs: "milestone.config",
  input: ListProcesses,
  run: queries.listProcesses,
});

export const saveProcess = action({
  address: "tempProcess/save",
  needs: "milestone.config",
  input: SaveProcess,
  run: commands.saveProcess,
  errors: ["NAME_REQUIRED", "NAME_TOO_LONG", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "WORK_ORDER_NAME_EXISTS", "WRONG_STATUS"],
});

export const releaseProcesses = action({
  address: "tempProcess/release",
  needs: "milestone.config",
  input: ProcessIds,
  run: commands.releaseProcesses,
  errors: ["NOT_FOUND", "VALUE_MISSING", "WRONG_STATUS"],
});

export const disableProcesses = action({
  address: "tempProcess/disable",
  needs: "milestone.config",
  input: ProcessIds,
  run: commands.disableProcesses,
  errors: ["NOT_FOUND", "ORDERS_OPEN", "WRONG_STATUS"],
});

export const deleteProcesses = action({
  address: "tempProcess/delete",
  needs: "milestone.config",
  input: ProcessIds,
  run: commands.deleteProcesses,
  errors: ["NOT_FOUND", "ORDERS_EXIST", "WRONG_STATUS"],
});

export const createOrders = action({
  address: "tempProcess/createOrders",
  needs: "workOrder.dispatch",
  input: CreateOrders,
  run: commands.createOrders,
  errors: [
    "DU_NOT_FOUND",
    "INVALID_CALENDAR",
    "NOT_FOUND",
    "NO_SELECTION",
    "OTHER_FLOW",
    "TOO_MANY_DU",
    "WORK_ORDER_NAME_EXISTS",
    "WRONG_STATUS",
  ],
});

"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { BindSubFlow, DeleteNodes, SaveGraph, SaveNode } from "./schema.ts";

export const saveGraph = action({
  address: "flow/graph/save",
  needs: "flow.networkNode",
  input: SaveGraph,
  run: commands.saveGraph,
  errors: [
    "ACTIVITY_REFERENCED",
    "ACTIVITY_REPEAT",
    "CYCLE",
    "LIBRARY_FULL",
    "NOT_FOUND",
    "RELATION_REPEAT",
    "RELATION_REQUIRED",
    "STALE",
    "WRONG_STATUS",
  ],
});

export const saveNode = action({
  address: "flow/node/save",
  needs: "flow.networkNode",
  input: SaveNode,
  run: commands.saveNode,
  errors: [
    "ACTIVITY_REFERENCED",
    "ACTIVITY_REPEAT",
    "CYCLE",
    "LIBRARY_FULL",
    "NOT_FOUND",
    "RELATION_REPEAT",
    "RELATION_REQUIRED",
    "STALE",
    "WRONG_STATUS",
  ],
});

export const deleteNodes = action({
  address: "flow/node/delete",
  needs: "flow.networkNode",
  input: DeleteNodes,
  run: commands.deleteNodes,
  errors: ["ACTIVITY_REFERENCED", "NOT_FOUND", "STALE", "WRONG_STATUS"],
});

export const bindSubFlow = action({
  address: "subFlow/bind",
  needs: "flow.edit",
  input: BindSubFlow,
  run: commands.bindSubFlow,
  errors: ["NOT_FOUND", "WRONG_STATUS"],
});

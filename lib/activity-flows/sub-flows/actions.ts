"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteSubFlows, ListSubFlows, SaveSubFlow } from "./schema.ts";

export const listSubFlows = action({
  address: "subFlow/list",
  kind: "read",
  needs: "flow.view",
  input: ListSubFlows,
  run: queries.listSubFlows,
});

export const saveSubFlow = action({
  address: "subFlow/save",
  needs: "flow.edit",
  input: SaveSubFlow,
  run: commands.saveSubFlow,
  errors: ["IN_USE", "NAME_EXISTS", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "TOO_MANY"],
});

export const deleteSubFlows = action({
  address: "subFlow/delete",
  needs: "flow.edit",
  input: DeleteSubFlows,
  run: commands.deleteSubFlows,
  errors: ["IN_USE", "NOT_FOUND"],
});

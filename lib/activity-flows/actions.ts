"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ChangeFlowStatus, DeleteFlows, DiscardFlow, EditFlow, FindFlow, ListFlows, SaveFlow } from "./schema.ts";

export const listFlows = action({
  address: "flow/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "flow.view",
  input: ListFlows,
  run: queries.listFlows,
});

export const findFlow = action({
  address: "flow/find/{id}",
  kind: "read",
  needs: "flow.view",
  input: FindFlow,
  run: queries.getFlow,
  errors: ["NOT_FOUND"],
});

export const saveFlow = action({
  address: "flow/save",
  needs: "flow.edit",
  input: SaveFlow,
  run: commands.saveFlow,
  errors: ["NAME_EXISTS", "NOTHING_MODIFIED", "NOT_FOUND", "STALE", "WRONG_STATUS"],
});

export const editFlow = action({
  address: "flow/edit",
  needs: "flow.edit",
  input: EditFlow,
  run: commands.editFlow,
  errors: ["NOT_FOUND", "WRONG_STATUS"],
});

export const discardFlow = action({
  address: "flow/discard",
  needs: "flow.edit",
  input: DiscardFlow,
  run: commands.discardWorkingCopy,
  errors: ["NOT_FOUND", "STALE", "WRONG_STATUS"],
});

export const deleteFlows = action({
  address: "flow/delete",
  needs: "flow.edit",
  input: DeleteFlows,
  run: commands.deleteFlows,
  errors: ["IN_USE", "NOT_FOUND", "WRONG_STATUS"],
});

export const disableFlow = action({
  address: "flow/disable",
  needs: "flow.edit",
  input: ChangeFlowStatus,
  run: commands.disableFlow,
  errors: ["NOT_FOUND", "STALE", "WRONG_STATUS"],
});

export const enableFlow = action({
  address: "flow/enable",
  needs: "flow.edit",
  input: ChangeFlowStatus,
  run: commands.enableFlow,
  errors: ["NOT_FOUND", "STALE", "WRONG_STATUS"],
});

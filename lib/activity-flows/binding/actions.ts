"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { BindDus, ListDuFlows } from "./schema.ts";

export const listDuFlows = action({
  address: "duFlow/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "flow.view",
  input: ListDuFlows,
  run: queries.listDuFlows,
});

export const bindDus = action({
  address: "duFlow/bind",
  needs: "duFlow.bind",
  input: BindDus,
  run: commands.bindByHand,
  errors: ["ALREADY_BOUND", "DU_NOT_FOUND", "FLOW_NOT_RELEASED", "NOT_FOUND", "TOO_MANY_DU"],
});

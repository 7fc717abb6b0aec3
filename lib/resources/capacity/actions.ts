"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { CompareWeeks, ListConfigs, Nothing, UpdateConfig } from "./schema.ts";

export const findConfigs = action({
  address: "subconConfig/getSubconConfigByProject",
  kind: "read",
  needs: "resource.view",
  input: Nothing,
  run: queries.readConfigs,
});

export const listConfigs = action({
  address: "subconConfig/getSubconConfigList/page",
  kind: "read",
  needs: "resource.view",
  input: ListConfigs,
  run: queries.listConfigs,
});

export const findWeeks = action({
  address: "subconConfig/weeks",
  kind: "read",
  needs: "resource.view",
  input: CompareWeeks,
  run: queries.readWeeks,
  errors: ["NOT_FOUND"],
});

/** Switches need the right to isolate companies, capacities that of capacities. */
export const updateConfig = action({
  address: "subconConfig/updateSubconConfig",
  needs: ({ config }) => (config ? "subcon.isolation" : "capacity.edit"),
  input: UpdateConfig,
  run: commands.updateConfig,
  errors: ["CAPACITY_LIMIT", "LEAD_TIME", "NO_PERMISSION", "NOT_FOUND", "NOTHING_MODIFIED", "NUMBER_RANGE", "REDUNDANCY_RANGE", "STALE"],
});

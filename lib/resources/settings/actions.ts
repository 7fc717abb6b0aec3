"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindSettings, SaveSettings } from "./schema.ts";

export const findSettings = action({
  address: "resSetting/find",
  kind: "read",
  needs: "resource.view",
  input: FindSettings,
  run: (ctx) => queries.readSettings(ctx),
});

export const saveSettings = action({
  address: "resSetting/save",
  needs: ["resource.edit", "resource.keyRoleSwitch"],
  input: SaveSettings,
  run: commands.saveSettings,
  errors: ["KEY_ROLE_SWITCH_PD", "NOTHING_MODIFIED", "NO_PERMISSION", "NUMBER_INTEGER", "NUMBER_RANGE", "STALE"],
});

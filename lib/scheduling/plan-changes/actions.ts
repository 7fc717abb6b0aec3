"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { SavePlanChange } from "./schema.ts";

/** Changes frozen and controlled plan dates; the right is asked for every cell by its lock. */
export const savePlanChange = action({
  address: "savePlanChange",
  needs: ["rollout.edit", "plan.frozenChange"],
  input: SavePlanChange,
  run: commands.savePlanChange,
  errors: ["NOTHING_MODIFIED", "REASON_REQUIRED", "RFC_DIFFERS", "TOO_MANY_DU", "WARNING_CONFIRM"],
});

"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { SaveInput } from "./schema.ts";

/** Saves edited cells; the right is asked for every cell by its kind. */
export const savePlan = action({
  address: "rolloutPlan/save",
  needs: ["rollout.edit", "rollout.actualEdit", "rollout.attributeEdit", "du.edit"],
  input: SaveInput,
  ahead: true,
  run: commands.saveEdits,
  errors: ["DEP_CLEAR_CONFIRM", "NOTHING_MODIFIED", "TOO_MANY_CELLS", "TOO_MANY_DU", "WARNING_CONFIRM"],
});

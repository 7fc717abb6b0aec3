"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { UndoInput } from "./schema.ts";

/** Undoes one's own batch within ten minutes of its end. */
export const undoPlan = action({
  address: "rolloutPlan/undo",
  needs: ["rollout.edit", "rollout.actualEdit", "rollout.attributeEdit", "du.edit"],
  input: UndoInput,
  run: commands.undoBatch,
  errors: ["CHANGED_SINCE", "DEP_CLEAR_CONFIRM", "UNDO_TOO_LATE", "WARNING_CONFIRM"],
});

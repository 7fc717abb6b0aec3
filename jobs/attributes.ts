import { runApply } from "#lib/attributes/defaults/commands.ts";
import { ApplyParams } from "#lib/attributes/schema.ts";
import { taskKind } from "#lib/core/task.ts";

/** Fills the empty cells of an attribute with its default. */
export const applyDefaultTask = taskKind({ params: ApplyParams, needs: "rollout.attributeEdit", run: runApply });

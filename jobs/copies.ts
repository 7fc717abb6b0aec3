import { runCopy } from "#lib/activity-flows/copies/commands.ts";
import { CopyParams } from "#lib/activity-flows/copies/schema.ts";
import { taskKind } from "#lib/core/task.ts";

/** Copies attribute values, and the flow where asked, from one DU to others. */
export const copyTask = taskKind({ params: CopyParams, needs: "duFlow.copyAssociation", run: runCopy });

import { runReplication } from "#lib/activity-flows/replications/commands.ts";
import { ReplicationParams } from "#lib/activity-flows/replications/schema.ts";
import { taskKind } from "#lib/core/task.ts";

/** Copies the activities of a flow into another project. */
export const replicationTask = taskKind({ params: ReplicationParams, needs: "flow.transfer", run: runReplication });

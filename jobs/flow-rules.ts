import { runFlowRules } from "#lib/activity-flows/rule-runs/commands.ts";
import { RunParams } from "#lib/activity-flows/rule-runs/schema.ts";
import { taskKind } from "#lib/core/task.ts";

/** Binds DUs by rules: the right was asked when a person started it, and an import starts it for whoever imports. */
export const flowRulesTask = taskKind({ params: RunParams, needs: "member", run: runFlowRules });

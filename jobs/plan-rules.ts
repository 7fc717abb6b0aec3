import { RecheckParams } from "#lib/attributes/config-refs/schema.ts";
import { taskKind } from "#lib/core/task.ts";
import { runChangesExport, runRuleTask } from "#lib/plan-rules/execution/commands.ts";
import { ExportParams, RunParams } from "#lib/plan-rules/execution/schema.ts";
import { runRevertTask } from "#lib/plan-rules/reverts/commands.ts";
import { RevertParams } from "#lib/plan-rules/reverts/schema.ts";
import { runRecheck } from "#lib/plan-rules/rule-set/commands.ts";

/** Runs rules, or tells what they would do. */
export const planRulesTask = taskKind({ params: RunParams, needs: "rule.view", run: runRuleTask });

/** Takes back what a run has changed. */
export const revertTask = taskKind({ params: RevertParams, needs: "rule.run", run: runRevertTask });

/** Judges rules anew after something they name has changed: whoever changed it starts the task. */
export const recheckTask = taskKind({ params: RecheckParams, needs: "member", run: runRecheck });

/** Writes the cells of a run as a workbook. */
export const changesExportTask = taskKind({ params: ExportParams, needs: "rule.view", run: runChangesExport });

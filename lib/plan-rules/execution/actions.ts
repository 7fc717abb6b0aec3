"use server";
import { action } from "#lib/core/action.ts";
import { conditionCodes } from "#lib/plan-rules/conditions/logic.ts";
import { ruleCodes } from "#lib/plan-rules/rule-set/rules.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { CountDus, ExportChanges, ListChanges, ListRuns, PreviewRules, RunRules } from "./schema.ts";

export const previewPlanRules = action({
  address: "planAutoRule/preview",
  needs: "rule.view",
  input: PreviewRules,
  starts: "task",
  run: commands.startPreview,
  errors: [...ruleCodes, "NO_SELECTION", "RATE_LIMIT", "RULES_INVALID", "TOO_MANY_RULES"],
});

export const countRuleDus = action({
  address: "planAutoRule/count",
  kind: "read",
  needs: "rule.view",
  input: CountDus,
  run: queries.countDus,
  errors: [...conditionCodes],
});

export const runPlanRules = action({
  address: "planAutoRule/run",
  needs: "rule.run",
  input: RunRules,
  starts: "task",
  run: commands.startRun,
  errors: ["NO_SELECTION", "NOT_FOUND", "RATE_LIMIT", "RULE_EXECUTING", "RULES_INVALID", "TOO_MANY_RULES"],
});

export const listPlanRuns = action({
  address: "planAutoRule/run/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "rule.view",
  input: ListRuns,
  run: queries.listPlanRuns,
});

export const listPlanChanges = action({
  address: "planAutoRule/run/changes/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "rule.view",
  input: ListChanges,
  run: queries.listPlanChanges,
  errors: ["NOT_FOUND"],
});

export const exportPlanChanges = action({
  address: "planAutoRule/run/changes/export",
  needs: "rule.view",
  input: ExportChanges,
  starts: "task",
  run: commands.startChangesExport,
  errors: ["EXPORT_LIMIT", "EXPORT_UNFINISHED", "NO_DATA", "NOT_FOUND", "RATE_LIMIT"],
});

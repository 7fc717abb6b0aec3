"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { CountDus, ExportChanges, ListChanges, ListRuns, PreviewRules, RunRules } from "./schema.ts";

const conditionErrors = [
  "CONDITION_FIRST_CLOSE",
  "CONDITION_LAST_OPEN",
  "CONDITION_LOGIC",
  "CONDITION_PARENTHESES",
  "DATE_FORMAT",
  "NUMBER_FORMAT",
  "RELATIVE_VALUE",
  "SPECIAL_CHARACTERS",
  "TOO_MANY",
  "VALUE_FORMAT",
  "VALUE_MISSING",
  "VALUE_UNKNOWN",
] as const;

export const previewPlanRules = action({
  address: "planAutoRule/preview",
  needs: "rule.view",
  input: PreviewRules,
  starts: "task",
  run: commands.startPreview,
  errors: [...conditionErrors, "NO_SELECTION", "NOT_FOUND", "RATE_LIMIT", "RULE_LOOP", "RULES_INVALID", "TOO_MANY_RULES"],
});

export const countRuleDus = action({
  address: "planAutoRule/count",
  kind: "read",
  needs: "rule.view",
  input: CountDus,
  run: queries.countDus,
  errors: [...conditionErrors],
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

"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ListRuns, ListUnmatched, PreviewFlowRules, RunFlowRules } from "./schema.ts";

export const runFlowRules = action({
  address: "duFlowRule/run",
  needs: "flow.autoConfig",
  input: RunFlowRules,
  starts: "task",
  run: commands.startRun,
  errors: ["NOT_FOUND", "RATE_LIMIT", "RULES_INVALID", "RULE_EXECUTING", "TOO_MANY_RULES"],
});

export const previewFlowRules = action({
  address: "duFlowRule/preview",
  kind: "read",
  needs: "flow.autoConfig",
  input: PreviewFlowRules,
  run: queries.previewFlowRules,
  errors: [
    "CONDITION_FIRST_CLOSE",
    "CONDITION_LAST_OPEN",
    "CONDITION_LOGIC",
    "CONDITION_PARENTHESES",
    "DATE_FORMAT",
    "NOT_FOUND",
    "NUMBER_FORMAT",
    "RELATIVE_VALUE",
    "SPECIAL_CHARACTERS",
    "TOO_MANY",
    "TOO_MANY_RULES",
    "VALUE_FORMAT",
    "VALUE_MISSING",
    "VALUE_UNKNOWN",
  ],
});

export const listRuns = action({
  address: "duFlowRule/run/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "flow.view",
  input: ListRuns,
  run: queries.listRuns,
});

export const listUnmatched = action({
  address: "duFlowRule/unmatched/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "flow.view",
  input: ListUnmatched,
  run: queries.listUnmatched,
});

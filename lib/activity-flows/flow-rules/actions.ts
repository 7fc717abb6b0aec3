"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ChangeFlowRules, ListFlowRules, SaveFlowRule, SortFlowRules } from "./schema.ts";

export const listFlowRules = action({
  address: "duFlowRule/list",
  kind: "read",
  needs: "flow.view",
  input: ListFlowRules,
  run: queries.listFlowRules,
});

export const saveFlowRule = action({
  address: "duFlowRule/save",
  needs: "flow.autoConfig",
  input: SaveFlowRule,
  run: commands.saveFlowRule,
  errors: [
    "CONDITION_FIRST_CLOSE",
    "CONDITION_LAST_OPEN",
    "CONDITION_LOGIC",
    "CONDITION_PARENTHESES",
    "DATE_FORMAT",
    "NAME_EXISTS",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "NUMBER_FORMAT",
    "PRIORITY_REPEATED",
    "RELATIVE_VALUE",
    "RULE_CANNOT_ENABLE",
    "RULE_EXECUTING",
    "SPECIAL_CHARACTERS",
    "STALE",
    "TOO_MANY",
    "TOO_MANY_RULES",
    "VALUE_FORMAT",
    "VALUE_MISSING",
    "VALUE_UNKNOWN",
  ],
});

export const enableFlowRules = action({
  address: "duFlowRule/enable",
  needs: "flow.autoConfig",
  input: ChangeFlowRules,
  run: commands.enableFlowRules,
  errors: ["NOT_FOUND", "RULE_CANNOT_ENABLE", "RULE_EXECUTING"],
});

export const disableFlowRules = action({
  address: "duFlowRule/disable",
  needs: "flow.autoConfig",
  input: ChangeFlowRules,
  run: commands.disableFlowRules,
  errors: ["NOT_FOUND", "RULE_EXECUTING"],
});

export const deleteFlowRules = action({
  address: "duFlowRule/delete",
  needs: "flow.autoConfig",
  input: ChangeFlowRules,
  run: commands.deleteFlowRules,
  errors: ["NOT_FOUND", "RULE_EXECUTING"],
});

export const sortFlowRules = action({
  address: "duFlowRule/saveSort",
  needs: "flow.autoConfig",
  input: SortFlowRules,
  run: commands.sortFlowRules,
  errors: ["RULE_EXECUTING", "STALE"],
});

"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import {
  CheckRepeated,
  CopyPlanRule,
  DeletePlanRules,
  FindDates,
  GetPlanRule,
  ListPlanRules,
  ListRuleObjects,
  SavePlanRule,
  SortPlanRules,
  SwitchPlanRules,
} from "./schema.ts";

export const listPlanRules = action({
  address: "planAutoRule/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "rule.view",
  input: ListPlanRules,
  run: queries.listRules,
});

export const getPlanRule = action({
  address: "planAutoRule/detail",
  kind: "read",
  needs: "rule.view",
  input: GetPlanRule,
  run: queries.getRuleDetail,
  errors: ["NOT_FOUND"],
});

export const listRuleObjects = action({
  address: "planAutoRule/objects",
  kind: "read",
  needs: "rule.view",
  input: ListRuleObjects,
  run: queries.listObjects,
});

export const savePlanRule = action({
  address: "planAutoRule/save",
  needs: "rule.edit",
  input: SavePlanRule,
  run: commands.saveRule,
  errors: [
    "CONDITION_FIRST_CLOSE",
    "CONDITION_LAST_OPEN",
    "CONDITION_LOGIC",
    "CONDITION_PARENTHESES",
    "DATE_FORMAT",
    "DATE_ORDER",
    "NAME_EXISTS",
    "NOT_FOUND",
    "NUMBER_FORMAT",
    "RELATIVE_VALUE",
    "RULE_ACTIONS_COUNT",
    "RULE_ACTIVITIES_COUNT",
    "RULE_ACTUAL_AUTO",
    "RULE_ACTUAL_PAIR",
    "RULE_ATTRIBUTES_FEW",
    "RULE_CANNOT_ENABLE",
    "RULE_CONVERSION",
    "RULE_DUPLICATE",
    "RULE_EVENTS",
    "RULE_EXECUTING",
    "RULE_LOOP",
    "RULE_OFFSET_DATES",
    "RULE_PLAN_PAIR",
    "RULE_SOURCE_FIELD",
    "RULE_SOURCE_IS_TARGET",
    "RULE_TARGET_FIELD",
    "RULE_TARGET_REPEATED",
    "SPECIAL_CHARACTERS",
    "STALE",
    "TOO_MANY",
    "VALUE_FORMAT",
    "VALUE_MISSING",
    "VALUE_UNKNOWN",
  ],
});

export const checkRuleIsRepeats = action({
  address: "planAutoRule/checkRuleIsRepeatsByRuleType",
  kind: "read",
  needs: "rule.view",
  input: CheckRepeated,
  run: queries.checkRepeated,
});

export const findAttrUsingDate = action({
  address: "rollout/findAttrUsingDate",
  kind: "read",
  needs: "rule.view",
  input: FindDates,
  run: queries.findDates,
});

export const enablePlanRules = action({
  address: "planAutoRule/enable",
  needs: "rule.edit",
  input: SwitchPlanRules,
  run: commands.enableRules,
  errors: ["NOT_FOUND", "RULE_CANNOT_ENABLE", "RULE_EXECUTING"],
});

export const disablePlanRules = action({
  address: "planAutoRule/disable",
  needs: "rule.edit",
  input: SwitchPlanRules,
  run: commands.disableRules,
  errors: ["NOT_FOUND", "RULE_EXECUTING"],
});

export const deletePlanRules = action({
  address: "planAutoRule/delete",
  needs: "rule.edit",
  input: DeletePlanRules,
  run: commands.deleteRules,
  errors: ["NOT_FOUND", "RULE_EXECUTING"],
});

export const copyPlanRule = action({
  address: "planAutoRule/copy",
  needs: "rule.edit",
  input: CopyPlanRule,
  run: commands.copyRule,
  errors: ["NOT_FOUND"],
});

export const sortPlanRules = action({
  address: "planAutoRule/saveSort",
  needs: "rule.edit",
  input: SortPlanRules,
  run: commands.sortRules,
  errors: ["NOT_FOUND", "RULE_EXECUTING"],
});

"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ruleCodes } from "./rules.ts";
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
  errors: [...ruleCodes, "NAME_EXISTS", "NOTHING_MODIFIED", "RULE_CANNOT_ENABLE", "RULE_EXECUTING", "STALE"],
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
  errors: ["NOT_FOUND", "RULE_EXECUTING", "STALE"],
});

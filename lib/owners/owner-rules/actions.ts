"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DeleteOwnerRules, ListOwnerRules, OwnerRuleDetail, SaveOwnerRule, SortOwnerRules, SwitchOwnerRules } from "./schema.ts";

export const listOwnerRules = action({
  address: "ownerRule/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "owner.view",
  input: ListOwnerRules,
  run: queries.listOwnerRules,
});

export const getOwnerRule = action({
  address: "ownerRule/detail",
  kind: "read",
  needs: "owner.view",
  input: OwnerRuleDetail,
  run: queries.getOwnerRule,
  errors: ["NOT_FOUND"],
});

export const saveOwnerRule = action({
  address: "ownerRule/save",
  needs: "owner.ruleEdit",
  input: SaveOwnerRule,
  run: commands.saveOwnerRule,
  errors: [
    "CONDITION_REPEATED",
    "DATE_FORMAT",
    "FLOW_REQUIRED",
    "FLOW_TEXT_TOO_LONG",
    "NAME_EXISTS",
    "NOTHING_MODIFIED",
    "NOT_FOUND",
    "NUMBER_FORMAT",
    "OWNER_NOT_RESOURCE",
    "RELATIVE_VALUE",
    "RULE_CANNOT_ENABLE",
    "RULE_EXECUTING",
    "SPECIAL_CHARACTERS",
    "STALE",
    "TOO_MANY",
    "VALUE_FORMAT",
    "VALUE_MISSING",
    "VALUE_UNKNOWN",
  ],
});

export const enableOwnerRules = action({
  address: "ownerRule/enable",
  needs: "owner.ruleEdit",
  input: SwitchOwnerRules,
  run: commands.enableOwnerRules,
  errors: ["NOT_FOUND", "RULE_CANNOT_ENABLE", "RULE_EXECUTING"],
});

export const disableOwnerRules = action({
  address: "ownerRule/disable",
  needs: "owner.ruleEdit",
  input: SwitchOwnerRules,
  run: commands.disableOwnerRules,
  errors: ["NOT_FOUND", "RULE_EXECUTING"],
});

export const deleteOwnerRules = action({
  address: "ownerRule/delete",
  needs: "owner.ruleEdit",
  input: DeleteOwnerRules,
  run: commands.deleteOwnerRules,
  errors: ["NOT_FOUND", "RULE_EXECUTING"],
});

export const sortOwnerRules = action({
  address: "ownerRule/saveSort",
  needs: "owner.ruleEdit",
  input: SortOwnerRules,
  run: commands.sortOwnerRules,
  errors: ["NOT_FOUND", "RULE_EXECUTING", "STALE"],
});

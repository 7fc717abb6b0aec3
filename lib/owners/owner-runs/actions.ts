"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ListOwnerChanges, ListOwnerRuns, PreviewOwnerRules, RunOwnerRules } from "./schema.ts";

export const runOwnerRules = action({
  address: "ownerRule/run",
  needs: "owner.ruleEdit",
  input: RunOwnerRules,
  starts: "task",
  run: commands.startOwnerRun,
  errors: ["NOT_FOUND", "NO_SELECTION", "RATE_LIMIT", "RULES_INVALID", "RULE_EXECUTING", "TOO_MANY_RULES"],
});

export const previewOwnerRules = action({
  address: "ownerRule/preview",
  needs: "owner.ruleEdit",
  input: PreviewOwnerRules,
  starts: "task",
  run: commands.startOwnerPreview,
  errors: [
    "CONDITION_REPEATED",
    "FLOW_REQUIRED",
    "NOT_FOUND",
    "NO_SELECTION",
    "OWNER_NOT_RESOURCE",
    "RATE_LIMIT",
    "SPECIAL_CHARACTERS",
    "TOO_MANY_RULES",
    "VALUE_MISSING",
    "VALUE_UNKNOWN",
  ],
});

export const listOwnerRuns = action({
  address: "ownerRule/run/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "owner.view",
  input: ListOwnerRuns,
  run: queries.listOwnerRuns,
});

export const listOwnerChanges = action({
  address: "ownerRule/run/changes/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "owner.view",
  input: ListOwnerChanges,
  run: queries.listOwnerChanges,
  errors: ["NOT_FOUND"],
});

"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindTargets, SaveTargets } from "./schema.ts";

export const findOrgTargets = action({
  address: "orgTarget/find",
  kind: "read",
  needs: "rule.view",
  input: FindTargets,
  run: queries.findTargets,
  errors: ["NOT_A_WEEK_START"],
});

export const saveOrgTargets = action({
  address: "orgTarget/save",
  needs: "rule.edit",
  input: SaveTargets,
  run: commands.saveTargets,
  errors: ["NEGATIVE_TARGET", "NOT_A_WEEK_START", "NOTHING_MODIFIED", "NOT_FOUND", "STALE"],
});

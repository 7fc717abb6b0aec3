"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { FindHead, FindPairs, SavePairs } from "./schema.ts";

/** Product lines, and the columns of two of them. */
export const readNetworkHead = action({
  address: "specialRolloutPlan/head",
  kind: "read",
  needs: "rollout.view",
  input: FindHead,
  run: queries.readNetworkHead,
});

/** Pairs of DUs of two product lines at one site. */
export const listNetworkPairs = action({
  address: "specialRolloutPlan/find",
  kind: "read",
  needs: "rollout.view",
  input: FindPairs,
  run: queries.listNetworkPairs,
  errors: ["SEARCH_TOO_MANY"],
});

/** Saves joint dates; the right to edit is asked of both DUs. */
export const saveNetworkPairs = action({
  address: "specialRolloutPlan/save",
  needs: "specialPlan.edit",
  input: SavePairs,
  run: commands.saveNetworkPairs,
  errors: ["CHANGED_MEANWHILE", "DU_NOT_FOUND", "NO_ACTIVITY", "RFC_DIFFERS", "STALE", "TOO_MANY", "VALUE_REPEATED", "WARNING_CONFIRM"],
});

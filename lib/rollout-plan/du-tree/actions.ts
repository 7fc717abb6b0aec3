"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { TreeInput } from "./schema.ts";

/** DUs as a hierarchy, level by level. */
export const duTree = action({
  address: "rolloutPlan/tree",
  kind: "read",
  needs: "rollout.view",
  input: TreeInput,
  run: queries.listTree,
  errors: ["NOT_FOUND"],
});

"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { HeadInput } from "./schema.ts";

/** Columns of the grid. */
export const planHead = action({
  address: "rolloutPlan/head",
  kind: "read",
  needs: "rollout.view",
  input: HeadInput,
  run: queries.readHead,
});

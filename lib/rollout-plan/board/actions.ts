"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { BoardInput } from "./schema.ts";

/** The activities of a kept query by lane and day. */
export const planBoard = action({
  address: "rolloutPlan/board",
  kind: "read",
  needs: "rollout.view",
  input: BoardInput,
  run: queries.readBoard,
  errors: ["TOO_MANY_DAYS", "QUERY_EXPIRED"],
});

"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { FindCandidates } from "./schema.ts";

export const findCandidates = action({
  address: "resource/candidates",
  kind: "read",
  needs: "rollout.view",
  input: FindCandidates,
  run: queries.findCandidates,
  errors: ["DU_EMPTY", "NOT_FOUND", "NO_SELECTION", "TOO_MANY_DU"],
});

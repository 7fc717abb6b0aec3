"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { AnswerPermit, ListPermits, SubmitPermit } from "./schema.ts";

/** Applies for a permit for at most 15 DUs. */
export const submitPermit = action({
  address: "permit/submit",
  needs: "rollout.permitSubmit",
  input: SubmitPermit,
  run: commands.submitPermit,
  errors: ["DU_NOT_FOUND", "NO_SELECTION", "REASON_REQUIRED", "TOO_MANY_DU"],
});

export const answerPermit = action({
  address: "permit/answer",
  needs: "rollout.permitSubmit",
  input: AnswerPermit,
  run: commands.answerPermit,
  errors: ["ACTUAL_AFTER_TODAY", "DU_NOT_FOUND", "NOT_FOUND", "STALE", "WRONG_STATUS"],
});

export const listPermits = action({
  address: "permit/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "rollout.view",
  input: ListPermits,
  run: queries.listPermits,
});

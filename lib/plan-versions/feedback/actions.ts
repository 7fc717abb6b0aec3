"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { DecideFeedback, ListFeedback, MapFeedback, SubmitFeedback, SuggestMapping } from "./schema.ts";

/** Answers to distributed plans; whoever leads none sees those to what was sent to him or his company. */
export const listFeedback = action({
  address: "planFeedback/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "member",
  input: ListFeedback,
  run: queries.listFeedback,
});

/** Takes what a recipient answers. */
export const submitFeedback = action({
  address: "planFeedback/submit",
  needs: "member",
  input: SubmitFeedback,
  run: commands.submitFeedback,
  errors: ["DISTRIBUTION_CLOSED", "NOT_FOUND", "PLAN_ORDER", "TOO_MANY"],
});

/** DUs and activities an answer could mean. */
export const suggestMapping = action({
  address: "planFeedback/suggest",
  kind: "read",
  needs: "version.distribute",
  input: SuggestMapping,
  run: queries.suggestMapping,
  errors: ["NOT_FOUND"],
});

/** Says which DU and activity answers mean. */
export const mapFeedback = action({
  address: "planFeedback/map",
  needs: "version.distribute",
  input: MapFeedback,
  run: commands.mapFeedback,
  errors: ["NOT_FOUND", "NOT_IN_VERSION", "TOO_MANY", "WRONG_STATUS"],
});

/** Takes proposals over into the plan, where the right to edit is asked DU by DU, or refuses them. */
export const decideFeedback = action({
  address: "planFeedback/decide",
  needs: ({ decision }) => (decision === "accepted" ? "rollout.edit" : "version.distribute"),
  input: DecideFeedback,
  run: commands.decideFeedback,
  errors: ["COMMENT_REQUIRED", "NOT_FOUND", "NOT_MAPPED", "TOO_MANY", "WRONG_STATUS"],
});

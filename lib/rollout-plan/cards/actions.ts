"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { CardsInput } from "./schema.ts";

/** DUs of a kept query as cards, page by page. */
export const planCards = action({
  address: "rolloutPlan/cards/{page}/{size}",
  kind: "read",
  needs: "rollout.view",
  input: CardsInput,
  run: queries.listCards,
  errors: ["QUERY_EXPIRED"],
});

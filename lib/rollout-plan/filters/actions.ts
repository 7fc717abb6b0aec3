"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { FacetInput, FilterInput, SummaryInput } from "./schema.ts";

/** Which DUs, in which order. */
export const filterPlan = action({
  address: "wbs/filter",
  kind: "read",
  needs: "rollout.view",
  input: FilterInput,
  run: queries.filterPlan,
  errors: ["FILTER_TOO_LONG", "SEARCH_TOO_MANY", "SELECTION_EXPIRED"],
});

/** Values of a column with counts. */
export const planFacet = action({
  address: "rolloutPlan/facet",
  kind: "read",
  needs: "rollout.view",
  input: FacetInput,
  run: queries.listFacet,
});

/** Figures of the shown activities over a whole query. */
export const planSummary = action({
  address: "rolloutPlan/summary",
  kind: "read",
  needs: "rollout.view",
  input: SummaryInput,
  run: queries.readSummary,
  errors: ["QUERY_EXPIRED"],
});

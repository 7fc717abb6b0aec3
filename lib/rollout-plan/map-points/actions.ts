"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { MapDusInput, MapInput } from "./schema.ts";

/** All points of a kept query. */
export const planMap = action({
  address: "rolloutPlan/map",
  kind: "read",
  needs: "rollout.view",
  input: MapInput,
  run: queries.readMap,
  errors: ["NOT_FOUND", "NOT_MODIFIED", "QUERY_EXPIRED"],
});

/** Names of points. */
export const mapDus = action({
  address: "rolloutPlan/map/dus",
  kind: "read",
  needs: "rollout.view",
  input: MapDusInput,
  run: queries.listMapDus,
  errors: ["TOO_MANY_DU"],
});

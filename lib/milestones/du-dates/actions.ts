"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { FindByDu, FindDus } from "./schema.ts";

export const findByDu = action({
  address: "milestoneConfig/findByDu",
  kind: "read",
  needs: "rollout.view",
  input: FindByDu,
  run: queries.findByDu,
  errors: ["NO_SELECTION", "TOO_MANY_DU"],
});

export const findDus = action({
  address: "milestoneConfig/findDus",
  kind: "read",
  needs: "rollout.view",
  input: FindDus,
  run: queries.findDus,
  errors: ["SEARCH_TOO_MANY"],
});

"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { GanttInput } from "./schema.ts";

/** Rows of named DUs with what a Gantt draws beside them. */
export const planGantt = action({
  address: "rolloutPlan/gantt",
  kind: "read",
  needs: "rollout.view",
  input: GanttInput,
  run: queries.readGantt,
  errors: ["TOO_MANY_DU", "NO_SELECTION"],
});

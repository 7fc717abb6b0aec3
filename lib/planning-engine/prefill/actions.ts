"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { CreateFromPlan, TakeFromPlan } from "./schema.ts";

/** Takes DUs of the rollout plan into a version. */
export const takeDusFromPlan = action({
  address: "nc/duConfig/takeFromPlan",
  needs: "engine.edit",
  input: TakeFromPlan,
  run: commands.takeFromPlan,
  errors: ["DU_EMPTY", "NOT_FOUND", "TOO_MANY_DU", "VERSION_LOCKED"],
});

/** Makes a version of the DUs of the rollout plan. */
export const createVersionFromPlan = action({
  address: "engine/version/createFromPlan",
  needs: "engine.edit",
  input: CreateFromPlan,
  run: commands.createFromPlan,
  errors: ["DU_EMPTY", "LOOP", "NAME_EXISTS", "NAME_REQUIRED", "NAME_TOO_LONG", "NOT_FOUND", "TOO_MANY_DU"],
});

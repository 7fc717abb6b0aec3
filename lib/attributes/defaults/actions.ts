"use server";
import { action } from "#lib/core/action.ts";
import { ApplyDefault } from "../schema.ts";
import * as commands from "./commands.ts";

/** Puts the default of an attribute into its empty cells. */
export const applyDefault = action({
  address: "planAttr/applyDefault",
  needs: "attribute.edit",
  input: ApplyDefault,
  run: commands.startApply,
  starts: "task",
  errors: ["NOT_FOUND", "VALUE_MISSING"],
});

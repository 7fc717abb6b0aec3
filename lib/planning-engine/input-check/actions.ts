"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { CheckInputs } from "./schema.ts";

/** State of every input of a version. */
export const findInputStatus = action({
  address: "engine/input/status",
  kind: "read",
  needs: "engine.view",
  input: CheckInputs,
  run: queries.findInputStatus,
  errors: ["NOT_FOUND"],
});

/** What keeps a version from being calculated, and what should be looked at. */
export const checkInputs = action({
  address: "engine/input/check",
  kind: "read",
  needs: "engine.view",
  input: CheckInputs,
  run: queries.checkInputs,
  errors: ["NOT_FOUND"],
});

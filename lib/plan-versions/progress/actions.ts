"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { ReadProgress } from "./schema.ts";

export const readProgress = action({
  address: "dataVersion/progress",
  kind: "read",
  needs: "version.view",
  input: ReadProgress,
  run: queries.readProgress,
  errors: ["NOT_FOUND", "TOO_MANY"],
});

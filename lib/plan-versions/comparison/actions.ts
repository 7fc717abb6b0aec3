"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { CompareVersions } from "./schema.ts";

export const compareVersions = action({
  address: "dataVersion/compare",
  kind: "read",
  needs: "version.view",
  input: CompareVersions,
  run: queries.compareVersions,
  errors: ["NOT_FOUND"],
});

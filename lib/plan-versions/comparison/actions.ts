"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { CompareVersions, ReadVersionTile } from "./schema.ts";

export const compareVersions = action({
  address: "dataVersion/compare",
  kind: "read",
  needs: "version.view",
  input: CompareVersions,
  run: queries.compareVersions,
  errors: ["NOT_FOUND"],
});

export const readVersionTile = action({
  address: "dataVersion/tile",
  kind: "read",
  needs: "version.view",
  input: ReadVersionTile,
  run: queries.readVersionTile,
  errors: ["NOT_FOUND", "QUERY_EXPIRED"],
});

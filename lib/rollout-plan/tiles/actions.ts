"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as queries from "./queries.ts";
import { ChangesInput, ListRows, TileInput } from "./schema.ts";

/** A part of the rows of a kept query. */
export const planTile = action({
  address: "rolloutPlan/tile",
  kind: "read",
  needs: "rollout.view",
  input: TileInput,
  run: queries.readTile,
  errors: ["QUERY_EXPIRED"],
});

/** Plain rows, page by page. */
export const planRows = action({
  address: `rolloutPlan/${listSuffix}`,
  kind: "read",
  needs: "rollout.view",
  input: ListRows,
  run: queries.listRows,
});

/** What changed since a change number. */
export const planChanges = action({
  address: "rolloutPlan/changes",
  kind: "read",
  needs: "rollout.view",
  input: ChangesInput,
  run: queries.listChanges,
});

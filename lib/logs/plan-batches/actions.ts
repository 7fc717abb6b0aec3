"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { ListBatches, ListLogFields } from "./schema.ts";

/** Batches that changed the plan, newest first. */
export const listBatches = action({
  address: "planLog/batches",
  kind: "read",
  needs: "planLog.view",
  input: ListBatches,
  run: queries.listBatches,
  errors: ["DATE_RANGE"],
});

/** What the log can name: fields with their titles. */
export const listLogFields = action({
  address: "planLog/fields",
  kind: "read",
  needs: "planLog.view",
  input: ListLogFields,
  run: queries.listLogFields,
});

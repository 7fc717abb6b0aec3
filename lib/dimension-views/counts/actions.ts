"use server";
import { action } from "#lib/core/action.ts";
import * as queries from "./queries.ts";
import { DrillInto, PreviewTab, QueryView, ReadTrend } from "./schema.ts";

/** The figures of a tab, value by value. */
export const queryView = action({
  address: "multiDim/query",
  kind: "read",
  needs: "multiDim.view",
  input: QueryView,
  run: queries.queryView,
  errors: ["FILTER_TOO_LONG", "NOT_FOUND"],
});

export const previewTab = action({
  address: "multiDim/preview",
  kind: "read",
  needs: ["multiDim.edit", "multiDim.global"],
  input: PreviewTab,
  run: queries.previewTab,
  errors: ["ACTIVITY_REQUIRED", "TOO_MANY_ACTIVITIES", "NOT_FOUND"],
});

/** The DUs behind a number, as a query the grid opens. */
export const drillInto = action({
  address: "multiDim/drill",
  kind: "read",
  needs: "rollout.view",
  input: DrillInto,
  run: queries.drillInto,
  errors: ["FILTER_TOO_LONG", "NOT_FOUND"],
});

export const readTrend = action({
  address: "multiDim/trend",
  kind: "read",
  needs: "multiDim.view",
  input: ReadTrend,
  run: queries.readTrend,
  errors: ["FILTER_TOO_LONG", "NOT_FOUND"],
});

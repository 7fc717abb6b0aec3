"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { ApplyOutput, ExportOutput, FindDetails, FindMoves, FindOutputPlan, FindRunHeader, ListActivityPlanning } from "./schema.ts";

export const findOutputPlan = action({
  address: "engine/output/find/outputPlan",
  kind: "read",
  needs: "engine.view",
  input: FindOutputPlan,
  run: queries.findOutputPlan,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findDetails = action({
  address: "engine/output/find/outputPlan/details",
  kind: "read",
  needs: "engine.view",
  input: FindDetails,
  run: queries.findDetails,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findMoves = action({
  address: "engine/output/find/moves",
  kind: "read",
  needs: "engine.view",
  input: FindMoves,
  run: queries.findMoves,
  errors: ["NOT_FOUND", "NO_BASE", "NO_OUTPUT"],
});

export const findHeader = action({
  address: "nc/activity/planning/buildHeader",
  kind: "read",
  needs: "engine.view",
  input: FindRunHeader,
  run: queries.findHeader,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const listActivityPlanning = action({
  address: `nc/activity/planning/find/${listSuffix}`,
  also: ["nc/activity/planning/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListActivityPlanning,
  run: queries.listActivityPlanning,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const applyOutput = action({
  address: "engine/output/apply",
  needs: "engine.apply",
  input: ApplyOutput,
  starts: "task",
  run: commands.startApply,
  errors: ["INPUTS_CHANGED", "NOT_FOUND", "NO_OUTPUT", "NO_SELECTION", "RATE_LIMIT", "TOO_MANY"],
});

export const exportOutput = action({
  address: "engine/output/export",
  needs: "engine.view",
  input: ExportOutput,
  starts: "task",
  run: commands.startOutputExport,
  errors: ["EXPORT_CELLS", "EXPORT_LIMIT", "EXPORT_UNFINISHED", "NOT_FOUND", "NO_DATA", "NO_OUTPUT", "RATE_LIMIT"],
});

"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import {
  ApplyOutput,
  ExportOutput,
  FindComparison,
  FindDetails,
  FindFacts,
  FindGantt,
  FindMap,
  FindMaterialGap,
  FindMaterialGrid,
  FindMoves,
  FindOutputPlan,
  FindRunHeader,
  FindTeams,
  ListActivityPlanning,
  ListMaterialPlanning,
} from "./schema.ts";

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

export const findMaterialGap = action({
  address: "engine/output/find/outputPlan/materialgap",
  kind: "read",
  needs: "engine.view",
  input: FindMaterialGap,
  run: queries.findMaterialGap,
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

export const listMaterialPlanning = action({
  address: `nc/material/planning/find/${listSuffix}`,
  also: ["nc/material/planning/find/list"],
  kind: "read",
  needs: "engine.view",
  input: ListMaterialPlanning,
  run: queries.listMaterialPlanning,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findMaterialGrid = action({
  address: "engine/output/find/materialGrid",
  kind: "read",
  needs: "engine.view",
  input: FindMaterialGrid,
  run: queries.findMaterialGrid,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findGantt = action({
  address: "engine/output/find/gantt",
  kind: "read",
  needs: "engine.view",
  input: FindGantt,
  run: queries.findGantt,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findMap = action({
  address: "engine/output/find/map",
  kind: "read",
  needs: "engine.view",
  input: FindMap,
  run: queries.findMap,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findTeams = action({
  address: "engine/output/find/teams",
  kind: "read",
  needs: "engine.view",
  input: FindTeams,
  run: queries.findTeams,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findComparison = action({
  address: "engine/output/find/compare",
  kind: "read",
  needs: "engine.view",
  input: FindComparison,
  run: queries.findComparison,
  errors: ["NOT_FOUND", "NO_OUTPUT"],
});

export const findFacts = action({
  address: "engine/output/find/facts",
  kind: "read",
  needs: "engine.view",
  input: FindFacts,
  run: queries.findFacts,
  errors: ["NOT_FOUND"],
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

"use server";
import { action } from "#lib/core/action.ts";
import { listSuffix } from "#lib/core/paging.ts";
import { ExportNet, FindMaterialGap, FindMaterialGrid, ListMaterialPlanning } from "../outputs/schema.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";

export const findMaterialGap = action({
  address: "engine/output/find/outputPlan/materialgap",
  kind: "read",
  needs: "engine.view",
  input: FindMaterialGap,
  run: queries.findMaterialGap,
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

export const exportNet = action({
  address: "engine/output/net/export",
  needs: "engine.view",
  input: ExportNet,
  starts: "task",
  run: commands.startNetExport,
  errors: ["EXPORT_CELLS", "EXPORT_LIMIT", "EXPORT_UNFINISHED", "NOT_FOUND", "NO_DATA", "NO_OUTPUT", "RATE_LIMIT"],
});

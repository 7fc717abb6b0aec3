"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { importKinds, importNeeds } from "./limits.ts";
import * as queries from "./queries.ts";
import { ApplyImport, ImportKinds, ImportOfOne, ImportTemplate, ListImportRows, PreviewImport } from "./schema.ts";

export const listImportKinds = action({
  address: "import/kinds",
  kind: "read",
  needs: importNeeds,
  input: ImportKinds,
  run: (ctx) => queries.listImportKinds(ctx),
});

export const previewImport = action({
  address: "import/preview",
  needs: (input) => importKinds[input.kind].needs,
  input: PreviewImport,
  starts: "task",
  run: commands.startPreview,
  errors: ["FILE_FORMAT", "NOT_FOUND", "RATE_LIMIT"],
});

/** An import of flows by the name of its object; the same check as `import/preview`. */
export const importFlows = action({
  address: "flow/import",
  needs: importKinds.flows.needs,
  input: ImportOfOne,
  starts: "task",
  run: (ctx, input) => commands.startPreview(ctx, { ...input, kind: "flows" }),
  errors: ["FILE_FORMAT", "NOT_FOUND", "RATE_LIMIT"],
});

/** An import of relations between DUs by the name of its object. */
export const importDuRelations = action({
  address: "duRelation/import",
  needs: importKinds.duRelations.needs,
  input: ImportOfOne,
  starts: "task",
  run: (ctx, input) => commands.startPreview(ctx, { ...input, kind: "duRelations" }),
  errors: ["FILE_FORMAT", "NOT_FOUND", "RATE_LIMIT"],
});

/** An import of owners of DUs by the name of its object. */
export const importDuOwners = action({
  address: "duConfig/import",
  needs: importKinds.duOwners.needs,
  input: ImportOfOne,
  starts: "task",
  run: (ctx, input) => commands.startPreview(ctx, { ...input, kind: "duOwners" }),
  errors: ["FILE_FORMAT", "NOT_FOUND", "RATE_LIMIT"],
});

/** An import of owners of regions by the name of its object. */
export const importRegionOwners = action({
  address: "regionConfig/import",
  needs: importKinds.regionOwners.needs,
  input: ImportOfOne,
  starts: "task",
  run: (ctx, input) => commands.startPreview(ctx, { ...input, kind: "regionOwners" }),
  errors: ["FILE_FORMAT", "NOT_FOUND", "RATE_LIMIT"],
});

/** An import of answers to a distributed plan by the name of its object. */
export const importFeedback = action({
  address: "planFeedback/import",
  needs: importKinds.planFeedback.needs,
  input: ImportOfOne,
  starts: "task",
  run: (ctx, input) => commands.startPreview(ctx, { ...input, kind: "planFeedback" }),
  errors: ["FILE_FORMAT", "NOT_FOUND", "RATE_LIMIT"],
});

/** An import of the regions of the customer's network by the name of its object. */
export const importNetworkRegions = action({
  address: "networkRegion/import",
  needs: importKinds.networkRegions.needs,
  input: ImportOfOne,
  starts: "task",
  run: (ctx, input) => commands.startPreview(ctx, { ...input, kind: "networkRegions" }),
  errors: ["FILE_FORMAT", "NOT_FOUND", "RATE_LIMIT"],
});

/** An import of people of the pool by the name of its object. */
export const importResources = action({
  address: "resource/import",
  needs: importKinds.resources.needs,
  input: ImportOfOne,
  starts: "task",
  run: (ctx, input) => commands.startPreview(ctx, { ...input, kind: "resources" }),
  errors: ["FILE_FORMAT", "NOT_FOUND", "RATE_LIMIT"],
});

export const listImportRows = action({
  address: "import/rows/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: importNeeds,
  input: ListImportRows,
  run: queries.listImportRows,
  errors: ["NOT_FOUND", "CALCULATING", "WRONG_STATUS", "IMPORT_EXPIRED"],
});

export const applyImport = action({
  address: "import/apply",
  needs: importNeeds,
  input: ApplyImport,
  starts: "task",
  run: commands.startApply,
  errors: ["NOT_FOUND", "IMPORT_REJECTED", "NOTHING_MODIFIED", "REASON_REQUIRED", "CALCULATING", "WRONG_STATUS", "RATE_LIMIT"],
});

export const makeImportTemplate = action({
  address: "import/template",
  kind: "read",
  needs: (input) => importKinds[input.kind].needs,
  input: ImportTemplate,
  run: commands.makeTemplate,
  errors: ["WRONG_FILE"],
});

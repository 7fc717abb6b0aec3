import { z } from "zod";
import { KeptFilter, refuseLongFilters } from "#lib/core/paging.ts";
import { compareFields, currentSide } from "../comparison/limits.ts";
import { exportFiltersMax } from "./limits.ts";

const id = z.int().min(1);
const side = z.union([id, z.literal(currentSide)]);
const fields = z.array(z.enum(compareFields)).min(1).default(["planEnd"]);
const filters = z.array(KeptFilter).max(exportFiltersMax).superRefine(refuseLongFilters).default([]);

/** One version, or a comparison as it is shown, as a workbook of one row per DU. */
export const ExportVersion = z
  .strictObject({ id: id.optional(), left: side.optional(), right: side.optional(), fields, filters })
  .superRefine((given, context) => {
    const missing = given.id === undefined ? (["left", "right"] as const).filter((name) => given[name] === undefined) : [];
    for (const name of missing) context.addIssue({ code: "custom", path: [name], params: { code: "VALUE_MISSING" } });
  });
export type ExportVersion = z.output<typeof ExportVersion>;

/** What the task keeps. */
export const ExportParams = ExportVersion;

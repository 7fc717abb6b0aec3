import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { compareFields, currentSide, tileDusMax, tileSlotsMax } from "./limits.ts";

/** A version by its id, or the plan as it is now. */
export const side = z.union([z.int().min(1), z.literal(currentSide)]);

/** What is compared: both sides, by which dates, and which part of the plan. */
export const compared = {
  left: side,
  right: side,
  fields: z
    .array(z.enum(compareFields))
    .min(1)
    .default(["planEnd"])
    .transform((fields) => [...new Set(fields)]),
};

/** Fields a comparison is filtered by; `laterThan` in working days and `kind` choose rows, the others what is compared at all. */
export const compareFilters = {
  search: ["like"],
  regionId: ["in", "eq"],
  activityId: ["in", "eq"],
  ownerId: ["eq"],
  laterThan: ["eq"],
  kind: ["in", "eq"],
} as const;

export const CompareVersions = listInput(compareFilters, { sortable: [] }).and(z.object(compared));
export type CompareVersions = z.output<typeof CompareVersions>;

/** The dates of a version for the rows of a part of a query, in the order of the slots asked. */
export const ReadVersionTile = z.strictObject({
  versionId: z.int().min(1),
  queryId: z.uuid(),
  from: z.int().min(0).max(10_000_000),
  count: z.int().min(1).max(tileDusMax).default(tileDusMax),
  slots: z.array(z.int().min(1).max(tileSlotsMax)).min(1).max(tileSlotsMax),
});

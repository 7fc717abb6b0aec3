import { z } from "zod";
import { networkRegionsMax, regionNameChars, regionStatuses, regionsMax, shareMax, sortMax } from "./limits.ts";
import { isShare } from "./logic.ts";

const id = z.int().min(1);
const rowVersion = z.int().min(1);
const ids = z
  .array(id)
  .min(1)
  .max(regionsMax)
  .transform((given) => [...new Set(given)]);

export const ListRegions = z.strictObject({});

const region = z
  .strictObject({
    id: id.optional(),
    name: z
      .string()
      .trim()
      .refine((name) => name !== "" && name.isWellFormed(), { params: { code: "NAME_REQUIRED" } })
      .refine((name) => [...name].length <= regionNameChars, { params: { code: "NAME_TOO_LONG", max: regionNameChars } }),
    sortNo: z.int().min(1).max(sortMax),
    networkRegionIds: z.array(id).max(networkRegionsMax),
    rowVersion: rowVersion.optional(),
  })
  .superRefine((given, context) => {
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });

/** New and changed regions; those that are not named stay as they are. [REG-03] [REG-04] */
export const SaveRegions = z.strictObject({ regions: z.array(region).min(1).max(regionsMax) });
export type SaveRegions = z.output<typeof SaveRegions>;

const share = z.strictObject({
  id,
  percentage: z.number().refine(isShare, { params: { code: "PERCENT_RANGE", max: shareMax } }),
  rowVersion,
});
const shares = z.array(share).min(1).max(regionsMax);
export type Share = z.output<typeof share>;

/** The shares of all regions in use. [REG-06] */
export const SaveShares = z.strictObject({ shares });
export type SaveShares = z.output<typeof SaveShares>;

/** Takes a region out of use, with the shares of the others where it has one, or into use again. */
export const SetRegionStatus = z.strictObject({
  id,
  status: z.enum(regionStatuses),
  shares: shares.optional(),
  /** The person has seen what follows. */
  confirm: z.boolean().default(false),
  rowVersion,
});
export type SetRegionStatus = z.output<typeof SetRegionStatus>;

export const DeleteRegions = z.strictObject({ ids });
export type DeleteRegions = z.output<typeof DeleteRegions>;

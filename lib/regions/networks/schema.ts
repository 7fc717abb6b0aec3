import { z } from "zod";
import { networkRegionsMax } from "../limits.ts";
import { networkRegionNameChars } from "./limits.ts";

const id = z.int().min(1);

/** Name of a network region. */
export const NetworkRegionName = z
  .string()
  .trim()
  .refine((name) => name !== "" && name.isWellFormed(), { params: { code: "NAME_REQUIRED" } })
  .refine((name) => [...name].length <= networkRegionNameChars, { params: { code: "NAME_TOO_LONG", max: networkRegionNameChars } });

export const ListNetworkRegions = z.strictObject({ keyword: z.string().max(200).optional() });
export type ListNetworkRegions = z.output<typeof ListNetworkRegions>;

/** A new network region or another name for one. */
export const SaveNetworkRegion = z
  .strictObject({ id: id.optional(), name: NetworkRegionName, rowVersion: z.int().min(1).optional() })
  .superRefine((given, context) => {
    if (given.id !== undefined && given.rowVersion === undefined)
      context.addIssue({ code: "custom", path: ["rowVersion"], params: { code: "VALUE_MISSING" } });
  });
export type SaveNetworkRegion = z.output<typeof SaveNetworkRegion>;

export const DeleteNetworkRegions = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(networkRegionsMax)
    .transform((given) => [...new Set(given)]),
});
export type DeleteNetworkRegions = z.output<typeof DeleteNetworkRegions>;

import { z } from "zod";
import { regionNameChars } from "./limits.ts";

const blanks = z.enum(["keep", "clear"]).default("keep");

/** What a person may ask of an import of DUs. */
export const DuImportOptions = z.strictObject({
  /** What an empty cell means for a DU that exists: its value stays, or is cleared. */
  blanks,
  /** Regions that do not exist yet are made instead of refusing their rows. */
  createRegions: z.boolean().default(false),
  /** Flow for the DUs without one, where no column names it. */
  flowId: z.int().min(1).nullable().default(null),
  /** Owner of the activities that get an actual date and have no owner yet, where no column names him. */
  ownerId: z.int().min(1).nullable().default(null),
});
export type DuImportOptions = z.output<typeof DuImportOptions>;

export const SiteImportOptions = z.strictObject({ blanks });
export type SiteImportOptions = z.output<typeof SiteImportOptions>;

/** Name of a region an import makes. */
export const regionName = z.string().trim().min(1).max(regionNameChars);

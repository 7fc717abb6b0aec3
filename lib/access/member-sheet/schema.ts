import { z } from "zod";
import { filterTypes } from "#lib/core/paging.ts";

const filter = z.object({
  field: z.string(),
  type: z.enum(filterTypes),
  values: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** What the task of an export keeps. */
export const MemberExportParams = z.object({ filters: z.array(filter), total: z.int() });
export type MemberExportParams = z.output<typeof MemberExportParams>;

/** What a person may ask of an import of roles. */
export const MemberImportOptions = z.strictObject({
  /** What an empty last day means for a role somebody holds: it stays as it is, or the role has no end any more. */
  blanks: z.enum(["keep", "clear"]).default("keep"),
});
export type MemberImportOptions = z.output<typeof MemberImportOptions>;

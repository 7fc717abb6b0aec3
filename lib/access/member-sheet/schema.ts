import { z } from "zod";
import { KeptFilter } from "#lib/core/paging.ts";

/** What the task of an export keeps. */
export const MemberExportParams = z.object({ filters: z.array(KeptFilter), total: z.int() });
export type MemberExportParams = z.output<typeof MemberExportParams>;

/** What a person may ask of an import of roles. */
export const MemberImportOptions = z.strictObject({
  /** What an empty last day means for a role somebody holds: it stays as it is, or the role has no end any more. */
  blanks: z.enum(["keep", "clear"]).default("keep"),
});
export type MemberImportOptions = z.output<typeof MemberImportOptions>;

import { z } from "zod";
import { KeptFilter } from "#lib/core/paging.ts";
import { poolTabs } from "../pool/limits.ts";

/** What the task of an export keeps. */
export const PoolExportParams = z.object({ tab: z.enum(poolTabs), filters: z.array(KeptFilter), total: z.int() });
export type PoolExportParams = z.output<typeof PoolExportParams>;

/** What a person may ask of an import of people. */
export const PoolImportOptions = z.strictObject({
  /** What an empty cell means for somebody who is in the pool: it stays as it is, or is emptied. */
  blanks: z.enum(["keep", "clear"]).default("keep"),
});
export type PoolImportOptions = z.output<typeof PoolImportOptions>;

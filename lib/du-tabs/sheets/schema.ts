import { z } from "zod";
import { KeptFilter } from "#lib/core/paging.ts";
import { ListRows } from "../rows/schema.ts";
import { importFilesMax } from "./limits.ts";

/** A tab and the conditions of its list. */
export const ExportTab = z.strictObject({ tabId: z.int().min(1), filters: z.unknown().default([]) }).transform((given, context) => {
  const parsed = ListRows.safeParse({ page: 1, size: 20, filters: given.filters });
  if (parsed.success) return { tabId: given.tabId, filters: parsed.data.filters };
  for (const issue of parsed.error.issues) context.addIssue({ ...issue } as never);
  return z.NEVER;
});
export type ExportTab = z.output<typeof ExportTab>;

/** Uploaded workbooks in the order they are taken. */
export const ImportTabs = z.strictObject({
  fileIds: z
    .array(z.uuid())
    .min(1)
    .transform((given) => [...new Set(given)])
    .refine((given) => given.length <= importFilesMax, { params: { code: "TOO_MANY_FILES", max: importFilesMax } }),
});
export type ImportTabs = z.output<typeof ImportTabs>;

/** What the tasks keep. */
export const TabExportParams = z.object({ tabId: z.int(), filters: z.array(KeptFilter), total: z.int() });
export type TabExportParams = z.output<typeof TabExportParams>;
export const TabImportParams = z.object({ fileIds: z.array(z.uuid()) });
export type TabImportParams = z.output<typeof TabImportParams>;

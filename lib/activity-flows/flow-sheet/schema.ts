import { z } from "zod";
import { sheetFlowsMax } from "./limits.ts";

/** An export of flows, each as it is being edited: its working copy where one is open. */
export const ExportFlows = z.strictObject({ ids: z.array(z.int().min(1)).min(1).max(sheetFlowsMax) });
export type ExportFlows = z.output<typeof ExportFlows>;

/** What the task keeps. */
export const FlowExportParams = z.strictObject({ ids: z.array(z.int()), total: z.int() });
export type FlowExportParams = z.output<typeof FlowExportParams>;

/** What a person may ask of an import of flows. */
export const FlowImportOptions = z.strictObject({
  /** Activities of a flow that the file does not name stay instead of being removed. */
  keepActivities: z.boolean().default(false),
});
export type FlowImportOptions = z.output<typeof FlowImportOptions>;

import { z } from "zod";
import { sheetKinds } from "./limits.ts";

/** Definitions of all attributes, or their values of all DUs. */
export const ExportSheet = z.strictObject({ kind: z.enum(sheetKinds).default("DEFINITION") });
export type ExportSheet = z.output<typeof ExportSheet>;
/** One uploaded workbook. */
export const ImportSheet = z.strictObject({ kind: z.enum(sheetKinds).default("DEFINITION"), fileId: z.uuid() });
export type ImportSheet = z.output<typeof ImportSheet>;
/** What the tasks keep. */
export const NoParams = z.strictObject({});
export const ImportParams = z.strictObject({ fileId: z.uuid() });
export type ImportParams = z.output<typeof ImportParams>;

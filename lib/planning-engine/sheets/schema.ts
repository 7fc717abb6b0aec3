import { z } from "zod";
import { inputBlocks } from "../input-check/limits.ts";

/** One input of a version, as a workbook. */
export const ExportInput = z.strictObject({ versionId: z.int().min(1), block: z.enum(inputBlocks) });
export type ExportInput = z.output<typeof ExportInput>;
/** One uploaded workbook of an input. */
export const ImportInput = ExportInput.extend({ fileId: z.uuid() });
export type ImportInput = z.output<typeof ImportInput>;

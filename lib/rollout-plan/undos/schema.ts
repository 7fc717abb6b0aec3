import { z } from "zod";

export const UndoInput = z.strictObject({ batchId: z.int().min(1) });
export type UndoInput = z.output<typeof UndoInput>;

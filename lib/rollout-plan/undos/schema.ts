import { z } from "zod";
import { confirmed } from "#lib/rollout-plan/edits/schema.ts";

export const UndoInput = z.strictObject({ batchId: z.int().min(1), confirmed });
export type UndoInput = z.output<typeof UndoInput>;

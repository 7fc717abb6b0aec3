import { z } from "zod";

/** Asks for the columns of the grid; without flows those of every released flow. */
export const HeadInput = z.strictObject({ flowIds: z.array(z.int().min(1)).max(500).optional() });
export type HeadInput = z.output<typeof HeadInput>;

import { z } from "zod";

/** Who hands over what he owns, and to whom; `dryRun` only counts. [RES-41] */
export const TransferResource = z.strictObject({
  resourceId: z.int().min(1),
  receiver: z.string().trim().min(1).max(60),
  dryRun: z.boolean().default(false),
});
export type TransferResource = z.output<typeof TransferResource>;

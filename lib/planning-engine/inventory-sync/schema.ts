import { z } from "zod";

/** The current version, whose stock is synchronised. */
export const SyncInventory = z.strictObject({ versionId: z.int().min(1) });
export type SyncInventory = z.output<typeof SyncInventory>;

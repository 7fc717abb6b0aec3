import { z } from "zod";

/** A list of network regions is read without a question. */
export const NetworkSheetOptions = z.strictObject({});
export type NetworkSheetOptions = z.output<typeof NetworkSheetOptions>;

import { z } from "zod";
import { currencies, rateKinds } from "./limits.ts";

const rowVersion = z.int().min(0);

/** A change of the currency is confirmed: amounts are not converted. */
export const SaveCurrency = z.strictObject({ code: z.enum(currencies), confirm: z.boolean().default(false), rowVersion });
export type SaveCurrency = z.output<typeof SaveCurrency>;
export const SaveRate = z.strictObject({ kind: z.enum(rateKinds), value: z.number(), rowVersion });
export type SaveRate = z.output<typeof SaveRate>;
export const Nothing = z.strictObject({});

import { z } from "zod";

/** A version whose inputs are looked at. */
export const CheckInputs = z.strictObject({ versionId: z.int().min(1) });

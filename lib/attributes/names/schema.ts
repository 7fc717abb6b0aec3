import { z } from "zod";
import { askedNameChars } from "./limits.ts";

/** A name that somebody types; `id` is the object that may have it. */
export const CheckName = z.strictObject({
  kind: z.string().max(40),
  name: z.string().trim().min(1).max(askedNameChars),
  id: z.int().min(1).optional(),
});
export type CheckName = z.output<typeof CheckName>;

import { z } from "zod";
import { reminderKinds, remindersPerCall } from "./limits.ts";

export const ChangeReminders = z.strictObject({
  kind: z.enum(reminderKinds),
  ids: z
    .array(z.int().min(1))
    .min(1)
    .max(remindersPerCall)
    .transform((given) => [...new Set(given)].sort((a, b) => a - b)),
});
export type ChangeReminders = z.output<typeof ChangeReminders>;

import { z } from "zod";
import { deletedKinds, reminderKinds, remindersPerCall } from "./limits.ts";

const ids = z
  .array(z.int().min(1))
  .min(1)
  .max(remindersPerCall)
  .transform((given) => [...new Set(given)].sort((a, b) => a - b));

export const ChangeReminders = z.strictObject({ kind: z.enum(reminderKinds), ids });
export type ChangeReminders = z.output<typeof ChangeReminders>;

export const DeleteReminders = z.strictObject({ kind: z.enum(deletedKinds), ids });
export type DeleteReminders = z.output<typeof DeleteReminders>;

import { z } from "zod";
import { addressChars } from "../outbox/limits.ts";
import { senderNameChars } from "./limits.ts";

export const Empty = z.object({});

/** Empty texts mean none. `rowVersion` is 0 until the settings were saved for the first time. */
export const SaveSettings = z.object({
  senderName: z
    .string()
    .trim()
    .max(senderNameChars)
    .nullable()
    .transform((text) => text || null),
  replyTo: z
    .string()
    .trim()
    .max(addressChars)
    .nullable()
    .transform((text) => text || null),
  defaultSendTime: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  equipmentAccountAttributeId: z.int().min(1).nullable(),
  productNameAttributeId: z.int().min(1).nullable(),
  rowVersion: z.int().min(0),
});
export type SaveSettings = z.output<typeof SaveSettings>;

import { z } from "zod";
import { locales } from "#lib/core/locale.ts";
import { Addresses } from "../recipients/schema.ts";
import { notifiedCcMax, notifiedContentChars, notifiedSubjectChars } from "./limits.ts";

/** Longest list read before a rule says how long it may be. */
const readMax = 10_000;
const ids = (max: number) =>
  z
    .array(z.int().min(1))
    .max(max)
    .default([])
    .transform((given) => [...new Set(given)]);

/**
 * `addresses` are separated by semicolons where they come as one text. `requestId` names the click: the same one sends once.
 * `lang` is the language of addresses; people in copy get their own.
 */
export const SendDuNotification = z.object({
  duIds: ids(readMax),
  attributeIds: ids(readMax),
  activityIds: ids(readMax),
  addresses: Addresses,
  ccUserIds: ids(notifiedCcMax),
  subject: z.string().trim().min(1).max(notifiedSubjectChars),
  content: z.string().trim().min(1).max(notifiedContentChars),
  lang: z.enum(locales).optional(),
  requestId: z.uuid(),
});
export type SendDuNotification = z.output<typeof SendDuNotification>;

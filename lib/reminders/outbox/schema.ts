import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { addressChars, bounceChars, mailsPerCall } from "./limits.ts";

/** `at` takes a range of days; `to` a part of the address or name. */
export const MailLogInput = listInput(
  { status: ["eq", "in"], kind: ["eq", "in"], to: ["like"], subject: ["like"], at: ["range"] },
  { sortable: [] },
);

export const MailIds = z.object({
  ids: z.array(z.int().min(1)).min(1).max(mailsPerCall),
});

export const MailId = z.object({ id: z.coerce.number().int().min(1) });

export const Bounce = z.object({
  messageId: z.string().min(3).max(200),
  code: z.string().max(20),
  text: z.string().max(bounceChars),
});

export const BlockedAddress = z.object({ address: z.string().min(3).max(addressChars) });
export const OptoutId = z.object({ id: z.int().min(1) });
export const Nothing = z.object({});

import { z } from "zod";
import { roles } from "#lib/permissions.ts";
import { addressChars } from "../outbox/limits.ts";
import { addressesMax, namedMax } from "./limits.ts";
import { splitAddresses } from "./logic.ts";

const ids = z
  .array(z.int().min(1))
  .max(namedMax)
  .default([])
  .transform((given) => [...new Set(given)].sort((a, b) => a - b));

/** Addresses as a list, or as one text with `;` or line breaks between them: each once, trimmed. Whether they are addresses is a rule. */
export const Addresses = z
  .union([z.array(z.string().max(addressChars * 2)), z.string().max(addressesMax * (addressChars + 2) * 2)])
  .default([])
  .transform(splitAddresses);

/** Whom a rule writes to: accounts, groups, business roles, and addresses outside. REM-09 */
export const Receivers = z.strictObject({
  userIds: ids,
  groupIds: ids,
  roles: z
    .array(z.enum(roles))
    .max(namedMax)
    .default([])
    .transform((given) => [...new Set(given)].sort()),
  addresses: Addresses,
});
export type Receivers = z.output<typeof Receivers>;

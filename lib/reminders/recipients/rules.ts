import type { Rule } from "#lib/core/rule.ts";
import { isAddress } from "../outbox/logic.ts";
import { addressesMax } from "./limits.ts";

export type AddressFacts = { addresses: readonly string[] };

/** Every address of a rule can exist. REM-20 */
export const EMAIL_INVALID: Rule<AddressFacts> = {
  code: "EMAIL_INVALID",
  broken: ({ addresses }) => {
    const wrong = addresses.filter((address) => !isAddress(address));
    return wrong.length > 0 && { address: wrong.join("; ") };
  },
};

/** A rule writes to so many addresses outside at most. REM-21 */
export const TOO_MANY_RECIPIENTS: Rule<AddressFacts> = {
  code: "TOO_MANY_RECIPIENTS",
  broken: ({ addresses }) => addresses.length > addressesMax && { max: addressesMax },
};

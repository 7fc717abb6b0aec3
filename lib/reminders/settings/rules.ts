import type { Rule } from "#lib/core/rule.ts";
import { isAddress } from "../outbox/logic.ts";

/** Answers can only go to an address that can exist. REM-20 */
export const EMAIL_INVALID: Rule<{ replyTo: string | null }> = {
  code: "EMAIL_INVALID",
  broken: ({ replyTo }) => replyTo !== null && !isAddress(replyTo) && { address: replyTo },
};

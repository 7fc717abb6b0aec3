import type { Rule } from "#lib/core/rule.ts";
import type { MailStatus } from "./limits.ts";
import { isAddress } from "./logic.ts";

export type MailFacts = { status: MailStatus; toAddress: string };

const resendable: readonly MailStatus[] = ["FAILED", "UNCERTAIN", "BOUNCED"];
const waiting: readonly MailStatus[] = ["QUEUED", "RETRY"];

/** Only what failed, bounced or has an unknown outcome is sent again, and only to an address that can exist. */
export const resendRules: readonly Rule<MailFacts>[] = [
  { code: "MAIL_ALREADY_SENT", broken: ({ status }) => status === "SENT" },
  { code: "WRONG_STATUS", broken: ({ status }) => (status === "SENT" || resendable.includes(status) ? false : { status }) },
  { code: "EMAIL_INVALID", broken: ({ toAddress }) => (isAddress(toAddress) ? false : { address: toAddress }) },
];

/** Only what waits can be taken back. */
export const cancelRules: readonly Rule<MailFacts>[] = [
  { code: "MAIL_ALREADY_SENT", broken: ({ status }) => status === "SENT" || status === "BOUNCED" },
  { code: "WRONG_STATUS", broken: ({ status }) => (["SENT", "BOUNCED", ...waiting].includes(status) ? false : { status }) },
];

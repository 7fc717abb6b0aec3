/**
 * Every kind of mail, and whether its receiver may decline it in a project. Results of own work, failures and security mails are never declined.
 * REM
 */
export const mailKinds = {
  "du.notification": { mayDecline: false },
  "duChange.step": { mayDecline: false },
  "planDistribution.reminder": { mayDecline: true },
  "planDistribution.sent": { mayDecline: false },
  "planFeedback.refused": { mayDecline: false },
  "flowRule.invalid": { mayDecline: false },
  mailRule: { mayDecline: true },
  "ownerRule.invalid": { mayDecline: false },
  "planRule.failed": { mayDecline: false },
  "planRule.invalid": { mayDecline: false },
  "project.closing": { mayDecline: false },
  reminder: { mayDecline: true },
  "reminder.test": { mayDecline: false },
  "resource.expiry": { mayDecline: true },
  "resource.introduction": { mayDecline: false },
  "task.result": { mayDecline: false },
  "workOrder.digest": { mayDecline: true },
  "workOrder.step": { mayDecline: false },
} as const;
export type MailKind = keyof typeof mailKinds;

export const mailStatuses = ["QUEUED", "SENDING", "SENT", "RETRY", "FAILED", "UNCERTAIN", "BOUNCED", "CANCELLED"] as const;
export type MailStatus = (typeof mailStatuses)[number];

/** Waits before the second to the sixth attempt, in minutes; after the last one the mail has failed. */
export const retryMinutes = [1, 5, 15, 60, 240] as const;
/** Hours after which a mail nobody could send is given up, so that a transport configured later starts no flood. */
export const expiryHours = 48;
/** Permanent failures and bounces without a success between them that block an address. */
export const failuresToBlock = 3;
/** Mails one worker holds at a time: what it leaves uncertain at most when it is killed. */
export const blockMails = 10;
/** Connections of one worker to the mail server. */
export const connections = 5;
/** Longest wait for the connection and its greeting, and for the answer after the end of the data, in milliseconds. */
export const greetingMs = 30_000;
export const answerMs = 120_000;
/** Seconds without a sign of life after which a worker counts as dead. */
export const deadSeconds = 30;
/** Replies after which no further attempt is made. */
export const permanentReplies: readonly number[] = [550, 551, 553, 554];
/** Longest subject and address, in characters. */
export const subjectChars = 200;
export const addressChars = 254;
/** Bytes the attachments of a mail may have together; larger ones are linked. */
export const attachmentBytes = 10_485_760;
/** Rows a mail lists in its workbook. */
export const mailRowsMax = 2_000;
/** Days a mail is kept from the moment it was put into the outbox. */
export const keepDays = 180;
/** Mails one call resends or cancels. */
export const mailsPerCall = 500;
/** Declined kinds and blocked addresses a list shows. */
export const optoutsMax = 1_000;
/** Longest text of a reported bounce. */
export const bounceChars = 500;

/** Why a mail was not sent, where the product itself decided; anything else in `last_error` is what the mail server said. */
export const ownReasons = [
  "expired",
  "declined",
  "blocked",
  "cancelled",
  "malformed",
  "workerLost",
  "noAnswer",
  "attachmentGone",
  "ruleDisabled",
  "isolated",
] as const;
export type OwnReason = (typeof ownReasons)[number];

/** How often a reminder is sent. REALTIME has no times of its own: it follows the changes. */
export const frequencyKinds = ["ONCE", "DAILY", "WEEKLY", "MONTHLY", "EVERY_N_DAYS", "REALTIME"] as const;
export type FrequencyKind = (typeof frequencyKinds)[number];

/** Last day of the month that can be chosen by its number: every month has it. */
export const monthDayMax = 28;
/** Days between two mails at most. */
export const everyDaysMax = 90;
/** Hours after which a missed time is not made up for. */
export const lateHours = 24;

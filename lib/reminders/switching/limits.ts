/** The lists of reminders that are put into force, out of it, and deleted alike. */
export const reminderKinds = ["RULE", "ACTUAL_TIME", "DEVIATION", "RFI"] as const;
export type ReminderKind = (typeof reminderKinds)[number];

/** Reminders one call changes. */
export const remindersPerCall = 500;

/** Why a reminder cannot be put into force. */
export const enableFaults = ["PAST", "ACTIVITY", "ATTRIBUTE", "REGION", "RESPONSIBLE"] as const;
export type EnableFault = (typeof enableFaults)[number];

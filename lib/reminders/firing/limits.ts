/** Minutes after the first change at which a rule that follows them at once sends its mail. */
export const realtimeMinutes = 5;
/** Mails of such a rule to one person on one project day; the rest waits for the full hour. */
export const realtimePerDay = 12;
/** Days a send time that was dealt with is remembered. */
export const fireKeepDays = 400;
/** Hours whose changes a preview shows for a rule that is not saved yet. */
export const previewHours = 24;
/** Receivers a preview names. */
export const previewReceiversMax = 50;

/** The tables whose send times are dealt with. */
export const fireKinds = ["RULE", "DEVIATION", "RFI"] as const;
export type FireKind = (typeof fireKinds)[number];

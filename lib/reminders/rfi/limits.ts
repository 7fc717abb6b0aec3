/** How sites that wait after RFI are brought to mind. */
export const remindTypes = ["MAIL", "IN_APP", "GRID_MARK"] as const;
export type RemindType = (typeof remindTypes)[number];

/** Country whose projects have these reminders: their DUs stand in federative states. */
export const rfiCountry = "BR";
/** Time of the day at which they are sent. */
export const rfiSendTime = "08:00";
/** Longest wait that can be asked for, in days. */
export const rfiDaysMax = 9999;
/** States one save takes; a federation has fewer. */
export const statesMax = 200;

/** Rows of a table inside a mail; of more it gives the number. */
export const inlineRowsMax = 200;
/** Kinds of activities that RFI reminders look at: what begins the wait, and what ends it unless another activity is chosen. */
export const rfiKind = "rfi";
export const untilKind = "ic";

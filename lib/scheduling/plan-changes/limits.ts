/** DUs one plan change may hold. */
export const planChangeDusMax = 50;

/** Longest reason of a plan change, characters. */
export const planChangeReasonMax = 500;

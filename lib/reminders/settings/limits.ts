/** Longest name a project sends its mails under, in characters. */
export const senderNameChars = 100;
/** When a reminder is sent unless it says otherwise, on the project's wall clock. */
export const standardSendTime = "08:00";

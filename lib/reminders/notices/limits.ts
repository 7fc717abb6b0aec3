/** Days a notice is kept. */
export const noticeKeepDays = 90;
/** Longest words of a person a notice carries, and longest address it leads to, in characters. */
export const noticeBodyChars = 1000;
export const noticeLinkChars = 500;
/** Notices one call marks as read by their ids. */
export const noticesPerCall = 200;

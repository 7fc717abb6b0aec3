/** Days before an authorisation, a visa or an agreement ends on which the managers are told, the last one its own day. */
export const expiryDays = [30, 7, 0] as const;
/** Lines of a mail before it only counts. */
export const expiryLinesMax = 50;
/** What ends. */
export const expiryKinds = ["auth", "visa", "dpa"] as const;
export type ExpiryKind = (typeof expiryKinds)[number];

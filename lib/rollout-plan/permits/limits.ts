/** DUs one application covers. [RPL-29] */
export const permitDusMax = 15;
/** What is applied for, by the authority that answers. */
export const permitKinds = ["landlord", "municipality", "road", "power", "other"] as const;
export type PermitKind = (typeof permitKinds)[number];
export const permitStatuses = ["submitted", "approved", "rejected"] as const;
export type PermitStatus = (typeof permitStatuses)[number];
/** Characters of the reason and of the remark on an answer. */
export const permitTextChars = 2_000;

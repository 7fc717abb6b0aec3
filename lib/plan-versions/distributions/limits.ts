/** Recipients one call may send to, and candidates shown at once. */
export const recipientsMax = 50;
export const candidatesMax = 20;
/** Conditions that choose the DUs of a distribution, and values of one. */
export const distributionFiltersMax = 10;
export const filterValuesMax = 200;
/** Characters of the message to the recipients. */
export const messageChars = 2_000;
/** Distributions one call closes or reminds of. */
export const distributionsPerCall = 200;
/** DUs one page of a distributed plan shows. */
export const shownDusMax = 200;

/** What has become of a distribution. */
export const distributionStatuses = ["sent", "opened", "answered", "closed"] as const;
export type DistributionStatus = (typeof distributionStatuses)[number];

/** Who a plan is distributed to: a member, the people of a company, or an address outside. */
export const recipientKinds = ["user", "company", "email"] as const;
export type RecipientKind = (typeof recipientKinds)[number];

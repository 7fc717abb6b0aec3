/** Where a person of the pool comes from. */
export const resourceTypes = ["OWN", "LEASE", "SUBCONTRACT", "CUSTOMER"] as const;
export type ResourceType = (typeof resourceTypes)[number];
/** Types that are added by hand; people of a subcontractor are introduced. */
export const addedTypes = ["OWN", "LEASE", "CUSTOMER"] as const satisfies readonly ResourceType[];

/** How a person stands in the pool. */
export const resourceStatuses = ["ACTIVE", "PENDING", "REJECTED", "INACTIVE"] as const;
export type ResourceStatus = (typeof resourceStatuses)[number];

/** Why an account cannot be chosen where a person of the pool is needed. */
export const invalidReasons = ["MISSING", "INACTIVE", "AUTH_EXPIRED", "DPA_EXPIRED"] as const;
export type InvalidReason = (typeof invalidReasons)[number];

/** What a list of the pool shows: people by where they come from, those of the person's own groups, those of any group. */
export const poolTabs = ["OWN", "SUBCON", "CUSTOMER", "GROUPS", "ALL_GROUPS"] as const;
export type PoolTab = (typeof poolTabs)[number];

/** State of an authorisation: without one a person is not limited. */
export const authStates = ["NONE", "VALID", "ENDING", "EXPIRED", "FUTURE"] as const;
/** Days before its end from which an authorisation is shown as ending. */
export const authEndingDays = 30;

/** People one call adds or changes, and people one import adds. RES-22 */
export const peoplePerCall = 20;
/** Characters of telephone numbers, which are digits and commas. RES-21 */
export const phoneChars = 100;
export const contractorChars = 200;
export const visaTypeChars = 60;
export const skillChars = 60;
export const skillsMax = 20;
/** Roles a role that cannot take over responsibilities lacks: the receiver of a transfer holds one of these in the project. RES-41 */
export const receiverRoles = ["PM", "TD", "TL"] as const;
/** Entries of the history of a person. */
export const historyShown = 100;

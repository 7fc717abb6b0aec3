/** Where a person of the pool comes from. */
export const resourceTypes = ["OWN", "LEASE", "SUBCONTRACT", "CUSTOMER"] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** How a person stands in the pool. */
export const resourceStatuses = ["ACTIVE", "PENDING", "REJECTED", "INACTIVE"] as const;
export type ResourceStatus = (typeof resourceStatuses)[number];

/** Why an account cannot be chosen where a person of the pool is needed. */
export const invalidReasons = ["MISSING", "INACTIVE", "AUTH_EXPIRED", "DPA_EXPIRED"] as const;
export type InvalidReason = (typeof invalidReasons)[number];

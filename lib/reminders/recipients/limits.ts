/** Addresses outside the product that one rule writes to. REM-21 */
export const addressesMax = 200;
/** Accounts, groups and roles one rule names each. */
export const namedMax = 200;

/** Why somebody who was meant to get a mail gets none. */
export const leftOutReasons = ["INACTIVE", "NO_ADDRESS", "NO_ROLE", "DECLINED", "BLOCKED"] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

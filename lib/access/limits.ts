/** Most people or roles one call grants or takes away. */
export const membersPerCall = 200;
/** Days before the end of a role from which it is shown as ending, and its holder is told. */
export const endingDays = 30;
/** Roles that follow from ownership of DUs and regions and are not granted by hand. */
export const derivedRoles = ["SITE_OWNER", "REGION_OWNER"] as const;
/** Roles whose holders may name a delegate. */
export const delegableRoles = ["PM", "PD", "DPD"] as const;
/** Longest delegation, in months. */
export const delegationMonths = 12;
/** Longest reason of a delegation. */
export const reasonChars = 500;
/** Delegations a person is shown, newest first. */
export const delegationsShown = 200;
/** People named as those to ask for a right. */
export const askedPeople = 20;
/** Approvals of the business, which an administrator of the system never gives. */
export const businessApprovals = ["duChange.approve", "etm.accept", "pr.issue", "activity.naApprove"] as const;
/** Rights a project manager keeps, so that somebody can always give them back. */
export const keptByManager = ["project.enter", "role.view", "role.assign", "role.permissionEdit"] as const;

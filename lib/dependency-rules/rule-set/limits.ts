/** What can happen to an activity, in the order in which it happens. */
export const activityEvents = ["START", "COMPLETE", "CLOSE"] as const;
/** What a rule can name: an event of an activity, or an attribute of the DU being filled in [DEP-03]. */
export const dependencyEvents = [...activityEvents, "MAINTAIN"] as const;
/** A rule is enforced, or kept only [DEP-04]. */
export const ruleStatuses = ["EFFECTIVE", "EXPIRED"] as const;

/** Rules enforced in a project [DEP-05]. */
export const effectiveMax = 50;
/** Targets of one configuration; each is stored as a rule of its own [DEP-06]. */
export const targetsMax = 10;
/** Prerequisites of a rule [DEP-07]. */
export const prerequisitesMax = 5;

/** Sites a week, every number of a capacity is below it [RES-32]. */
export const capacityBelow = 10_000;
/** Percent of the planned work that is to be reserved [RES-31]. */
export const redundancyMin = 100;
export const redundancyMax = 10_000;
/** Weeks before the first increase, and between two [RES-30]. */
export const leadWeeksMin = 1;
export const periodWeeksMin = 1;
export const weeksMax = 520;
/** Capacities one company may have: one for each region and kind. */
export const capacitiesMax = 200;
/** Weeks of one capacity that may be set by hand. */
export const overridesMax = 260;
/** Weeks the comparison with the plan shows. */
export const shownWeeks = 26;
/** What may be switched for a company. */
export const configKeys = ["selfDispatch", "seesPlanDates", "mobileOnly"] as const;
export type ConfigKey = (typeof configKeys)[number];
export const configSearchChars = 100;

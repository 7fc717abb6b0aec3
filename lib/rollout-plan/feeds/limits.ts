/** Calendar feeds a person may have at once in a project. */
export const feedsPerPerson = 5;
/** Events of a feed, and the days before and after today its plan ends lie within. */
export const feedEventsMax = 2_000;
export const feedDaysBefore = 30;
export const feedDaysAfter = 365;
/** Readings of one feed in an hour. */
export const feedReadsPerHour = 60;

/** DUs one notification tells of. REM-22 and the brief of the call */
export const notifiedDusMax = 200;
/** Attributes and activities beside the columns of a DU. REM-22 */
export const notifiedAttributesMax = 2;
export const notifiedActivitiesMax = 2;
/** People who get a copy. */
export const notifiedCcMax = 50;
/** Longest subject and text, in characters. */
export const notifiedSubjectChars = 200;
export const notifiedContentChars = 4_000;

/** Columns of a DU that every notification shows. */
export const notifiedDuColumns = ["code", "name", "siteName", "region", "status"] as const;
/** Columns of an activity. */
export const notifiedActivityColumns = ["planStart", "planEnd", "actualEnd"] as const;

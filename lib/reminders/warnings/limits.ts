/** Dates a warning can compare. */
export const warningFields = ["planStart", "planEnd", "actualStart", "actualEnd"] as const;
/** How the distance is compared with the days. */
export const warningOperators = ["GT", "GE", "EQ", "LE", "LT"] as const;
/** DEFAULT is shown, ADVISORY is asked about, MANDATORY is refused [REM-12]. */
export const warningLevels = ["DEFAULT", "ADVISORY", "MANDATORY"] as const;
export const warningStatuses = ["ENABLED", "DISABLED"] as const;

/** Days of a warning, both bounds included [REM-15]. */
export const warningDaysMin = -999;
export const warningDaysMax = 999;
/** Longest text of a warning. */
export const warningMessageChars = 500;
/** Warnings a project may have: all of them are asked at every save. */
export const warningsMax = 200;
/** DUs one call evaluates. */
export const evaluateDusMax = 200;
/** What a text may name. */
export const placeholders = ["du", "a", "b", "days"] as const;

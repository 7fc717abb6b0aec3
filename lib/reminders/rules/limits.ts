/** What a mail rule tells of. REM-08 */
export const ruleTypes = ["CHANGE_ACT_DATE", "CHANGE_COL_VALUE", "ACT_DEVIATION", "DOC_PUBLISH", "DOC_CHANGE"] as const;
export type RuleType = (typeof ruleTypes)[number];
/** The rules of the table: the five, and the actual-time reminder. */
export type StoredType = RuleType | "ACTUAL_TIME";

/** Types that tell of changes, and so can follow them at once. */
export const changeTypes: readonly StoredType[] = ["CHANGE_ACT_DATE", "CHANGE_COL_VALUE", "DOC_PUBLISH", "DOC_CHANGE"];

/** Longest name, subject and text, in characters. */
export const nameChars = 100;
export const subjectChars = 200;
export const contentChars = 4000;
/** Activities and attributes a rule names. */
export const activitiesMax = 10;
export const attributesMax = 10;
/** Regions and persons in copy a rule names. */
export const regionsMax = 500;
export const ccMax = 200;
/** Days between plan and reminder. REM-15, REM-16 */
export const deviationDaysMin = -999;
export const deviationDaysMax = 999;
export const offsetDaysMax = 1095;

/** Dates whose changes a rule can tell of. */
export const ruleDates = ["planStart", "planEnd", "actualStart", "actualEnd"] as const;
export type RuleDate = (typeof ruleDates)[number];

/** Which DUs a rule looks at: all, those of regions, or for each receiver those he owns. */
export const sendRanges = ["ALL", "REGION", "OWN"] as const;
export type SendRange = (typeof sendRanges)[number];

/** Why a reminder is out of force. */
export const disabledReasons = ["MANUAL", "EXPIRED", "RESPONSIBLE_LEFT", "ACTIVITY", "ATTRIBUTE", "REGION"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Words in a rule's own subject and text that stand for what the mail lists. */
export const placeholders = ["duCode", "duName", "activity", "field", "old", "new", "days", "project", "table"] as const;

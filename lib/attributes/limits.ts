/** Longest texts of an attribute. ATT-07 ATT-08 ATT-15 */
export const nameChars = 250;
export const classificationChars = 70;
export const remarkChars = 2000;
export const remarkBytes = 4000;
/** Sort values of attributes and choices. ATT-20 */
export const sortMin = 1;
export const sortMax = 10_000;
/** Choices an attribute may have, and flows and people it may name. */
export const enumsMax = 1000;
export const flowsMax = 500;
export const personsMax = 200;
/** Longest pattern of a text, and most decimals of a number. */
export const patternChars = 200;
export const decimalsMax = 6;
/** Where the value of an attribute belongs. */
export const attributeLevels = ["DU", "ACTIVITY", "TAB"] as const;
export type AttributeLevel = (typeof attributeLevels)[number];
/** Yes-or-no properties of an attribute that can be set for many at once. */
export const attributeFlags = ["required", "visibleCustomer", "visibleSubcon", "editableSubcon", "mobileDisplay", "inRolloutPlan"] as const;
export type AttributeFlag = (typeof attributeFlags)[number];
/** DUs a refused value limit names. */
export const conflictSamples = 5;
/** Attributes one call names. */
export const attributesPerCall = 1000;
/** Days the values of a deleted attribute are kept. */
export const keptDays = 30;
/** DUs a default is applied to at a time. */
export const applyChunk = 2000;

/** Types of attributes whose values can say whose a DU is. */
export const isolationTypes = ["TEXT", "LONG_TEXT", "ENUM", "LOOKUP_ENUM"] as const;
/** Details one call stores or deletes. */
export const detailsPerCall = 200;
export const isolationValueChars = 250;
export const isolationSearchChars = 100;

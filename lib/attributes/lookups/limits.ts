export const lookupCodeChars = 70;
/** Values a lookup list may have. */
export const lookupValuesMax = 5000;

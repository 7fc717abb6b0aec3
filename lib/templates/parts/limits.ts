/** Attributes one call checks. */
export const checkedAttributesMax = 500;
/** Organisations a search finds. */
export const organisationsMax = 200;
/** Why a template cannot use an attribute. */
export const attributeFaults = ["missing", "typeChanged", "notDisplayed"] as const;
export type AttributeFault = (typeof attributeFaults)[number];

/** Longest name of an activity flow. */
export const flowNameChars = 100;
/** Longest description of an activity flow. */
export const flowDescriptionChars = 2000;
/** Longest delivery type, and how many of them one flow may serve. */
export const deliveryTypeChars = 40;
export const deliveryTypesMax = 20;
/** Drafts deleted by one call. */
export const deleteFlowsMax = 200;

export const flowStatuses = ["draft", "released", "disabled"] as const;
export type FlowStatus = (typeof flowStatuses)[number];

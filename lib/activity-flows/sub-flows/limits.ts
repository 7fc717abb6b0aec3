/** Longest name of a sub-flow and of a step. */
export const subFlowNameChars = 100;
export const stepNameChars = 150;
/** Steps one sub-flow may have, and sub-flows one project may keep. */
export const stepsMax = 50;
export const subFlowsMax = 500;
/** Largest weight of a step, with its decimals. */
export const weightMax = 999.99;
export const weightDecimals = 2;

export const subFlowStatuses = ["active", "disabled"] as const;
export type SubFlowStatus = (typeof subFlowStatuses)[number];

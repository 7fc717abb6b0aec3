export const processStatuses = ["draft", "released", "disabled"] as const;
export type ProcessStatus = (typeof processStatuses)[number];
export const processNameChars = 100;
/** Longest name of a temporary work order, characters. */
export const orderNameChars = 100;
/** Steps a temporary process may have. */
export const stepsMax = 50;
/** Working days a step may take. */
export const stepDaysMin = 1;
export const stepDaysMax = 1095;
export const processesPerCall = 200;

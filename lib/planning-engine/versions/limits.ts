export const engineVersionNameChars = 100;
export const engineDescriptionChars = 2000;
/** Versions one call deletes. */
export const engineVersionsPerCall = 200;
/** Where the inputs of a version come from. [ENG-08] */
export const versionSources = ["page_input", "local_import", "system_integration"] as const;
export type VersionSource = (typeof versionSources)[number];
/** In setting, in calculation, calculation finished, calculation failed. [ENG-16] */
export const versionStates = ["setting", "calculating", "finished", "failed"] as const;
export type VersionState = (typeof versionStates)[number];

export const directions = ["forward", "reverse"] as const;
export const gapPolicies = ["flag", "strict"] as const;
/** Label of money columns. [ENG-39] */
export const currencies = ["USD", "CNY", "EUR"] as const;
/** Days of plan ahead: three years. */
export const horizonDaysMax = 1095;
/** Rates have four decimals; of all clusters at least one site in ten thousand is asked for. [ENG-28] */
export const rateDecimals = 4;
export const clusteringRateMin = 0.0001;
export const rateMax = 1;
/** Degrees. [ENG-30] */
export const azimuthMax = 360;
export const activityAnchorChars = 250;
export const evaluationLimitMax = 1_000_000;
export const timeBudgetSecondsMax = 600;
export const islandsMax = 8;
export const wholeNumberMax = 2_147_483_647;
/** Setting of a person that holds the version he has open, per project. [ENG-18] */
export const openVersionSetting = "planningEngine.version";

/** Inputs of a version, in the order in which they are filled in. */
export const inputBlocks = ["setting", "du", "activity", "skill_resource", "du_material", "inventory", "substitution", "reuse"] as const;
export type InputBlock = (typeof inputBlocks)[number];
/** How far an input is filled in. [ENG-17] */
export const inputStates = ["not_configured", "configuring", "configured"] as const;
export type InputState = (typeof inputStates)[number];
/** Of the last upload into an input. [ENG-20] */
export const uploadStates = ["uploading", "completed", "failed"] as const;
export type UploadState = (typeof uploadStates)[number];
/** Rows a check lists of a DU, and in all; more of them are counted. */
export const findingsOfDu = 20;
export const findingsMax = 1000;

/** DUs one copy may go to. */
export const copyTargetsMax = 200;
/** Longest code of a target. */
export const targetCodeChars = 60;
/** Attributes one copy may hold. */
export const copyAttributesMax = 300;
/** DUs that are written in one transaction, so that the progress is seen. */
export const copyChunk = 50;
/** Longest note on a target. */
export const detailChars = 2000;

/** How far a target has come. */
export const copyProgress = ["unprocessed", "processing", "completed", "failed"] as const;
export type CopyProgress = (typeof copyProgress)[number];

/** Whether a target follows the flow of the source by the copy. */
export const copyAssociation = ["unassociated", "associated"] as const;
export type CopyAssociation = (typeof copyAssociation)[number];

/** What hindered a copy: the numbers of the original product. */
export const copyCodes = { duMissing: 1001, flowMissing: 1002, boundByHand: 1003, bindingFailed: 1004, enumDiffers: 1005 } as const;
export type CopyCode = (typeof copyCodes)[keyof typeof copyCodes];

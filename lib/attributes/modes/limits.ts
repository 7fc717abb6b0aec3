/** What a person may do with an attribute, from least to most. */
export const attributeModes = ["HIDDEN", "RO", "RW"] as const;
export type AttributeMode = (typeof attributeModes)[number];

/** How long a process trusts what it has read of a person's modes, in seconds; a change made by any process is told at once. */
export const modeTrustSeconds = 30;
/** People whose modes are kept. */
export const keptModesMax = 500;

/** What a request asks for: not applicable, invalid, or applicable again. */
export const naKinds = ["NA", "INV", "cancel"] as const;
export type NaKind = (typeof naKinds)[number];

export const naStatuses = ["approving", "processing", "done", "rejected", "failed"] as const;
export type NaStatus = (typeof naStatuses)[number];

/** Requests one transaction of the background task carries out. */
export const naChunk = 200;

/** Minutes a batch is announced to take [WOR-24]. */
export const naMinutes = 10;

/** How a copy stands: under way, all activities copied, some, none. */
export const replicationStatuses = ["running", "done", "partly", "failed"] as const;
export type ReplicationStatus = (typeof replicationStatuses)[number];
/** What became of one activity: found in the library of the target, made there, or not copied. */
export const replicationOutcomes = ["matched", "made", "failed"] as const;
export type ReplicationOutcome = (typeof replicationOutcomes)[number];
export const projectNumberChars = 60;

/** In progress, success, failed, no feasible solution; and stopped by a person. [ENG-21] */
export const runStates = ["executing", "success", "failed", "no_feasible", "terminated"] as const;
export type RunState = (typeof runStates)[number];
export const runPhases = ["queued", "prepare", "construct", "improve", "check", "write", "done"] as const;
export type RunPhase = (typeof runPhases)[number];
/** What happens to the best plan so far when a run is stopped. [ENG-22] */
export const cancelModes = ["discard", "keep_best"] as const;
export type CancelMode = (typeof cancelModes)[number];

/** One moved day of a job against 100 late days of a DU. */
export const stabilityWeightMax = 1000;
export const frozenDaysMax = 1095;

/** Percent at which each phase begins. */
export const phasePercents = { queued: 0, prepare: 0, construct: 5, improve: 15, check: 90, write: 95, done: 100 } as const;
/** Runs of one worker process at once; others wait in the queue. */
export const runsPerProcess = 2;
export const progressEveryMs = 1_000;
/** Notes of a run that are kept. */
export const runNotesMax = 200;
export const heartbeatEveryMs = 5_000;

/** Rows of a diagnosis that are kept, per DU and per run; all are counted. */
export const diagnosisPerDu = 20;
export const diagnosisPerRun = 1_000;

/** Successful runs of a version whose outputs are kept. */
export const keptRuns = 5;
/** A run without a sign of life for so long has no worker. */
export const lostHeartbeatMs = 15_000;

/** The constraints of a plan, as the brief of the engine numbers them. */
export const rules = [
  "C1",
  "C2",
  "C3",
  "C4",
  "C5",
  "C6",
  "C7",
  "C8",
  "C9",
  "C10",
  "C11",
  "C12",
  "C13",
  "C14",
  "C15",
  "C16",
  "C17",
  "C18",
  "C19",
  "C20",
] as const;
export type Rule = (typeof rules)[number];

/** Violations that are described; more are counted only. */
export const describedMax = 1000;

/** The checker has its own reading of the numbers in a plan: it shares types with the solver, and no values. */
export const NONE = 1_000_000_000;
export const FS = 0;
export const SS = 1;
export const FF = 2;
export const SF = 3;
/** Kept states: the first three are facts into which relations are dropped, the first two hold no team. */
export const DONE = 0;
export const COMPLETED = 1;
export const STARTED = 2;
export const FROZEN = 5;
export const BY_RELEASE = 0;
export const BY_PREDECESSOR = 1;
export const BY_TEAM = 2;
export const BY_MATERIAL = 3;
export const BY_GATE = 4;
export const BY_CUTOVER = 5;
export const BY_KEPT = 6;
export const BY_HOLD = 7;
export const BY_SUCCESSOR = 8;
export const BY_DUE = 9;
export const NONE_LEFT = 0;
export const NO_SUPPLY = 1;
export const WRONG_REGION = 2;
export const LATE = 3;
export const REUSE = 2;

/** Kinds of exceptions. */
export const exceptionKinds = [
  "no_flow",
  "no_owner",
  "no_region",
  "delayed",
  "order",
  "frozen_conflict",
  "missing_plan",
  "no_coordinates",
] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

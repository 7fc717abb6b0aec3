/** Rows of a page of exceptions, and DUs that are looked at by id. */
export const exceptionPageMax = 200;
export const exceptionDusMax = 10_000;

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

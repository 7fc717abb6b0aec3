import type { Rule } from "#lib/core/rule.ts";
import type { VersionKind } from "./snapshots/limits.ts";

/** What decides whether a version may be deleted. */
export type DeleteFacts = { kind: VersionKind; code: string; openFeedback: number };

/** Only a version in force bears a name that is still worked with; history keeps the one it had. */
export const renameRules = [
  { code: "WRONG_STATUS", broken: ({ kind }) => kind === "historical" && { status: kind } },
] as const satisfies readonly Rule<Pick<DeleteFacts, "kind">>[];

/** What is promised or told to others stays until another version replaces it, and until every answer to it is decided. */
export const deleteRules = [
  { code: "VERSION_IN_FORCE", broken: ({ kind, code }) => kind !== "historical" && { code } },
  { code: "FEEDBACK_OPEN", broken: ({ openFeedback, code }) => openFeedback > 0 && { code, count: openFeedback } },
] as const satisfies readonly Rule<DeleteFacts>[];

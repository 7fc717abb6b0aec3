import type { Rule } from "#lib/core/rule.ts";
import type { VersionState } from "./limits.ts";

/** What decides whether a version may be changed or deleted. */
export type VersionFacts = { versionName: string; status: VersionState; isCurrent: boolean; inUse: boolean };

/** What is being calculated stands still. */
export const editRules = [
  { code: "VERSION_LOCKED", broken: ({ status, versionName }) => status === "calculating" && { name: versionName } },
] as const satisfies readonly Rule<Pick<VersionFacts, "status" | "versionName">>[];

/** The current version and the one whose dates the plan has stay. */
export const deleteRules = [
  ...editRules,
  { code: "VERSION_IN_USE", broken: ({ isCurrent, inUse, versionName }) => (isCurrent || inUse) && { name: versionName } },
] as const satisfies readonly Rule<VersionFacts>[];

import type { Rule } from "#lib/core/rule.ts";
import { enabledMilestonesMax } from "./limits.ts";

/** Enabled milestones of a project after a change. */
export type EnabledFacts = { enabled: boolean; othersEnabled: number };

/** Refuses an eleventh enabled milestone. [MDV-20] */
export const MILESTONE_LIMIT: Rule<EnabledFacts> = {
  code: "MILESTONE_LIMIT",
  broken: ({ enabled, othersEnabled }) => enabled && othersEnabled >= enabledMilestonesMax && { max: enabledMilestonesMax },
};

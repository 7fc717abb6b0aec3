import type { Rule } from "#lib/core/rule.ts";
import { notifiedActivitiesMax, notifiedAttributesMax, notifiedDusMax } from "./limits.ts";

/** A notification tells of so many DUs at most. */
export const TOO_MANY_DU: Rule<{ duIds: readonly number[] }> = {
  code: "TOO_MANY_DU",
  broken: ({ duIds }) => duIds.length > notifiedDusMax && { max: notifiedDusMax },
};

/** A notification shows so many attributes and activities at most. REM-22 */
export const TOO_MANY_ATTRIBUTES: Rule<{ attributeIds: readonly number[] }> = {
  code: "TOO_MANY_COLUMNS",
  broken: ({ attributeIds }) => attributeIds.length > notifiedAttributesMax && { max: notifiedAttributesMax },
};
export const TOO_MANY_ACTIVITIES: Rule<{ activityIds: readonly number[] }> = {
  code: "TOO_MANY_COLUMNS",
  broken: ({ activityIds }) => activityIds.length > notifiedActivitiesMax && { max: notifiedActivitiesMax },
};

/** A notification goes to somebody. REM-26 */
export const RECIPIENT_EMPTY: Rule<{ addresses: readonly string[] }> = {
  code: "RECIPIENT_EMPTY",
  broken: ({ addresses }) => addresses.length === 0,
};

/** Something is left to tell of. REM-25 */
export const NO_DU_MEETS: Rule<{ left: number }> = { code: "NO_DU_MEETS", broken: ({ left }) => left === 0 };

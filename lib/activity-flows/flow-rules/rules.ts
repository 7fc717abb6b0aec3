import type { Rule } from "#lib/core/rule.ts";

type OtherRule = { name: string; priority: number };
export type PlaceFacts = { name: string; priority: number; others: readonly OtherRule[] };

/** A rule's name is its own in the project; case does not matter. */
export const NAME_EXISTS: Rule<PlaceFacts> = {
  code: "NAME_EXISTS",
  broken: ({ name, others }) => others.some((other) => other.name.toLowerCase() === name.toLowerCase()) && { name },
};

/** One rule decides: no two have the same priority. */
export const PRIORITY_REPEATED: Rule<PlaceFacts> = {
  code: "PRIORITY_REPEATED",
  broken: ({ priority, others }) => {
    const same = others.find((other) => other.priority === priority);
    return same !== undefined && { priority, name: same.name };
  },
};

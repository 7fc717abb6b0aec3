import type { Rule } from "#lib/core/rule.ts";
import { flowTextChars } from "./limits.ts";

/** A rule's name is its own in the project; case does not matter. [OWN-05] */
export const NAME_EXISTS: Rule<{ name: string; others: readonly { name: string }[] }> = {
  code: "NAME_EXISTS",
  broken: ({ name, others }) => others.some((other) => other.name.toLowerCase() === name.toLowerCase()) && { name },
};

/** The names of a rule's flows, as they are stored with it, have a length. [OWN-04] */
export const FLOW_TEXT_TOO_LONG: Rule<{ flowText: string }> = {
  code: "FLOW_TEXT_TOO_LONG",
  broken: ({ flowText }) => {
    const used = [...flowText].length;
    return used > flowTextChars && { max: flowTextChars, used };
  },
};

/** One condition per attribute or field. [OWN-06] */
export const CONDITION_REPEATED: Rule<{ key: string; before: readonly string[] }> = {
  code: "CONDITION_REPEATED",
  broken: ({ key, before }) => before.includes(key),
};

import type { Rule } from "#lib/core/rule.ts";
import { nameKey } from "./graph/logic.ts";

export type NameFacts = { name: string; others: readonly string[] };

/** A flow's name is its own in the project; case does not matter. */
export const NAME_EXISTS: Rule<NameFacts> = {
  code: "NAME_EXISTS",
  broken: ({ name, others }) => others.some((other) => nameKey(other) === nameKey(name)) && { name },
};

export type DeleteFacts = { flows: readonly { name: string; status: string; version: number; draftOf: number | null }[] };

/** Only a draft that was never released can be deleted; a working copy is discarded instead. */
export const WRONG_STATUS: Rule<DeleteFacts> = {
  code: "WRONG_STATUS",
  broken: ({ flows }) => {
    const wrong = flows.filter((flow) => flow.status !== "draft" || flow.version > 0 || flow.draftOf !== null);
    return wrong.length > 0 && { status: wrong.map((flow) => flow.name).join(", ") };
  },
};

import type { Rule } from "#lib/core/rule.ts";
import { viewsMax } from "./limits.ts";

/** What a view that is about to be stored meets among the others of its owner. */
export type ViewFacts = { taken: boolean; others: number };

export const viewRules: readonly Rule<ViewFacts>[] = [
  { code: "NAME_EXISTS", broken: ({ taken }) => taken },
  { code: "TOO_MANY", broken: ({ others }) => (others >= viewsMax ? { max: viewsMax } : false) },
];

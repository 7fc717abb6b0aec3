import type { Rule } from "#lib/core/rule.ts";

/** A tab as far as the rules of its set look at it. */
export type TabFacts = { id: number; global: boolean; alias: string; dimension: string; visible: boolean };

/** A tab that is about to be stored, and the others of its set: those of everybody, or those of its owner. */
export type SaveFacts = { alias: string; dimension: string; others: readonly TabFacts[] };

/** Judged inside one set: two people may both want the same view. [MDV-11] */
export const NAME_EXISTS: Rule<SaveFacts> = {
  code: "NAME_EXISTS",
  broken: ({ alias, others }) => others.some((tab) => tab.alias.toLowerCase() === alias.toLowerCase()),
};

/** Inside one set a field is used once. [MDV-12] */
export const FIELD_EXISTS: Rule<SaveFacts> = {
  code: "FIELD_EXISTS",
  broken: ({ dimension, others }) => {
    const same = others.find((tab) => tab.dimension === dimension);
    return same ? { alias: same.alias } : false;
  },
};

/** All tabs a person sees as they would stand after a change. */
export type StandingFacts = { global: boolean; after: readonly TabFacts[] };

/** A tab of everybody leaves another one of everybody shown; one's own leaves any other. [MDV-13] */
export const LAST_TAB: Rule<StandingFacts> = {
  code: "LAST_TAB",
  broken: ({ global, after }) => !after.some((tab) => tab.visible && (tab.global || !global)),
};

import type { Rule } from "#lib/core/rule.ts";
import { type TemplateKind, templateLimits } from "./limits.ts";

/** What a template that is about to be stored meets in its scope. */
export type ScopeFacts = {
  kind: TemplateKind;
  /** Another template of the scope has the name. */
  taken: boolean;
  /** Templates of the scope without this one. */
  others: number;
};

/** Judged when a template comes into a scope: made, renamed, made public, handed over or shared. [TPL-13] [TPL-14] */
export const scopeRules: readonly Rule<ScopeFacts>[] = [
  { code: "TEMPLATE_NAME_EXISTS", broken: ({ taken }) => taken },
  {
    code: "TEMPLATE_LIMIT",
    broken: ({ kind, others }) => {
      const max = templateLimits[kind].countMax;
      return max !== null && others >= max ? { max } : false;
    },
  },
];

import type { Rule } from "#lib/core/rule.ts";

/** A phase with the codes of the phases before it, and the names of all others of the project, in small letters. */
export type PhaseFacts = {
  code: string;
  name: string;
  startDate: string;
  endDate: string;
  codes: readonly string[];
  names: readonly string[];
};

export const phaseRules: readonly Rule<PhaseFacts>[] = [
  { code: "CODE_EXISTS", broken: ({ code, codes }) => codes.includes(code) },
  { code: "NAME_EXISTS", broken: ({ name, names }) => names.includes(name.toLowerCase()) },
  { code: "DATE_ORDER", broken: ({ startDate, endDate }) => startDate > endDate },
];

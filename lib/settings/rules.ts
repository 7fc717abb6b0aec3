import type { Rule } from "#lib/core/rule.ts";
import { exclusiveSwitches, type LimitKey, limitSettings, type SwitchKey } from "./limits.ts";

export type SwitchFacts = {
  before: Record<SwitchKey, boolean>;
  after: Record<SwitchKey, boolean>;
  /** Name of a switch in the caller's language. */
  nameOf: (key: SwitchKey) => string;
};

/** A change of the switches changes something, and leaves at most one of the exclusive ones on. */
export const switchRules: readonly Rule<SwitchFacts>[] = [
  {
    code: "FLAGS_EXCLUSIVE",
    broken: ({ before, after, nameOf }) => {
      const on = exclusiveSwitches.filter((key) => after[key]);
      if (on.length < 2) return false;
      const other = on.find((key) => before[key]) ?? on[0];
      return { other: nameOf(other as SwitchKey) };
    },
  },
  {
    code: "NOTHING_MODIFIED",
    broken: ({ before, after }) => (Object.keys(after) as SwitchKey[]).every((key) => before[key] === after[key]),
  },
];

export type LimitFacts = { key: LimitKey; value: number; present: number | null };

/** A limit lies in its range and changes something. */
export const limitRules: readonly Rule<LimitFacts>[] = [
  {
    code: "VALUE_RANGE",
    broken: ({ key, value }) => {
      const { min, max } = limitSettings[key];
      return value < min || value > max ? { field: key, min, max } : false;
    },
  },
  { code: "NOTHING_MODIFIED", broken: ({ value, present }) => value === present },
];

/** Only a project's own value can be taken back; the installation's stays. */
export const deleteLimitRules: readonly Rule<{ hasOwn: boolean }>[] = [{ code: "GLOBAL_NOT_DELETABLE", broken: ({ hasOwn }) => !hasOwn }];

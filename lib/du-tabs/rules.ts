import { holderNames } from "#lib/attributes/config-refs/logic.ts";
import type { Rule } from "#lib/core/rule.ts";

/** A tab before it is saved. */
export type TabFacts = { taken: boolean; name: string; rows: number; keyModeChanged: boolean };
/** A tab before it is deleted. */
export type TabUse = { rows: number; attributes: readonly string[] };

export const saveRules: readonly Rule<TabFacts>[] = [
  { code: "NAME_EXISTS", broken: ({ taken, name }) => taken && { name } },
  { code: "TAB_HAS_ROWS", broken: ({ rows, keyModeChanged }) => keyModeChanged && rows > 0 && { count: rows } },
];

export const deleteRules: readonly Rule<TabUse>[] = [
  { code: "TAB_HAS_ROWS", broken: ({ rows }) => rows > 0 && { count: rows } },
  { code: "IN_USE", broken: ({ attributes }) => attributes.length > 0 && { by: holderNames(attributes) } },
];

import type { ConditionRow } from "#lib/plan-rules/conditions/logic.ts";
import {
  type CompiledConditions,
  type ConditionColumn,
  type ConditionObjects,
  compileConditions,
  holdConditions,
  refKey,
} from "#lib/plan-rules/conditions/logic.ts";
import type { UnmatchedReason } from "./limits.ts";

/** A rule that takes part in a run; one that is not in force only tells why a DU stays without flow. */
export type RunRule<Extra = unknown> = Extra & { regionId: number | null; inForce: boolean; compiled: CompiledConditions | null };

/** A rule ready for a run. Conditions on what is gone, or is of another type by now, hold for nobody. */
export function compileRule(
  rule: { conditions: readonly (ConditionRow & { type?: string })[] },
  objects: ConditionObjects,
): CompiledConditions | null {
  const usable = rule.conditions.every(({ object, type }) => {
    const known = objects.get(refKey(object));
    return known !== undefined && (type === undefined || known.type === type);
  });
  return usable ? compileConditions(rule.conditions, objects) : null;
}

/** What a run says of each DU: the place of the rule that decides, -1 for none, and then why. */
export type Matches = { winners: Int32Array; reasons: (UnmatchedReason | null)[]; holds: readonly Uint8Array[] };

/**
 * Judges DUs by rules in the order of their priorities: the first one in force whose region is the DU's, or none in particular, and whose conditions
 * hold decides.
 */
export function matchRules(
  rules: readonly RunRule[],
  block: { duIds: readonly number[]; regionIds: readonly (number | null)[]; columns: ReadonlyMap<string, ConditionColumn> },
): Matches {
  const size = block.duIds.length;
  const holds = rules.map(({ compiled }) => (compiled ? holdConditions(compiled, block.columns, size) : new Uint8Array(size)));
  const winners = new Int32Array(size).fill(-1);
  const reasons = new Array<UnmatchedReason | null>(size).fill(null);
  for (let at = 0; at < size; at++) {
    const region = block.regionIds[at] ?? null;
    let noRegion = false;
    let invalid = false;
    for (let place = 0; place < rules.length; place++) {
      if (holds[place]![at] === 0) continue;
      const { regionId, inForce } = rules[place]!;
      const fits = regionId === null || regionId === region;
      if (fits && inForce) {
        winners[at] = place;
        break;
      }
      if (fits) invalid = true;
      else if (inForce && region === null) noRegion = true;
    }
    if (winners[at] === -1) reasons[at] = noRegion ? "NO_REGION" : invalid ? "RULE_INVALID" : "NO_RULE";
  }
  return { winners, reasons, holds };
}

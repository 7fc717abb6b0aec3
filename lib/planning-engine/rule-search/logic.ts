import { KEY_UNIT, type Keys, RULE_UNIT, type Rule } from "#lib/planning-engine/portfolio/logic.ts";
import { below, type Random } from "#lib/planning-engine/random/logic.ts";

/** Copies a rule, so that the copy can be changed. */
export function copyRule(rule: Rule): Rule {
  return { ...rule, ofClass: rule.ofClass.slice(), ofPosition: rule.ofPosition.slice() };
}

/** Writes a rule with one parameter changed at random into `into`: mostly an offset of a class or of an activity's position. */
export function varyRule(keys: Keys, rule: Rule, random: Random, into: Rule): void {
  into.releaseShare = rule.releaseShare;
  into.tailFactor = rule.tailFactor;
  into.workFactor = rule.workFactor;
  into.byGiven = rule.byGiven;
  into.ofClass.set(rule.ofClass);
  into.ofPosition.set(rule.ofPosition);
  const choice = below(random, 10);
  if (choice === 0) into.releaseShare = within(rule.releaseShare + signed(random, 6), -RULE_UNIT, 2 * RULE_UNIT);
  else if (choice === 1) into.tailFactor = within(rule.tailFactor + signed(random, 8), -RULE_UNIT, 4 * RULE_UNIT);
  else if (choice === 2) into.workFactor = within(rule.workFactor + signed(random, 6), -2 * RULE_UNIT, 4 * RULE_UNIT);
  else {
    // Steps from a quarter of the spread of due dates down to a day, every magnitude as often.
    const step = Math.max(2 * KEY_UNIT, (KEY_UNIT * keys.spread) >> (1 + below(random, 6)));
    const offsets = choice < 6 && keys.classes > 1 ? into.ofClass : into.ofPosition;
    const at = below(random, offsets.length);
    offsets[at] = offsets[at]! + signed(random, step);
  }
}

/** Writes a rule into `into` whose every parameter is that of one of two rules, the second's as often as the first's. */
export function mixRules(rule: Rule, other: Rule, random: Random, into: Rule): void {
  const own = () => below(random, 2) === 0;
  into.byGiven = rule.byGiven;
  into.releaseShare = own() ? rule.releaseShare : other.releaseShare;
  into.tailFactor = own() ? rule.tailFactor : other.tailFactor;
  into.workFactor = own() ? rule.workFactor : other.workFactor;
  for (let at = 0; at < rule.ofClass.length; at++) into.ofClass[at] = own() ? rule.ofClass[at]! : other.ofClass[at]!;
  for (let at = 0; at < rule.ofPosition.length; at++) into.ofPosition[at] = own() ? rule.ofPosition[at]! : other.ofPosition[at]!;
}

/** A number from -most to most, never 0. */
function signed(random: Random, most: number): number {
  const size = 1 + below(random, most);
  return below(random, 2) === 0 ? size : -size;
}

function within(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

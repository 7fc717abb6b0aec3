import type { Component } from "#lib/planning-engine/components/logic.ts";
import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import { lengthOf, type Ready } from "#lib/planning-engine/normalise/logic.ts";
import { KEY_UNIT, type Keys } from "#lib/planning-engine/portfolio/logic.ts";
import { below, type Random } from "#lib/planning-engine/random/logic.ts";
import type { Workspace } from "#lib/planning-engine/sgs/logic.ts";

/** DUs whose key one step changes at most. */
export const MOST_MOVED = 4;

/**
 * Shifts the keys of a few DUs of the component: mostly at random, every tenth time late ones forward by what they are late.
 * `moved` gets the DUs, `before` their keys. @returns how many were moved
 */
export function moveDus(
  ready: Ready,
  component: Component,
  keys: Keys,
  start: Int32Array,
  random: Random,
  moved: Int32Array,
  before: Int32Array,
  work: Workspace,
): number {
  const { dus } = component;
  const squeaky = below(random, 10) === 0;
  const most = 1 + below(random, MOST_MOVED);
  const step = Math.max(2 * KEY_UNIT, (KEY_UNIT * keys.spread) >> (1 + below(random, 6)));
  let count = 0;
  for (let at = 0; at < most; at++) {
    const du = dus[below(random, dus.length)]!;
    let by = 1 + below(random, step);
    if (squeaky) {
      const late = latenessOf(ready, start, du, work);
      if (late <= 0) continue;
      by = -KEY_UNIT * (1 + below(random, late));
    } else if (below(random, 2) === 0) by = -by;
    moved[count] = du;
    before[count++] = keys.ofDu[du]!;
    keys.ofDu[du] = keys.ofDu[du]! + by;
  }
  return count;
}

/** Puts the keys of a rejected step back. */
export function unmoveDus(keys: Keys, moved: Int32Array, before: Int32Array, count: number): void {
  for (let at = count - 1; at >= 0; at--) keys.ofDu[moved[at]!] = before[at]!;
}

function latenessOf({ problem, flows, calendars }: Ready, start: Int32Array, du: number, work: Workspace): number {
  const { dus } = problem;
  if (dus.due[du] === NO_DAY) return 0;
  let last = 0;
  for (let job = dus.firstJob[du]!; job < dus.firstJob[du + 1]!; job++)
    last = Math.max(last, start[job]! + lengthOf(flows.durations[job + work.entryShift[du]!]!));
  return last === 0 ? 0 : calendars[dus.calendar[du]!]!.days[last - 1]! - dus.due[du]!;
}

import { expect, test } from "vitest";
import { newRandom } from "#lib/planning-engine/random/logic.ts";
import { mixRules } from "#lib/planning-engine/rule-search/logic.ts";

const rule = (value: number) => ({
  releaseShare: value,
  tailFactor: value,
  workFactor: value,
  byGiven: 0 as const,
  ofClass: new Int32Array(3).fill(value),
  ofPosition: new Int32Array(5).fill(value),
});

test("a mixed rule takes every parameter from one of two, each as often", () => {
  const random = newRandom(1);
  const into = rule(0);
  const values = new Set<number>();
  const second = new Int32Array(11);
  for (let turn = 0; turn < 1000; turn++) {
    mixRules(rule(1), rule(2), random, into);
    const { releaseShare, tailFactor, workFactor, ofClass, ofPosition } = into;
    [releaseShare, tailFactor, workFactor, ...ofClass, ...ofPosition].forEach((value, at) => {
      values.add(value);
      second[at]! += value - 1;
    });
  }
  expect([...values].sort()).toEqual([1, 2]);
  for (const times of second) expect(Math.abs(times - 500)).toBeLessThan(80);
});

import { describe, expect, test } from "vitest";
import { below, newRandom } from "#lib/planning-engine/random/logic.ts";

describe("random numbers", () => {
  test("a seed and its parts give the same stream, others another one", () => {
    const stream = (...of: [number, ...number[]]) => {
      const random = newRandom(...of);
      return Array.from({ length: 8 }, () => below(random, 1000));
    };
    expect(stream(1, 2, 3)).toEqual(stream(1, 2, 3));
    for (const other of [stream(2, 2, 3), stream(1, 3, 2), stream(1, 2)]) expect(other).not.toEqual(stream(1, 2, 3));
  });

  test.each([1, 2, 7, 1000, 2 ** 31])("numbers below %i stay there and spread", (n) => {
    const random = newRandom(5);
    let sum = 0;
    for (let at = 0; at < 20_000; at++) {
      const value = below(random, n);
      expect(value >= 0 && value < n && Number.isInteger(value)).toBe(true);
      sum += value;
    }
    expect(Math.abs(sum / 20_000 / ((n - 1) / 2 || 1) - (n > 1 ? 1 : 0))).toBeLessThan(0.03);
  });
});

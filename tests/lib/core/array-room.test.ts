import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArrayRoom } from "#lib/core/array-room.ts";

describe("a room of arrays", () => {
  it("gives empty arrays that keep what is put into them, whatever is asked for between", () => {
    const wanted = fc.record({ isShort: fc.boolean(), count: fc.oneof(fc.nat(300), fc.integer({ min: 16_000, max: 40_000 })) });
    fc.assert(
      fc.property(fc.array(wanted, { maxLength: 60 }), (all) => {
        const room = new ArrayRoom();
        const arrays = all.map(({ isShort, count }, at) => {
          const array = isShort ? room.shorts(count) : room.words(count);
          expect(array.length).toBe(count);
          expect(array.every((value) => value === 0)).toBe(true);
          return array.fill(at + 1);
        });
        arrays.forEach((array, at) => {
          expect(array.every((value) => value === at + 1)).toBe(true);
        });
      }),
    );
  });
  it("cuts the arrays of many rows out of few pieces of memory", () => {
    const room = new ArrayRoom();
    const pieces = new Set(Array.from({ length: 1_000 }, () => room.words(64).buffer));
    expect(pieces.size).toBe(4);
  });
});

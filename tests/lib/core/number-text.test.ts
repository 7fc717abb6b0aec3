import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NumberReader, NumberWriter } from "#lib/core/number-text.ts";

const writer = new NumberWriter();
function write(numbers: readonly number[]): string {
  for (const number of numbers) writer.push(number);
  return writer.take();
}
function read(text: string, count: number): number[] {
  const reader = new NumberReader(text);
  return Array.from({ length: count }, () => reader.next());
}

describe("numbers as text", () => {
  it("come back, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat(), { maxLength: 400 }), (numbers) => {
        expect(read(write(numbers), numbers.length)).toEqual(numbers);
      }),
    );
    const edges = [
      0,
      56,
      57,
      58,
      33,
      34,
      35,
      57 * 34 - 1,
      57 * 34,
      2 ** 31,
      34 * 2 ** 47 - 1,
      Number.MAX_SAFE_INTEGER - 33,
      Number.MAX_SAFE_INTEGER,
    ];
    expect(read(write(edges), edges.length)).toEqual(edges);
  });

  it("take one sign up to 56, and none that JSON escapes", () => {
    const small = Array.from({ length: 57 }, (_, at) => at);
    expect(write(small)).toHaveLength(57);
    expect(write([57])).toHaveLength(2);
    const text = write(Array.from({ length: 5_000 }, (_, at) => at * 37));
    expect(JSON.stringify(text)).toHaveLength(text.length + 2);
  });

  it("are 0 beyond the end of a text", () => {
    expect(read(write([7]), 3)).toEqual([7, 0, 0]);
    expect(read("", 1)).toEqual([0]);
  });
});

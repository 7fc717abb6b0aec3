import { describe, expect, it } from "vitest";
import { packIds, unpackIds } from "#lib/rollout-plan/filters/logic.ts";

describe("packIds", () => {
  it.each([
    [[], ""],
    [[7], "7"],
    [[1, 2, 3], "1*3"],
    [[5, 6, 7, 20, 21, 4, 4], "5,1*2,13,1,-17,0"],
  ])("writes %j as %s, and unpackIds reads it", (ids, text) => {
    expect(packIds(ids)).toBe(text);
    expect(unpackIds(text)).toEqual(ids);
  });

  it("keeps any order of ids", () => {
    const shuffled = Array.from({ length: 1000 }, (_, at) => (at * 7919) % 1009);
    expect(unpackIds(packIds(shuffled))).toEqual(shuffled);
  });
});

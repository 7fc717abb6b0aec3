import { describe, expect, test } from "vitest";
import { rollOut } from "#tests/support/roll-out.ts";
import { latestFinishReference } from "#tests/support/roll-out-reference.ts";

describe("the synthetic roll-out", () => {
  // Figures of the definition: another generator, or another pass, would give others.
  test.each([
    [1000, 20, 250, { relations: 25_095, teams: 254, units: 4_725 }, { weighted: 87_366, late: 717, end: 307, starts: 2_695_326 }],
    [
      10_000,
      20,
      500,
      { relations: 251_760, teams: 1_161, units: 46_765 },
      { weighted: 1_612_630, late: 7_019, end: 562, starts: 51_200_465 },
    ],
  ])("ROLL(%i, %i, %i) is what its definition says, and so is its reference", (dus, activities, window, size, reference) => {
    const made = rollOut(dus, activities, window, 1);
    expect(made).toMatchObject(size);
    expect(latestFinishReference(made.problem)).toMatchObject(reference);
  });
});

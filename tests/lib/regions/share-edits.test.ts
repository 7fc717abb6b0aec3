import { describe, expect, it } from "vitest";
import { sharesOf, typeShares, withoutSent } from "#components/regions/share-edits.ts";

const region = (id: number, percentage: number, rowVersion = 1) => ({ id, percentage, rowVersion });
const [north, south] = [region(1, 60), region(2, 40)];
const regions = [north, south];
const edits = typeShares(new Map(), [
  [north, 70],
  [south, "30."],
]);

describe("typed shares [REG-06]", () => {
  it("are sent with the shares that were not typed, and end where they are what is stored", () => {
    expect(sharesOf(regions, edits)).toEqual([region(1, 70), region(2, 30)]);
    expect(sharesOf(regions, typeShares(edits, [[north, 60]]))).toEqual([north, region(2, 30)]);
  });

  it("outlive another reading; only those that others have changed keep their revision, to be refused", () => {
    expect(sharesOf([region(1, 60, 2), region(2, 25, 2), region(3, 15)], edits)).toEqual([
      region(1, 70, 2),
      region(2, 30, 1),
      region(3, 15),
    ]);
    const typedAgain = typeShares(edits, [[region(2, 25, 2), 20]]);
    expect(sharesOf([region(2, 25, 2)], typedAgain)).toEqual([region(2, 20, 1)]);
  });

  it("end with their save, but for what was typed since", () => {
    const sent = sharesOf(regions, edits);
    expect(withoutSent(edits, sent).size).toBe(0);
    const rest = withoutSent(typeShares(edits, [[north, 80]]), sent);
    expect(sharesOf([region(1, 70, 2), region(2, 30, 2)], rest)).toEqual([region(1, 80, 2), region(2, 30, 2)]);
    expect(sharesOf([region(1, 65, 3)], rest)).toEqual([region(1, 80, 2)]);
  });
});

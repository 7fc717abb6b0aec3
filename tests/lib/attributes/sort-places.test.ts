import { describe, expect, test } from "vitest";
import { asSeen, movedPlaces } from "#components/attributes/sort-places.ts";

const rows = (...places: number[]) => places.map((sortNo, at) => ({ id: at + 1, sortNo }));
/** Ids in their order once the changed places are taken over. */
const after = (given: ReturnType<typeof rows>, id: number, target: number) => {
  const changed = new Map(movedPlaces(given, id, target).map((row) => [row.id, row.sortNo]));
  const all = given.map((row) => ({ ...row, sortNo: changed.get(row.id) ?? row.sortNo }));
  return all.sort((a, b) => a.sortNo - b.sortNo || a.id - b.id).map((row) => `${row.id}@${row.sortNo}`);
};

describe("the order after a move", () => {
  test.each([
    ["down, below the target", rows(1, 5, 9), 1, 2, ["2@1", "1@5", "3@9"]],
    ["up, above the target", rows(1, 5, 9), 3, 1, ["3@1", "1@5", "2@9"]],
    ["among equal places, which are told apart", rows(1, 1, 1, 7), 3, 1, ["3@1", "1@2", "2@3", "4@7"]],
    ["where no place is left behind the last, all are numbered anew", rows(3, 10_000, 10_000), 3, 2, ["1@1", "3@2", "2@3"]],
  ])("%s", (_title, given, id, target, wanted) => {
    expect(after(given, id, target)).toEqual(wanted);
  });

  test("names what changes alone, and nothing where nothing moves", () => {
    expect(movedPlaces(rows(1, 2, 3, 4), 2, 3)).toEqual([
      { id: 3, sortNo: 2, was: 3 },
      { id: 2, sortNo: 3, was: 2 },
    ]);
    expect([movedPlaces(rows(1, 2), 1, 1), movedPlaces(rows(1, 2), 9, 1)]).toEqual([[], []]);
  });

  test("is made upon the places that are shown; what is not shown has its own", () => {
    const seen = asSeen(rows(2, 1, 9), [
      { id: 1, sortNo: 1 },
      { id: 2, sortNo: 2 },
    ]);
    expect(seen).toEqual(rows(1, 2, 9));
    expect(movedPlaces(seen, 3, 2)).toEqual([
      { id: 3, sortNo: 2, was: 9 },
      { id: 2, sortNo: 9, was: 2 },
    ]);
  });
});

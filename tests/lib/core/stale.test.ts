import { expect, test } from "vitest";
import { refuseStaleNumbers, refuseStaleOrder, refuseStaleValues } from "#lib/core/stale.ts";

/** What a refusal carries; null where nothing is refused. */
const refusal = (check: () => void): unknown => {
  try {
    check();
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: "STALE", status: 409 });
    return (error as { data: unknown }).data;
  }
};

test("values are refused where by now neither what was read nor what is wanted stands, each at its place", () => {
  const values = [
    { path: "rows.0", present: 1, base: 1, wanted: 2 },
    { path: "rows.1", present: 2, base: 1, wanted: 2 },
    { path: "rows.2", present: { id: 3 }, base: { id: 3 }, wanted: { id: 4 } },
  ];
  expect(refusal(() => refuseStaleValues(values))).toBeNull();
  const late = [
    ...values,
    { path: "rows.3", present: null, base: 1, wanted: 2 },
    { path: "rows.4", present: { id: 5 }, base: { id: 3 }, wanted: null },
  ];
  expect(refusal(() => refuseStaleValues(late, "present"))).toBe("present");
  expect(() => refuseStaleValues(late)).toThrow(
    expect.objectContaining({
      problems: [
        { path: "rows.3", code: "STALE" },
        { path: "rows.4", code: "STALE" },
      ],
    }),
  );
});

const present = [
  { id: 1, sortNo: 5, name: "a" },
  { id: 2, sortNo: 6, name: "b" },
];
const numbers = present.map(({ id, sortNo }) => ({ id, sortNo }));

test.each([
  ["as they were read", [5, 6], null],
  ["one of them another", [5, 7], numbers],
  ["another one, though it is the one wanted", [1, 6], numbers],
])("numbers: %s", (_, [one, two], told) => {
  const items = [
    { id: 1, sortNo: 5, was: one! },
    { id: 2, sortNo: 9, was: two! },
  ];
  expect(refusal(() => refuseStaleNumbers(present, items))).toEqual(told);
});

test.each([
  ["as it was seen", [1, 2, 3], [1, 2, 3], [3, 1, 2], false],
  ["some of the rows alone", [1, 2, 3], [1, 3], [3, 1], false],
  ["a row that was added meanwhile", [4, 1, 2, 3], [1, 2, 3], [3, 1, 2], false],
  ["a row that is not there at all", [1, 2], [1, 2], [2, 9], false],
  ["rows that have moved", [2, 1, 3], [1, 2, 3], [3, 1, 2], true],
  ["a row that is gone", [1, 3], [1, 2, 3], [3, 1], true],
  ["a row that was not seen", [1, 2, 3], [1, 2], [3, 1, 2], true],
])("order: %s", (_, now, before, after, isStale) => {
  expect(refusal(() => refuseStaleOrder(now, before, after))).toEqual(isStale ? now : null);
});

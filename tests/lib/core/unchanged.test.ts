import { expect, test } from "vitest";
import { refuseUnchanged } from "#lib/core/unchanged.ts";

const refused = (before: object | null, after: object) => {
  try {
    refuseUnchanged(before, after);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "NOTHING_MODIFIED", status: 422 });
    return true;
  }
};

test.each([
  ["the same values", { name: "a", days: [1, 2] }, { name: "a", days: [1, 2] }, true],
  ["what is not named stays out of it", { name: "a", rowVersion: 3, note: "x" }, { name: "a" }, true],
  ["what is left out is empty", { note: null }, { note: undefined }, true],
  ["a moment is its text", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }, true],
  ["the keys of an object in another order", { rule: { a: 1, b: [{ c: 2, d: 3 }] } }, { rule: { b: [{ d: 3, c: 2 }], a: 1 } }, true],
  ["another value", { name: "a" }, { name: "b" }, false],
  ["a number is no text", { size: 1 }, { size: "1" }, false],
  ["another order of a list", { days: [1, 2] }, { days: [2, 1] }, false],
  ["a list that is longer or shorter", { days: [1] }, { days: [1, 2] }, false],
  ["a list that lost its end", { days: [1, 2] }, { days: [1] }, false],
  ["a key more within a value", { rule: { a: 1 } }, { rule: { a: 1, b: 2 } }, false],
  ["nothing before", null, { name: "a" }, false],
  ["an emptied value", { note: "x" }, { note: null }, false],
  ["rows of which one is new", [{ name: "a" }, null], [{ name: "a" }, { name: "b" }], false],
  ["rows that are all as they were", [{ name: "a" }], [{ name: "a" }], true],
])("%s", (_, before, after, expected) => expect(refused(before, after)).toBe(expected));

import { expect, test } from "vitest";
import { codeForSlot, hasRoom } from "#lib/activity-flows/library/logic.ts";

test.each([
  [7, [], "A007"],
  [1999, [], "A1999"],
  [7, ["a007"], "A007-2"],
  [7, ["a007", "a007-2"], "A007-3"],
])("code for slot %i beside %j", (slot, taken, code) => expect(codeForSlot(slot, new Set(taken))).toBe(code));

test("the library takes 2,000 activities", () => {
  expect([hasRoom(1999, 1), hasRoom(2000, 1), hasRoom(1990, 11)]).toEqual([true, false, false]);
});

import { expect, it } from "vitest";
import { loggedColumn } from "#lib/logs/logic.ts";

it.each([
  ["planEnd", 7, "7:planEnd"],
  ["actualOwner", 7, "7:actualOwner"],
  ["note.delayReason", 7, "7:delayReason"],
  ["a12", null, "a12"],
  ["a12", 7, "7:a12"],
  ["state", 7, "code"],
  ["du.name", null, "code"],
])("a change of %s of activity %s leads to the column %s", (field, activityId, column) => {
  expect(loggedColumn({ field, activityId })).toBe(column);
});

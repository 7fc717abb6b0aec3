import { describe, expect, test } from "vitest";
import { dueWarning, eraseMoment, personalLimit } from "#lib/settings/closing/logic.ts";

describe("the deletion of a closed project", () => {
  test.each([
    ["2026-01-31T10:00:00.000Z", "2026-02-28T10:00:00.000Z"],
    ["2028-01-31T10:00:00.000Z", "2028-02-29T10:00:00.000Z"],
    ["2026-10-14T00:00:00.000Z", "2026-11-14T00:00:00.000Z"],
    ["2026-12-31T23:59:59.999Z", "2027-01-31T23:59:59.999Z"],
  ])("closed at %s is due at %s", (closed, due) => expect(eraseMoment(new Date(closed)).toISOString()).toBe(due));

  test.each([
    ["15 days before", "2026-10-30T10:00:00Z", null],
    ["14 days before", "2026-10-31T10:00:00Z", 14],
    ["4 days before", "2026-11-10T10:00:00Z", 14],
    ["3 days before", "2026-11-11T10:00:00Z", 3],
    ["a second before", "2026-11-14T09:59:59Z", 3],
    ["when it is due", "2026-11-14T10:00:00Z", null],
  ])("is announced %s", (_, now, days) => expect(dueWarning(new Date("2026-10-14T10:00:00Z"), new Date(now))).toBe(days));

  test("personal data is looked at five years back", () => {
    expect(personalLimit(new Date("2026-10-14T02:00:00Z")).toISOString()).toBe("2021-10-14T02:00:00.000Z");
    expect(personalLimit(new Date("2028-02-29T02:00:00Z")).toISOString()).toBe("2023-02-28T02:00:00.000Z");
  });
});

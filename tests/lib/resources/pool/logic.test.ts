import { describe, expect, it } from "vitest";
import { authSpent, authState, isAuthPeriod, yearAfter } from "#lib/resources/pool/logic.ts";

describe("an authorisation", () => {
  it.each([
    ["2026-03-01", "2027-03-01", true],
    ["2026-03-01", "2027-03-02", false],
    ["2026-03-01", "2026-03-02", true],
    ["2026-03-01", "2026-03-01", false],
    ["2028-02-29", "2029-02-28", true],
    ["2028-02-29", "2029-03-01", false],
  ])("from %s to %s may be: %j [RES-18]", (start, end, may) => expect(isAuthPeriod(start, end)).toBe(may));

  it.each([
    ["2026-01-01", "2026-10-13", "EXPIRED"],
    ["2026-01-01", "2026-10-14", "ENDING"],
    ["2026-01-01", "2026-11-12", "ENDING"],
    ["2026-01-01", "2026-11-13", "VALID"],
    ["2026-10-15", "2026-12-01", "FUTURE"],
  ])("from %s to %s is %s on 2026-10-14", (start, end, state) => expect(authState(start, end, "2026-10-14")).toBe(state));

  it("says how much of it is over, and when a year is", () => {
    expect(authSpent("2026-01-01", "2026-01-11", "2026-01-06")).toBe(0.5);
    expect(authSpent("2026-01-01", "2026-01-11", "2025-12-01")).toBe(0);
    expect(yearAfter("2028-02-29")).toBe("2029-02-28");
  });
});

import { describe, expect, it } from "vitest";
import { dayNumber } from "#lib/core/clock.ts";
import { type FeedEvent, writeCalendar } from "#lib/rollout-plan/feeds/logic.ts";

const stamp = new Date("2026-10-14T02:00:00Z");
const project = { number: "P100", name: "Coast" };
const event: FeedEvent = { duId: 7, slot: 3, code: "DU-1", name: "Harbour", activity: "Survey", start: 0, end: dayNumber("2026-10-20") };
const lines = (events: FeedEvent[]) => writeCalendar(project, events, stamp).replace(/\r\n /g, "").split("\r\n");

describe("a calendar", () => {
  it("has a whole-day event per activity from its start to its end, both included", () => {
    expect(lines([{ ...event, start: dayNumber("2026-10-15") }])).toEqual(
      expect.arrayContaining([
        "BEGIN:VCALENDAR",
        "X-WR-CALNAME:Coast (P100)",
        "UID:7-3@P100",
        "DTSTAMP:20261014T020000Z",
        "DTSTART;VALUE=DATE:20261015",
        "DTEND;VALUE=DATE:20261021",
        "SUMMARY:DU-1 Survey",
        "DESCRIPTION:Harbour",
        "END:VCALENDAR",
      ]),
    );
  });

  it("has an event of one day where only the end is planned, or the start lies behind it", () => {
    for (const start of [0, dayNumber("2026-10-25")])
      expect(lines([{ ...event, start }])).toEqual(expect.arrayContaining(["DTSTART;VALUE=DATE:20261020", "DTEND;VALUE=DATE:20261021"]));
  });

  it("takes names as they are: nothing in them ends a line or begins a property", () => {
    const found = lines([{ ...event, name: "A;B,C\\\r\nATTACH:http://evil", activity: "x\nBEGIN:VALARM" }]);
    expect(found).toContain("DESCRIPTION:A\\;B\\,C\\\\\\nATTACH:http://evil");
    expect(found.filter((line) => /^(ATTACH|BEGIN:VALARM)/.test(line))).toEqual([]);
  });

  it("folds long lines at 75 octets", () => {
    const text = writeCalendar(project, [{ ...event, name: "勘察".repeat(100) }], stamp);
    expect(Math.max(...text.split("\r\n").map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  });
});

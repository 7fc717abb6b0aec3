import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { weekday } from "#lib/core/clock.ts";
import { judgeDue, localMs, localText, momentOf, nextOccurrence, type Pattern } from "#lib/reminders/occurrences/logic.ts";
import { Frequency } from "#lib/reminders/occurrences/schema.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

const pattern = (frequency: Frequency, sendTime: string, begin: string, end: string): Pattern => ({
  frequency,
  sendTime,
  validBegin: localMs(begin),
  validEnd: localMs(end),
});

function all(given: Pattern): string[] {
  const found: string[] = [];
  for (let at = nextOccurrence(given, null); at !== null; at = nextOccurrence(given, at)) found.push(localText(at));
  return found;
}

/** Every minute of the validity looked at by itself, with the calendar of the language. */
function minuteByMinute({ frequency, sendTime, validBegin, validEnd }: Pattern): string[] {
  const found: string[] = [];
  const midnight = (ms: number) => Date.parse(`${new Date(ms).toISOString().slice(0, 10)}T00:00:00Z`);
  for (let at = validBegin; at <= validEnd; at += minuteMs) {
    const text = new Date(at).toISOString();
    if (text.slice(11, 16) !== sendTime) continue;
    const day = new Date(at);
    const tomorrow = new Date(at + dayMs);
    const fits = {
      ONCE: () => found.length === 0,
      DAILY: () => true,
      WEEKLY: () => frequency.kind === "WEEKLY" && frequency.weekdays.includes(day.getUTCDay()),
      MONTHLY: () =>
        frequency.kind === "MONTHLY" &&
        (frequency.day === "LAST" ? tomorrow.getUTCMonth() !== day.getUTCMonth() : day.getUTCDate() === frequency.day),
      EVERY_N_DAYS: () =>
        frequency.kind === "EVERY_N_DAYS" && Math.round((midnight(at) - midnight(validBegin)) / dayMs) % frequency.days === 0,
      REALTIME: () => false,
    }[frequency.kind]();
    if (fits) found.push(text.slice(0, 16));
  }
  return found;
}

describe("times to send", () => {
  it("are those that a look at every minute of the validity finds", () => {
    const frequency: fc.Arbitrary<Frequency> = fc.oneof(
      fc.constant<Frequency>({ kind: "ONCE" }),
      fc.constant<Frequency>({ kind: "DAILY" }),
      fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }).map((weekdays): Frequency => ({ kind: "WEEKLY", weekdays })),
      fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constant("LAST" as const)).map((day): Frequency => ({ kind: "MONTHLY", day })),
      fc.integer({ min: 1, max: 90 }).map((days): Frequency => ({ kind: "EVERY_N_DAYS", days })),
      fc.constant<Frequency>({ kind: "REALTIME" }),
    );
    const begin = fc.integer({ min: 0, max: 800 * 1440 }).map((minutes) => localMs("2024-01-01T00:00") + minutes * minuteMs);
    fc.assert(
      fc.property(
        frequency,
        begin,
        fc.integer({ min: 1, max: 70 * 1440 }),
        fc.integer({ min: 0, max: 1439 }),
        (given, validBegin, minutes, time) => {
          const sendTime = `${String(Math.floor(time / 60)).padStart(2, "0")}:${String(time % 60).padStart(2, "0")}`;
          const made = { frequency: given, sendTime, validBegin, validEnd: validBegin + minutes * minuteMs };
          expect(all(made)).toEqual(minuteByMinute(made));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("begin and end with the validity, both moments included", () => {
    const daily = { kind: "DAILY" } as const;
    expect(all(pattern(daily, "08:00", "2025-03-01T08:00", "2025-03-03T08:00"))).toHaveLength(3);
    expect(all(pattern(daily, "08:00", "2025-03-01T08:01", "2025-03-03T07:59"))).toEqual(["2025-03-02T08:00"]);
    expect(all(pattern(daily, "08:00", "2025-03-01T00:00", "2025-03-31T23:59"))).toHaveLength(31);
  });

  it("are moments by the project's offset: 08:00 of a project 11 hours behind Beijing is 19:00 there, 11:00 UTC", () => {
    const first = nextOccurrence(pattern({ kind: "DAILY" }, "08:00", "2025-03-01T00:00", "2025-03-31T23:59"), null)!;
    expect(momentOf(first, -11).toISOString()).toBe("2025-03-01T11:00:00.000Z");
    expect(momentOf(first, 0).toISOString()).toBe("2025-03-01T00:00:00.000Z");
    expect(momentOf(first, 1).toISOString()).toBe("2025-02-28T23:00:00.000Z");
  });

  it("of ONCE are the first alone, also when it has passed", () => {
    const once = pattern({ kind: "ONCE" }, "08:00", "2025-03-01T09:00", "2025-03-05T00:00");
    expect(all(once)).toEqual(["2025-03-02T08:00"]);
    expect(nextOccurrence(once, localMs("2025-03-02T08:00"))).toBeNull();
    expect(nextOccurrence(once, localMs("2025-03-02T07:59"))).toBe(localMs("2025-03-02T08:00"));
  });

  it("know the last day of a leap February and the day the clock's epoch began", () => {
    expect(all(pattern({ kind: "MONTHLY", day: "LAST" }, "00:00", "2024-02-01T00:00", "2024-03-31T00:00"))).toEqual([
      "2024-02-29T00:00",
      "2024-03-31T00:00",
    ]);
    expect(weekday(0)).toBe(6);
  });
});

describe("times that have come", () => {
  const daily = pattern({ kind: "DAILY" }, "08:00", "2025-03-01T00:00", "2025-03-31T23:59");
  const judge = (first: string, now: string, given = daily) => {
    const { fire, missed, next } = judgeDue(given, localMs(first), localMs(now));
    return [fire && localText(fire), missed.map(localText), next && localText(next)];
  };

  it("fire the newest and pass over the others", () => {
    expect(judge("2025-03-01T08:00", "2025-03-01T08:00")).toEqual(["2025-03-01T08:00", [], "2025-03-02T08:00"]);
    expect(judge("2025-03-01T08:00", "2025-03-03T09:00")).toEqual([
      "2025-03-03T08:00",
      ["2025-03-01T08:00", "2025-03-02T08:00"],
      "2025-03-04T08:00",
    ]);
  });

  it("pass over one whose successor is nearer: a start at 07:50 does not send yesterday's ten minutes before today's", () => {
    expect(judge("2025-03-01T08:00", "2025-03-02T07:50")).toEqual([null, ["2025-03-01T08:00"], "2025-03-02T08:00"]);
    expect(judge("2025-03-01T08:00", "2025-03-01T20:00")).toEqual(["2025-03-01T08:00", [], "2025-03-02T08:00"]);
    expect(judge("2025-03-01T08:00", "2025-03-01T20:01")).toEqual([null, ["2025-03-01T08:00"], "2025-03-02T08:00"]);
  });

  it("pass over what is more than 24 hours late", () => {
    const weekly = pattern({ kind: "WEEKLY", weekdays: [6] }, "08:00", "2025-03-01T00:00", "2025-03-31T23:59");
    expect(judge("2025-03-01T08:00", "2025-03-02T08:00", weekly)[0]).toBe("2025-03-01T08:00");
    expect(judge("2025-03-01T08:00", "2025-03-02T08:01", weekly)).toEqual([null, ["2025-03-01T08:00"], "2025-03-08T08:00"]);
  });

  it("are none before they come", () => {
    expect(judge("2025-03-02T08:00", "2025-03-02T07:59")).toEqual([null, [], "2025-03-02T08:00"]);
  });
});

describe("how often", () => {
  it.each([
    [{ kind: "WEEKLY", weekdays: [0, 6] }, true],
    [{ kind: "WEEKLY", weekdays: [] }, false],
    [{ kind: "WEEKLY", weekdays: [7] }, false],
    [{ kind: "MONTHLY", day: 28 }, true],
    [{ kind: "MONTHLY", day: 29 }, false],
    [{ kind: "MONTHLY", day: "LAST" }, true],
    [{ kind: "EVERY_N_DAYS", days: 90 }, true],
    [{ kind: "EVERY_N_DAYS", days: 91 }, false],
    [{ kind: "EVERY_N_DAYS", days: 0 }, false],
    [{ kind: "HOURLY" }, false],
  ])("%j is taken: %s", (given, fits) => {
    expect(Frequency.safeParse(given).success).toBe(fits);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frequencies } from "#lib/plan-rules/limits.ts";
import { dueSlot, newestSlot, nextRun, nextSlot } from "#lib/plan-rules/slots/logic.ts";

const firstDay = "2026-10-01";
const local = (text: string) => new Date(`${text}:00Z`);
const shown = (moment: Date) => moment.toISOString().slice(0, 16);
const slots = (frequency: number, from: string, count: number) => {
  const found: string[] = [];
  for (let at = newestSlot({ frequency, firstDay }, local(from)); found.length < count; at = nextSlot({ frequency, firstDay }, at))
    found.push(shown(at).slice(11));
  return found;
};

describe("slots of a rule [RUL-07] [RUL-08]", () => {
  test("are counted from 03:00 by the frequency, up to the next 03:00", () => {
    expect(slots(2.5, "2026-10-14T03:00", 11)).toEqual([
      "03:00",
      "05:30",
      "08:00",
      "10:30",
      "13:00",
      "15:30",
      "18:00",
      "20:30",
      "23:00",
      "01:30",
      "03:00",
    ]);
    expect(slots(3.5, "2026-10-14T04:00", 8)).toEqual(["03:00", "06:30", "10:00", "13:30", "17:00", "20:30", "00:00", "03:00"]);
    expect(slots(24, "2026-10-14T02:59", 2)).toEqual(["03:00", "03:00"]);
    expect(shown(newestSlot({ frequency: 24, firstDay }, local("2026-10-14T02:59")))).toBe("2026-10-13T03:00");
  });

  test("of 48 hours are every second day from the first", () => {
    const timing = { frequency: 48, firstDay };
    expect(shown(newestSlot(timing, local("2026-10-03T03:00")))).toBe("2026-10-03T03:00");
    expect(shown(newestSlot(timing, local("2026-10-04T23:00")))).toBe("2026-10-03T03:00");
    expect(shown(nextSlot(timing, local("2026-10-04T23:00")))).toBe("2026-10-05T03:00");
  });

  test("are moments by the offset of the project: 03:00 in Brasilia is 06:00 UTC, in Beijing 19:00 of the day before", () => {
    const rule = { frequency: 24, firstDay, effectiveAt: null, lastSlot: null };
    expect(shown(nextRun(rule, new Date("2026-10-14T05:00:00Z"), -11))).toBe("2026-10-14T06:00");
    expect(shown(nextRun(rule, new Date("2026-10-14T05:00:00Z"), 0))).toBe("2026-10-14T19:00");
  });

  test("lie on a full or half hour, the next after any moment and the newest not after it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...frequencies), fc.integer({ min: 0, max: 60 * 24 * 40 }), (frequency, minutes) => {
        const at = new Date(Date.UTC(2026, 9, 1) + minutes * 60_000);
        const [newest, next] = [newestSlot({ frequency, firstDay }, at), nextSlot({ frequency, firstDay }, at)];
        expect(newest.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(next.getTime()).toBeGreaterThan(at.getTime());
        expect(next.getTime() % 1_800_000).toBe(0);
        expect(newestSlot({ frequency, firstDay }, new Date(next.getTime() - 1))).toEqual(newest);
      }),
    );
  });

  test("are due once: missed ones together, an hour that comes twice not again, a rule that begins later not before", () => {
    const rule = { frequency: 0.5, firstDay, effectiveAt: null, lastSlot: local("2026-10-14T09:00") };
    const now = new Date("2026-10-14T04:45:00Z");
    expect(dueSlot(rule, now, 0)).toEqual(local("2026-10-14T12:30"));
    // The project moves an hour back: 12:30 comes again.
    expect(dueSlot({ ...rule, lastSlot: local("2026-10-14T12:30") }, new Date("2026-10-14T05:15:00Z"), -1)).toBeNull();
    expect(dueSlot({ ...rule, lastSlot: local("2026-10-14T12:30") }, new Date("2026-10-14T06:15:00Z"), -1)).toEqual(
      local("2026-10-14T13:00"),
    );
    expect(dueSlot({ ...rule, effectiveAt: new Date("2026-10-14T04:46:00Z") }, now, 0)).toBeNull();
    expect(dueSlot({ ...rule, effectiveAt: new Date("2026-10-14T04:31:00Z") }, now, 0)).toBeNull();
    expect(shown(nextRun({ ...rule, effectiveAt: new Date("2026-10-15T19:00:00Z"), lastSlot: null }, now, 0))).toBe("2026-10-15T19:00");
  });
});

import ical, { ICalCalendarMethod } from "ical-generator";
import { isoDay } from "#lib/core/clock.ts";

/** An activity as a calendar shows it. Days are numbers; `start` is 0 where only the end is planned. */
export type FeedEvent = { duId: number; slot: number; code: string; name: string; activity: string; start: number; end: number };

const dayMs = 86_400_000;
const dateOf = (day: number) => new Date(Date.parse(`${isoDay(day)}T00:00:00Z`));

/**
 * Text of a calendar with a whole-day event per activity, from its plan start to its plan end, both included (RFC 5545; the end of an event is the day after it).
 * @param stamp moment of the reading
 */
export function writeCalendar(project: { number: string; name: string }, events: readonly FeedEvent[], stamp: Date): string {
  const calendar = ical({
    name: `${project.name} (${project.number})`,
    prodId: { company: "Milepost", product: "Roll-out plan" },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 3_600,
  });
  for (const { duId, slot, code, name, activity, start, end } of events) {
    const first = start > 0 && start <= end ? start : end;
    calendar.createEvent({
      id: `${duId}-${slot}@${project.number}`,
      stamp,
      start: dateOf(first),
      end: new Date(dateOf(end).getTime() + dayMs),
      allDay: true,
      timezone: "UTC",
      summary: `${code} ${activity}`,
      description: name,
    });
  }
  return calendar.toString();
}

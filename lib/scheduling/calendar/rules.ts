import type { Rule } from "#lib/core/rule.ts";
import { searchDaysMax } from "./limits.ts";
import { noWorkingDay, upNumber, type WorkingDays } from "./logic.ts";

export type CalendarFacts = { calendar: WorkingDays; today: number };

/** A calendar has a working day, and one near today: without it nothing could be scheduled. */
export const INVALID_CALENDAR: Rule<CalendarFacts> = {
  code: "INVALID_CALENDAR",
  broken: ({ calendar, today }) => upNumber(calendar, today) === noWorkingDay && { days: searchDaysMax },
};

export const saveCalendarRules: readonly Rule<CalendarFacts>[] = [INVALID_CALENDAR];

import { defaultWeekdays } from "#lib/scheduling/calendar/limits.ts";
import { type WorkingDays, workingDays } from "#lib/scheduling/calendar/logic.ts";
import type { CalendarRule } from "#lib/scheduling/calendar/queries.ts";

/** Working days of the calendars of a project; each table is built when it is first asked for. */
export class CalendarTables {
  private readonly rules: ReadonlyMap<number | null, CalendarRule>;
  private readonly tables = new Map<number | null, WorkingDays>();

  constructor(rules: readonly CalendarRule[]) {
    this.rules = new Map(rules.map((rule) => [rule.regionId, rule]));
  }

  /** Whose calendar a DU of the region follows: its own, else that of the project. */
  keyOf(regionId: number | null): number | null {
    return regionId !== null && this.rules.has(regionId) ? regionId : null;
  }

  /** Working days of a DU of the region. */
  of(regionId: number | null): WorkingDays {
    const key = this.keyOf(regionId);
    let table = this.tables.get(key);
    if (!table) {
      const rule = this.rules.get(key);
      table = workingDays(rule?.weekdays ?? defaultWeekdays, rule?.days.map(([day, working]) => ({ day, working })) ?? []);
      this.tables.set(key, table);
    }
    return table;
  }
}

import "server-only";
import { and, eq, isNull } from "drizzle-orm";
import type { z } from "zod";
import { workCalendar } from "#db/schema/scheduling.ts";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { workingDays } from "./logic.ts";
import { type CalendarSettings, findCalendarSettings, type NamedDay, requireRegion } from "./queries.ts";
import { saveCalendarRules } from "./rules.ts";
import type { SaveCalendar } from "./schema.ts";

/**
 * Sets the working calendar of the project or of a region, or lets a region follow the project's calendar again.
 * @returns id of the calendar, null when the region's own was dropped
 * @throws INVALID_CALENDAR, NOT_FOUND, NOTHING_MODIFIED, STALE
 */
export async function saveCalendar(
  ctx: Ctx,
  input: z.output<typeof SaveCalendar>,
): Promise<{ id: number | null; rowVersion: number | null }> {
  const regionId = input.regionId ?? null;
  const region = regionId === null ? null : await requireRegion(ctx, regionId);
  const before = await findCalendarSettings(ctx, { regionId });
  const [present] = await ctx.tx
    .select({ id: workCalendar.id, rowVersion: workCalendar.rowVersion })
    .from(workCalendar)
    .where(
      and(
        eq(workCalendar.projectId, ctx.project.id),
        regionId === null ? isNull(workCalendar.regionId) : eq(workCalendar.regionId, regionId),
      ),
    )
    .for("update");
  if ((present?.rowVersion ?? null) !== (input.rowVersion ?? null)) throw new AppError("STALE", {}, [], before);
  const object = regionId === null ? "work_calendar" : `work_calendar region ${regionId}`;

  if (input.inherit) {
    refuseUnchanged({ inherit: !present }, { inherit: true });
    if (present) await ctx.tx.delete(workCalendar).where(eq(workCalendar.id, present.id));
    ctx.audit(object, before, { inherit: true });
    return { id: null, rowVersion: null };
  }

  const { weekdays: works = [], days: given = [] } = input;
  const weekdays = works.reduce((mask, day) => mask | (1 << day), 0);
  const exceptions = given.map(({ day, working }) => ({ day: dayNumber(day), working }));
  const days = given.map(({ day, working, name }) => ({ day, working, name: name || null }));
  if (present) refuseUnchanged(facts(before), facts({ weekdays: works, holidays: pick(days, false), extraWorkdays: pick(days, true) }));
  checkRules(saveCalendarRules, { calendar: workingDays(weekdays, exceptions), today: dayNumber(ctx.today) });
  const [saved] = present
    ? await ctx.tx
        .update(workCalendar)
        .set({ weekdays, updatedBy: ctx.user.id, rowVersion: present.rowVersion + 1 })
        .where(eq(workCalendar.id, present.id))
        .returning({ id: workCalendar.id, rowVersion: workCalendar.rowVersion })
    : await ctx.tx
        .insert(workCalendar)
        .values({
          projectId: ctx.project.id,
          regionId,
          name: region?.name ?? ctx.project.name.slice(0, 100),
          weekdays,
          updatedBy: ctx.user.id,
        })
        .returning({ id: workCalendar.id, rowVersion: workCalendar.rowVersion });
  await ctx.sql`delete from work_calendar_day where calendar_id = ${saved!.id}`;
  await ctx.sql`
    insert into work_calendar_day (calendar_id, day, working, name)
    select ${saved!.id}, day, working, name from jsonb_to_recordset(${ctx.sql.json(days)}) as d(day date, working boolean, name text)`;
  ctx.audit(object, before, { weekdays: works, days });
  return saved!;
}

const pick = (days: readonly (NamedDay & { working: boolean })[], working: boolean): NamedDay[] =>
  days.filter((one) => one.working === working).map(({ day, name }) => ({ day, name }));

const byDay = (days: readonly NamedDay[]) => days.toSorted((a, b) => a.day.localeCompare(b.day));

const facts = ({ weekdays, holidays, extraWorkdays }: Pick<CalendarSettings, "weekdays" | "holidays" | "extraWorkdays">) => ({
  weekdays: [...new Set(weekdays)].sort(),
  holidays: byDay(holidays),
  extraWorkdays: byDay(extraWorkdays),
});

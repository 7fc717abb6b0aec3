import "server-only";
import type { z } from "zod";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { defaultWeekdays } from "./limits.ts";
import { type WorkingDays, workingDays } from "./logic.ts";
import type { FindCalendar } from "./schema.ts";

/** A calendar with its day tables. Id and revision are 0 for the Monday to Friday of a project that has none. */
export type Calendar = { id: number; rowVersion: number; days: WorkingDays };

/** The calendars of a project: a DU follows that of its region, else the project's. */
export type Calendars = { project: Calendar; regions: ReadonlyMap<number, Calendar> };

const tables = new Map<string, WorkingDays>();
const tablesKept = 200;
const standard: Calendar = { id: 0, rowVersion: 0, days: workingDays(defaultWeekdays, []) };

type CalendarRow = { id: number; regionId: number | null; weekdays: number; rowVersion: number };
type DayRow = { calendarId: number; day: string; working: boolean; name: string | null };

/** All calendars of the project as day tables; a table is built once per revision of its calendar. */
export async function readCalendars({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<Calendars> {
  const rows = await sql<CalendarRow[]>`
    select id, region_id as "regionId", weekdays, row_version as "rowVersion" from work_calendar where project_id = ${project.id}`;
  const wanted = rows.filter((row) => !tables.has(tableKey(row)));
  const days = await readDays(
    { sql },
    wanted.map((row) => row.id),
  );
  if (tables.size + wanted.length > tablesKept) tables.clear();
  const made = (row: CalendarRow): Calendar => {
    let table = tables.get(tableKey(row));
    if (!table) {
      const exceptions = days.get(row.id) ?? [];
      table = workingDays(
        row.weekdays,
        exceptions.map(({ day, working }) => ({ day: dayNumber(day), working })),
      );
      tables.set(tableKey(row), table);
    }
    return { id: row.id, rowVersion: row.rowVersion, days: table };
  };
  const own = rows.find((row) => row.regionId === null);
  const regions = rows.filter((row) => row.regionId !== null);
  return { project: own ? made(own) : standard, regions: new Map(regions.map((row) => [row.regionId!, made(row)])) };
}

const tableKey = ({ id, rowVersion }: CalendarRow) => `${id} ${rowVersion}`;

/** The calendar a DU of the region follows. */
export function calendarOf(calendars: Calendars, regionId: number | null): Calendar {
  return (regionId === null ? undefined : calendars.regions.get(regionId)) ?? calendars.project;
}

async function readDays({ sql }: Pick<Ctx, "sql">, calendarIds: readonly number[]): Promise<Map<number, DayRow[]>> {
  const found = new Map<number, DayRow[]>(calendarIds.map((id) => [id, []]));
  if (calendarIds.length === 0) return found;
  const rows = await sql<DayRow[]>`
    select calendar_id as "calendarId", day, working, name from work_calendar_day
    where calendar_id = any(${[...calendarIds]}::bigint[]) order by calendar_id, day`;
  for (const row of rows) found.get(row.calendarId)!.push(row);
  return found;
}

/** A calendar as its rules, to build the tables of elsewhere: `regionId` null for that of the project. */
export type CalendarRule = { regionId: number | null; weekdays: number; days: [day: number, working: boolean][] };

/** Rules of all calendars of the project; none where it follows the product's Monday to Friday. */
export async function listCalendarRules(ctx: Pick<Ctx, "sql" | "project">): Promise<CalendarRule[]> {
  const rows = await ctx.sql<{ id: number; regionId: number | null; weekdays: number }[]>`
    select id, region_id as "regionId", weekdays from work_calendar where project_id = ${ctx.project.id} order by id`;
  const days = await readDays(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, regionId, weekdays }) => ({
    regionId,
    weekdays,
    days: (days.get(id) ?? []).map(({ day, working }) => [dayNumber(day), working]),
  }));
}

export type NamedDay = { day: string; name: string | null };
export type CalendarSettings = {
  /** null: neither the region nor the project has a calendar of its own. */
  calendarId: number | null;
  /** Weekdays on which people work, 0 = Sunday. */
  weekdays: number[];
  holidays: NamedDay[];
  extraWorkdays: NamedDay[];
  /** The settings are those of the project (or of the product), not of what was asked. */
  inherited: boolean;
  /** Revision to save with; null where the calendar asked for does not exist yet. */
  rowVersion: number | null;
  /** DUs that follow this calendar; null where DU counts are hidden. */
  duCount: number | null;
};

/** Working calendar of a region or of the project, as it is set or inherited. */
export async function findCalendarSettings(ctx: Ctx, { regionId = null }: z.output<typeof FindCalendar>): Promise<CalendarSettings> {
  const { sql, project } = ctx;
  if (regionId !== null) await requireRegion(ctx, regionId);
  const rows = await sql<CalendarRow[]>`
    select id, region_id as "regionId", weekdays, row_version as "rowVersion" from work_calendar
    where project_id = ${project.id} and (region_id is null or region_id = ${regionId})`;
  const own = rows.find((row) => row.regionId === regionId);
  const used = own ?? rows.find((row) => row.regionId === null);
  const days = used ? (await readDays(ctx, [used.id])).get(used.id)! : [];
  const pick = (working: boolean) => days.filter((row) => row.working === working).map(({ day, name }) => ({ day, name }));
  const mask = used?.weekdays ?? defaultWeekdays;
  return {
    calendarId: used?.id ?? null,
    weekdays: [0, 1, 2, 3, 4, 5, 6].filter((day) => (mask >> day) & 1),
    holidays: pick(false),
    extraWorkdays: pick(true),
    inherited: !own,
    rowVersion: own?.rowVersion ?? null,
    duCount: ctx.can("rollout.duCountHide") ? null : await countDus(ctx, regionId),
  };
}

/** DUs the caller sees that follow the calendar of the region, or the project's because their region has none. */
async function countDus({ sql, scope, project }: Ctx, regionId: number | null): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from du where ${scope.where("rollout.view")} and ${
      regionId === null
        ? sql`not exists (select 1 from work_calendar c where c.project_id = ${project.id} and c.region_id = du.region_id)`
        : sql`du.region_id = ${regionId}`
    }`;
  return row?.count ?? 0;
}

/** A region of another project is as unknown as one that does not exist. */
export async function requireRegion({ sql, project }: Pick<Ctx, "sql" | "project">, regionId: number): Promise<{ name: string }> {
  const [region] = await sql<{ name: string }[]>`
    select name from delivery_region where id = ${regionId} and project_id = ${project.id} and deleted_at is null`;
  if (!region) throw new AppError("NOT_FOUND", { object: regionId });
  return region;
}

/** Regions of the project, with whether each has a calendar of its own. */
export async function listCalendarRegions({
  sql,
  project,
}: Pick<Ctx, "sql" | "project">): Promise<{ id: number; name: string; own: boolean }[]> {
  return [
    ...(await sql<{ id: number; name: string; own: boolean }[]>`
      select r.id, r.name, exists (select 1 from work_calendar c where c.region_id = r.id) as own
      from delivery_region r where r.project_id = ${project.id} and r.deleted_at is null order by r.sort_no, r.name`),
  ];
}

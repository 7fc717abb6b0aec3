import "server-only";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { ListInput, Page } from "#lib/core/paging.ts";
import { downNumber, noWorkingDay, shiftWorkingDays } from "#lib/scheduling/calendar/logic.ts";
import { calendarOf, readCalendars } from "#lib/scheduling/calendar/queries.ts";
import { type InputRow, listRows } from "../inputs/queries.ts";
import { reusable } from "../lots/logic.ts";
import { quantityUnit } from "../snapshot/limits.ts";
import { hundredths, tenThousandths } from "../snapshot/logic.ts";
import { demandVersion } from "../versions/queries.ts";

/** What a DU gives back of an item. */
export type SiteRow = {
  id: number;
  duId: number;
  duCode: string;
  customerSite: string | null;
  itemCode: string;
  description: string | null;
  decomQty: number;
  /** What can be used again of it, in whole pieces; null for items that are not used again. */
  expectedQty: number | null;
  /** From when, by the last plan of the engine; null without. */
  availableDate: string | null;
};

/** Items that are used again, or, by the filter `kind`, what is dismantled. [ENG-49] @throws NOT_FOUND */
export function listReuse(ctx: Ctx, input: ListInput): Promise<Page<InputRow | SiteRow>> {
  const kind = input.filters.find(({ field }) => field === "kind")?.values[0];
  return kind === "site" ? listSiteRows(ctx, input) : listRows(ctx, "reuseMaterial", input);
}

type Stored = Omit<SiteRow, "expectedQty" | "availableDate"> & {
  listed: boolean;
  damage: number | null;
  reuse: number | null;
  buffer: number | null;
  turnaround: number | null;
  regionId: number | null;
  /** Last day of the last disassembly by the last plan, days since 2000-01-01. */
  done: number | null;
  total: number;
};

async function listSiteRows(ctx: Ctx, { page, size, filters }: ListInput): Promise<Page<SiteRow>> {
  const { sql, project } = ctx;
  const value = (field: string) => filters.find((filter) => filter.field === field)?.values[0];
  const wanted = value("versionId");
  if (wanted !== undefined && !Number.isSafeInteger(Number(wanted))) throw new AppError("NOT_FOUND", { object: String(wanted) });
  const [current] = await sql<{ id: number }[]>`select id from engine_plan_version where project_id = ${project.id} and is_current`;
  const versionId = wanted === undefined ? current?.id : Number(wanted);
  if (versionId === undefined) return { records: [], total: 0, page, size };
  await demandVersion(ctx, versionId);
  const text = value("search");
  const found =
    text === undefined
      ? sql``
      : sql`and position(lower(${String(text)}) in lower(concat_ws(' ', d.code, e.customer_site, m.item_code, m.description))) > 0`;
  const rows = await sql<Stored[]>`
    with rows as (
      select m.id, m.du_id, d.code, e.customer_site, e.region, e.workflow_name, m.item_code, m.description, m.decom_qty, count(*) over ()::int as total
      from engine_du_material m join du d on d.id = m.du_id left join engine_du e on e.version_id = m.version_id and e.du_id = m.du_id
      where m.project_id = ${project.id} and m.version_id = ${versionId} and m.decom_qty is not null ${found}
      order by e.customer_site nulls last, d.code collate natural_order, m.id limit ${size} offset ${(page - 1) * size}
    ), run as (
      select id from engine_run where version_id = ${versionId} and kind = 'plan' and has_output order by id desc limit 1
    )
    select r.id, r.du_id as "duId", r.code as "duCode", r.customer_site as "customerSite", r.item_code as "itemCode", r.description, r.decom_qty as "decomQty",
      u.id is not null as listed, coalesce(u.damage_rate, s.damage_rate) as damage, coalesce(u.reuse_rate, s.reuse_rate) as reuse,
      coalesce(u.buffer_rate, s.buffer_rate) as buffer, u.turnaround_days as turnaround, g.id as "regionId", r.total,
      (select max(o.ends[p.place]) from run join engine_out_du o on o.run_id = run.id and o.du_id = r.du_id
        join engine_run_flow f on f.run_id = run.id and f.workflow_name = o.workflow_name
        cross join lateral unnest(f.activity_names) with ordinality as p(name, place)
        join engine_activity a on a.version_id = ${versionId} and a.workflow_name = o.workflow_name and a.activity_name = p.name and a.disassembly
        where o.ends[p.place] > 0)::int as done
    from rows r left join engine_reuse_material u on u.version_id = ${versionId} and u.item_code = r.item_code
      left join engine_setting s on s.version_id = ${versionId}
      left join delivery_region g on g.project_id = ${project.id} and g.name = r.region and g.deleted_at is null
    order by r.customer_site nulls last, r.code collate natural_order, r.id`;
  const calendars = await readCalendars(ctx);
  const records = rows.map(
    ({ listed, damage, reuse, buffer, turnaround, regionId, done, total: _total, ...row }): SiteRow => ({
      ...row,
      expectedQty: listed
        ? reusable(hundredths(row.decomQty), {
            damage: tenThousandths(damage ?? 0),
            reuse: tenThousandths(reuse ?? 1),
            buffer: tenThousandths(buffer ?? 0),
          }) / quantityUnit
        : null,
      availableDate: listed && done !== null ? firstDay(calendarOf(calendars, regionId).days, done, turnaround ?? 0) : null,
    }),
  );
  return { records, total: rows[0]?.total ?? 0, page, size };
}

/** The day after the disassembly, and after so many more working days. */
function firstDay(calendar: Parameters<typeof shiftWorkingDays>[0], done: number, turnaround: number): string | null {
  if (turnaround === 0) return isoDay(done + 1);
  const last = downNumber(calendar, done);
  const day = last === noWorkingDay ? null : shiftWorkingDays(calendar, calendar.days[last]!, turnaround);
  return day === null ? null : isoDay(day + 1);
}

/** Dismantled rows by id, with the slots of the activities that take their DUs down. */
export type DismantledRow = { id: number; duId: number; duCode: string; site: string | null; slots: number[] };

/** The same for rows of the project. @throws NOT_FOUND */
export async function readDismantled({ sql, project }: Pick<Ctx, "sql" | "project">, ids: readonly number[]): Promise<DismantledRow[]> {
  const rows = await sql<DismantledRow[]>`
    select m.id, m.du_id as "duId", d.code as "duCode", e.customer_site as site,
      coalesce((select array_agg(a.slot order by a.sort, a.id) from engine_activity a
        where a.version_id = m.version_id and a.workflow_name = e.workflow_name and a.disassembly and a.slot is not null), '{}') as slots
    from engine_du_material m join du d on d.id = m.du_id and d.deleted_at is null
      left join engine_du e on e.version_id = m.version_id and e.du_id = m.du_id
    where m.project_id = ${project.id} and m.decom_qty is not null and m.id = any(${[...ids]}::bigint[]) order by m.id`;
  const missing = ids.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  return [...rows];
}

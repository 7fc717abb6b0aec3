import "server-only";
import type { Sql } from "#db/client.ts";
import { isoDay } from "#lib/core/clock.ts";
import { asLocale, type Locale } from "#lib/core/locale.ts";

/** Somebody who gets mails. */
export type Receiver = { id: number; name: string; email: string; lang: Locale };

/** Active people among those asked, by id. */
export async function readReceivers(sql: Sql, userIds: readonly number[]): Promise<Map<number, Receiver>> {
  const rows = await sql<{ id: number; name: string; email: string; language: string | null }[]>`
    select id, name, email, language from app_user where id = any(${[...new Set(userIds)]}::bigint[]) and active`;
  return new Map(rows.map(({ language, ...row }) => [row.id, { ...row, lang: asLocale(language) ?? "zh" }]));
}

/** An activity of a DU as a mail names it. */
export type PlaceLabel = { duCode: string; activity: string; number: number | null; planStart: string | null; planEnd: string | null };

/** Names and plan dates of activities, by `duId slot`. */
export async function readPlaceLabels(
  { sql, project }: { sql: Sql; project: { id: number } },
  places: readonly { duId: number; slot: number }[],
): Promise<Map<string, PlaceLabel>> {
  const given = places.map(({ duId, slot }) => ({ duId, slot }));
  const rows = await sql<
    { duId: number; slot: number; duCode: string; activity: string; number: number | null; planStart: number; planEnd: number }[]
  >`
    select g."duId", g.slot, du.code as "duCode", a.name as activity, o.number, coalesce(p.plan_start[g.slot], 0) as "planStart", coalesce(p.plan_end[g.slot], 0) as "planEnd"
    from jsonb_to_recordset(${sql.json(given)}) as g("duId" bigint, slot smallint)
    join du on du.id = g."duId" and du.project_id = ${project.id}
    join activity_library a on a.project_id = ${project.id} and a.slot = g.slot
    left join du_plan p on p.du_id = du.id
    left join work_order o on o.du_id = du.id and o.slot = g.slot
    order by du.code collate natural_order, a.slot`;
  return new Map(
    rows.map(({ duId, slot, planStart, planEnd, ...row }) => [
      `${duId} ${slot}`,
      { ...row, planStart: isoDay(planStart), planEnd: isoDay(planEnd) },
    ]),
  );
}

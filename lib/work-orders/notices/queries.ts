import "server-only";
import type { Sql } from "#db/client.ts";
import { isoDay } from "#lib/core/clock.ts";
import { asLocale, type Locale } from "#lib/core/locale.ts";
import { recipientSees } from "#lib/resources/isolation/queries.ts";

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

/** An activity of a DU, or a temporary order, which has no slot. */
export type NoticePlace = { duId: number; slot: number | null; orderId?: number };
/** Key of a place in a map. */
export const placeKey = ({ duId, slot, orderId }: NoticePlace): string => (slot === null ? `#${orderId}` : `${duId} ${slot}`);

/** Those of the persons and DUs whom isolation leaves the DU to, each as `userId duId`. */
export async function readSeen(sql: Sql, told: readonly { userId: number; duId: number }[]): Promise<Set<string>> {
  const rows = await sql<{ userId: number; duId: number }[]>`
    select distinct g."userId", g."duId" from jsonb_to_recordset(${sql.json(told.map(({ userId, duId }) => ({ userId, duId })))}) as g("userId" bigint, "duId" bigint)
    join du on du.id = g."duId" where ${recipientSees(sql, sql`g."userId"`)}`;
  return new Set(rows.map(({ userId, duId }) => `${userId} ${duId}`));
}

/** Names and plan dates of activities and temporary orders, by `placeKey`. */
export async function readPlaceLabels(
  { sql, project }: { sql: Sql; project: { id: number } },
  places: readonly NoticePlace[],
): Promise<Map<string, PlaceLabel>> {
  const given = places.map(({ duId, slot, orderId }) => ({ duId, slot, orderId: slot === null ? (orderId ?? null) : null }));
  const rows = await sql<(NoticePlace & { duCode: string; activity: string; number: number | null; planStart: number; planEnd: number })[]>`
    select g."duId", g.slot, g."orderId", du.code as "duCode", coalesce(o.name, a.name) as activity, o.number,
      coalesce(o.temp_start - date '2000-01-01', p.plan_start[g.slot], 0) as "planStart", coalesce(o.temp_end - date '2000-01-01', p.plan_end[g.slot], 0) as "planEnd"
    from jsonb_to_recordset(${sql.json(given)}) as g("duId" bigint, slot smallint, "orderId" bigint)
    join du on du.id = g."duId" and du.project_id = ${project.id}
    left join activity_library a on a.project_id = ${project.id} and a.slot = g.slot
    left join du_plan p on p.du_id = du.id
    left join work_order o on o.du_id = du.id and (o.slot = g.slot or o.id = g."orderId")
    where a.id is not null or o.temp
    order by du.code collate natural_order, a.slot, o.number`;
  return new Map(
    rows.map(({ duId, slot, orderId, planStart, planEnd, ...row }) => [
      placeKey({ duId, slot, ...(orderId && { orderId }) }),
      { ...row, planStart: isoDay(planStart), planEnd: isoDay(planEnd) },
    ]),
  );
}

import "server-only";
import { createHash } from "node:crypto";
import { getSql } from "#db/client.ts";
import { holds } from "#lib/access/queries.ts";
import { dayNumber, projectToday } from "#lib/core/clock.ts";
import type { Ctx, CtxUser } from "#lib/core/ctx.ts";
import { countHit } from "#lib/core/rate-limit.ts";
import { makeScope } from "#lib/core/scope.ts";
import { tokenHash } from "#lib/core/secrets.ts";
import { openProject } from "#lib/session/queries.ts";
import { feedDaysAfter, feedDaysBefore, feedEventsMax, feedReadsPerHour, feedsPerPerson } from "./limits.ts";
import { type FeedEvent, writeCalendar } from "./logic.ts";

/** A feed without its secret, which is kept as a hash only. */
export type FeedRow = { id: number; createdAt: Date; lastUsedAt: Date | null };

/** The person's feeds of the project, newest first. */
export async function listFeeds({ sql, project, user }: Ctx): Promise<{ records: FeedRow[] }> {
  const rows = await sql<FeedRow[]>`
    select id, created_at as "createdAt", last_used_at as "lastUsedAt" from feed_token
    where project_id = ${project.id} and user_id = ${user.id} and revoked_at is null order by id desc limit ${feedsPerPerson}`;
  return { records: [...rows] };
}

/** What a feed gives: the calendar and the mark it goes by, or only the mark when the reader has that already. */
export type Feed = { mark: string; text: string | null };

/**
 * The calendar behind a secret. Membership, right and reach are those of this moment; a mark says whether anything can have changed since the last reading.
 * @param known mark of the reader's copy
 * @throws AppError for every reason not to give it; the caller tells none of them apart
 */
export async function readFeed(secret: string, known: string | null, now: Date): Promise<Feed | null> {
  const sql = getSql();
  const [row] = await sql<(CtxUser & { tokenId: number; number: string })[]>`
    update feed_token f set last_used_at = ${now} from app_user u, project p
    where f.hash = ${tokenHash(secret)} and f.revoked_at is null and u.id = f.user_id and u.active and p.id = f.project_id and p.status <> 'closed'
    returning u.id, u.account, u.name, u.email, u.kind, u.country, f.id as "tokenId", p.number`;
  if (!row) return null;
  const { tokenId, number, ...user } = row;
  await countHit(sql, `feed:${tokenId}`, feedReadsPerHour, now, 3_600_000);
  const { project, membership } = await openProject(sql, { user, sid: null, tokenId: null }, number, now);
  if (!holds(membership, "rollout.view")) return null;
  const scope = makeScope(sql, project.id, user.id, membership);
  const today = projectToday(now, project.tzOffset);
  const [plan] = await sql<{ seq: number }[]>`select coalesce((select seq from plan_seq where project_id = ${project.id}), 0) as seq`;
  const mark = `"${createHash("sha256")
    .update(JSON.stringify([tokenId, plan?.seq, today, project.name, scope.fingerprint("rollout.view")]))
    .digest("base64url")}"`;
  if (known === mark) return { mark, text: null };
  const events = await listEvents({ sql, project, scope }, user.id, dayNumber(today));
  return { mark, text: writeCalendar(project, events, now) };
}

/** Open activities of the person, and the milestones of the DUs where he has one, by their plan end. */
async function listEvents(
  { sql, project, scope }: Pick<Ctx, "sql" | "project" | "scope">,
  userId: number,
  today: number,
): Promise<FeedEvent[]> {
  return sql<FeedEvent[]>`
    with own as materialized (
      select coalesce(array_agg(id), '{}')::int[] as sets from owner_set where project_id = ${project.id} and user_ids @> array[${userId}::bigint]
    )
    select du.id as "duId", l.slot, du.code, du.name, coalesce(n.name, l.name) as activity, coalesce(p.plan_start[l.slot], 0) as start, p.plan_end[l.slot] as "end"
    from own
    join du_plan p on p.project_id = ${project.id} and (p.plan_owner && own.sets or p.actual_owner && own.sets)
    join du on du.id = p.du_id
    join du_flow f on f.du_id = du.id and f.unbound_at is null
    join flow_activity n on n.flow_id = f.flow_id
    join activity_library l on l.id = n.activity_id
    where ${scope.where("rollout.view")}
      and p.state[l.slot] & 71 = 1 and coalesce(p.actual_end[l.slot], 0) = 0
      and p.plan_end[l.slot] between ${today - feedDaysBefore} and ${today + feedDaysAfter}
      and (n.is_milestone or p.plan_owner[l.slot] = any(own.sets) or p.actual_owner[l.slot] = any(own.sets))
    order by p.plan_end[l.slot], du.code, n.seq, du.id limit ${feedEventsMax}`;
}

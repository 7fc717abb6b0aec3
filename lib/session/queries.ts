import "server-only";
import type { PendingQuery, Row } from "postgres";
import { getSql, type Sql } from "#db/client.ts";
import { currentRole } from "#lib/access/logic.ts";
import {
  findMembership,
  holds,
  listPermissions,
  type Membership,
  type MembershipRow,
  membershipColumns,
  membershipOf,
} from "#lib/access/queries.ts";
import { projectToday } from "#lib/core/clock.ts";
import type { CtxProject, CtxUser, PersonCtx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { projectOfPath } from "#lib/core/href.ts";
import { log } from "#lib/core/log.ts";
import { tokenHash } from "#lib/core/secrets.ts";
import { onTrustChange } from "#lib/core/trust.ts";
import { isPermissionCode } from "#lib/permissions.ts";
import { companyEnded } from "#lib/resources/isolation/queries.ts";
import { sessionTrustSeconds } from "./limits.ts";

/** Who is behind a request. */
export type Who = { user: CtxUser; sid: string | null; tokenId: number | null; csrfToken: string | null; expiresAt: Date };

type UserRow = CtxUser & { active: boolean };
const userColumns = (sql: Sql) => sql`u.id, u.account, u.name, u.email, u.kind, u.country, u.active`;

const trusted = new Map<string, { who: Who; until: number }>();

/** Forgets what is known of sessions, so that the next call reads the table. */
export function forgetSessions(): void {
  trusted.clear();
  trustedTokens.clear();
}

/**
 * The person of a session, or null when it is unknown, revoked, expired or the account is off. A session once read is trusted for seconds.
 * @param sid id carried by the signed cookie
 */
export async function findSession(sid: string, now: Date): Promise<Who | null> {
  const known = trusted.get(sid);
  if (known && known.until > now.getTime() && known.who.expiresAt > now) return known.who;
  trusted.delete(sid);
  const sql = getSql();
  const [row] = await sql<(UserRow & { csrfToken: string; expiresAt: Date })[]>`
    select ${userColumns(sql)}, s.csrf_token as "csrfToken", s.expires_at as "expiresAt"
    from user_session s join app_user u on u.id = s.user_id
    where s.sid = ${sid} and s.revoked_at is null and s.expires_at > ${now} and u.active`;
  if (!row) return null;
  const { csrfToken, expiresAt, active: _active, ...user } = row;
  const who = { user, sid, tokenId: null, csrfToken, expiresAt };
  if (trusted.size > 10_000) trusted.clear();
  trusted.set(sid, { who, until: now.getTime() + sessionTrustSeconds * 1000 });
  return who;
}

const trustedTokens = new Map<string, { who: Who; until: number }>();
onTrustChange(() => {
  trusted.clear();
  trustedTokens.clear();
});

/** The person of an API token, or null when it is unknown, revoked, expired or the account is off. */
export async function findToken(token: string, now: Date): Promise<Who | null> {
  const hash = tokenHash(token);
  const known = trustedTokens.get(hash);
  if (known && known.until > now.getTime()) return known.who;
  trustedTokens.delete(hash);
  const sql = getSql();
  const [row] = await sql<(UserRow & { tokenId: number; expiresAt: Date })[]>`
    update api_token t set last_used_at = ${now} from app_user u
    where t.hash = ${hash} and u.id = t.user_id and t.revoked_at is null and t.expires_at > ${now} and u.active
    returning ${userColumns(sql)}, t.id as "tokenId", t.expires_at as "expiresAt"`;
  if (!row) return null;
  const { tokenId, expiresAt, active: _active, ...user } = row;
  const who = { user, sid: null, tokenId, csrfToken: null, expiresAt };
  if (trustedTokens.size > 10_000) trustedTokens.clear();
  trustedTokens.set(hash, { who, until: now.getTime() + sessionTrustSeconds * 1000 });
  return who;
}

const projectColumns = (sql: Sql) => sql`p.id, p.number, p.name, p.country, p.hosting_country as "hostingCountry", p.datacenter,
  p.customer_kind as "customerKind", p.status, p.tz_offset_beijing as "tzOffset"`;

/** A project by its number, or null. */
export async function findProject(sql: Sql, number: string): Promise<CtxProject | null> {
  const [row] = await sql<CtxProject[]>`select ${projectColumns(sql)} from project p where p.number = ${number}`;
  return row ?? null;
}

/**
 * A project by its number in which the person holds a role today, be it one that follows from owning a region or a DU; null for any other.
 */
export async function findOwnProject(sql: Sql, userId: number, number: string, now: Date): Promise<CtxProject | null> {
  const project = await findProject(sql, number);
  if (!project) return null;
  const { roles } = await findMembership(sql, userId, project.id, projectToday(now, project.tzOffset));
  return roles.length > 0 ? project : null;
}

/** `projectToday` of a project (alias `p`), in the statement that reads its offset. */
const todayThere = (sql: Sql, now: Date) =>
  sql`((${now}::timestamptz at time zone 'utc') + (8 + p.tz_offset_beijing) * interval '1 hour')::date`;

/** What lies between a person and a project hosted abroad: nothing, a border that is crossed with a declaration, or one that is closed. */
export type Border = "none" | "declared" | "closed";

/**
 * The `Border` before a project (alias `p`), as SQL.
 * @param country of the person: a value, or SQL that gives it
 */
export const borderOf = (sql: Sql, country: string | PendingQuery<Row[]>): PendingQuery<Row[]> => sql`
  case when p.hosting_country = ${country} then 'none' when p.customer_kind = 'eu_non_subsidiary' then 'closed' else 'declared' end`;

/** Whether a person (alias `u`) who holds a role in a project (alias `p`) may open it, if need be after a declaration at its border: the refusals of `openProject`. */
const isOpenTo = (sql: Sql, now: Date) => sql`
  p.datacenter is not null and ${borderOf(sql, sql`u.country`)} <> 'closed'
  and not ${companyEnded(sql, sql`p.id`, todayThere(sql, now))}`;

/** One entry of the project switcher. */
export type ProjectEntry = { number: string; name: string; roles: string[]; isDefault: boolean; lastAccessed: Date | null };

/**
 * Projects a person may open, recently used first, with the roles held today by the project's clock or by owning a region or a DU there.
 * @param keyword part of number or name, any letter case
 * @param isDefault the one project the person starts with, if it is among them
 * @param closed those instead that may not be opened, though a role is held in them
 */
export async function listProjects(
  sql: Sql,
  userId: number,
  now: Date,
  input: { keyword?: string | undefined; isDefault?: true; closed?: true | undefined; page: number; size: number },
): Promise<{ records: ProjectEntry[]; total: number; page: number; size: number }> {
  const like = `%${(input.keyword ?? "").replace(/[\\%_]/g, "\\$&")}%`;
  const rows = await sql<(ProjectEntry & { total: number })[]>`
    select p.number, p.name, m.roles, coalesce(u.default_project_id = p.id, false) as "isDefault", r.last_at as "lastAccessed", count(*) over ()::int as total
    from (
      select project_id, array_agg(role order by granted_at nulls last, id, role) as roles from (
        select m.project_id, m.role, m.granted_at, m.id from project_member m
        join project p on p.id = m.project_id
        cross join lateral (select ${todayThere(sql, now)} as today) t
        where m.user_id = ${userId} and m.valid_from <= t.today and (m.valid_to is null or m.valid_to >= t.today)
        union
        select d.project_id, case o.owner_kind when 'INVENTORY_OWNER' then 'INVENTORY_OWNER' else 'SITE_OWNER' end, null, null
        from du_owner o join du d on d.id = o.du_id where o.user_id = ${userId} and d.deleted_at is null
        union
        select g.project_id, 'REGION_OWNER', null, null
        from region_owner o join delivery_region g on g.id = o.region_id where o.user_id = ${userId} and g.deleted_at is null
      ) held group by project_id
    ) m
    join project p on p.id = m.project_id
    join app_user u on u.id = ${userId}
    left join user_recent_project r on r.project_id = p.id and r.user_id = ${userId}
    where (p.number ilike ${like} or p.name ilike ${like}) and (${isOpenTo(sql, now)}) = ${!input.closed} ${input.isDefault ? sql`and u.default_project_id = p.id` : sql``}
    order by r.last_at desc nulls last, p.number
    limit ${input.size} offset ${(input.page - 1) * input.size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page: input.page, size: input.size };
}

/** Number of the project a session entered last, as long as the person still holds a role there; null for a session that entered none. */
export async function findCurrentProject(sql: Sql, userId: number, sid: string | null, now: Date): Promise<string | null> {
  if (!sid) return null;
  const [row] = await sql<{ id: number; number: string; offset: number }[]>`
    select p.id, p.number, p.tz_offset_beijing as "offset" from session_project s join project p on p.id = s.project_id
    where s.sid = ${sid} order by s.entered_at desc limit 1`;
  if (!row) return null;
  const { roles } = await findMembership(sql, userId, row.id, projectToday(now, row.offset));
  return roles.length > 0 ? row.number : null;
}

/** All a page knows of the session: person, project, roles, rights, language, time. */
export type Bootstrap = {
  user: { id: number; account: string; name: string; email: string; kind: string };
  project: { id: number; number: string; name: string; country: string; status: string; tzOffset: number };
  roles: string[];
  currentRole: string;
  permissions: Record<string, boolean>;
  projects: ProjectEntry[];
  defaultProject: string | null;
  language: string;
  timeZone: number;
  spaceInfo: { projectNumber: string; datacenter: string | null };
  spaceRoles: string[];
  switches: Record<string, string>;
  notices: { key: string; account: string; role: string | null; endsOn: string }[];
  /** The project's managers, whom a person without right may ask. */
  managers: { name: string; email: string }[];
  serverTime: string;
  csrfToken: string | null;
};

/** Assembles what the shell of a project shows; the gate has already let the person in. */
export async function readBootstrap(
  sql: Sql,
  who: Who,
  project: CtxProject,
  membership: Membership,
  now: Date,
  language: string,
  csrfToken: string | null,
): Promise<Bootstrap> {
  const today = projectToday(now, project.tzOffset);
  const { records: projects, total } = await listProjects(sql, who.user.id, now, { page: 1, size: 50 });
  const byDefault =
    projects.find(({ isDefault }) => isDefault) ??
    (total > projects.length ? (await listProjects(sql, who.user.id, now, { isDefault: true, page: 1, size: 1 })).records[0] : undefined);
  const switches = await sql<{ key: string; value: string }[]>`select key, value from project_switch where project_id = ${project.id}`;
  const notices = await sql<Bootstrap["notices"]>`
    select n.* from (
      select 'role:' || m.project_id || ':' || u.id || ':' || m.role || ':' || m.valid_to as key, u.account, m.role, m.valid_to::text as "endsOn"
      from project_member m join app_user u on u.id = m.user_id
      where m.project_id = ${project.id} and (u.id = ${who.user.id} or u.manager_id = ${who.user.id})
        and m.valid_to between ${today}::date and ${today}::date + 30
      union all
      select 'dpa:' || u.id || ':' || u.dpa_expires_on, u.account, null, u.dpa_expires_on::text from app_user u
      where u.manager_id = ${who.user.id} and u.dpa_expires_on between ${today}::date and ${today}::date + 30
    ) n where not exists (select 1 from notice_ack a where a.user_id = ${who.user.id} and a.notice_key = n.key)
    order by n."endsOn", n.account`;
  const managers = await sql<Bootstrap["managers"]>`
    select u.name, u.email from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${project.id} and m.role = 'PM' and u.active and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
    order by u.name limit 20`;
  return {
    user: { id: who.user.id, account: who.user.account, name: who.user.name, email: who.user.email, kind: who.user.kind },
    project: {
      id: project.id,
      number: project.number,
      name: project.name,
      country: project.country,
      status: project.status,
      tzOffset: project.tzOffset,
    },
    roles: membership.roles,
    currentRole: currentRole(membership.roles) ?? "",
    permissions: listPermissions(membership),
    projects,
    defaultProject: byDefault?.number ?? null,
    language,
    timeZone: project.tzOffset,
    spaceInfo: { projectNumber: project.number, datacenter: project.datacenter },
    spaceRoles: membership.roles,
    switches: Object.fromEntries(switches.map((row) => [row.key, row.value])),
    notices: [...notices],
    managers: [...managers],
    serverTime: now.toISOString(),
    csrfToken,
  };
}

/** Who asks for a project, and by which session or API token. */
type Asking = Pick<Who, "user" | "sid" | "tokenId">;

/** What somebody finds who enters a project; `enteredAs`: the fingerprint of the roles the session entered with. */
type Opened = { project: CtxProject; membership: Membership; enteredAs: string | null };

/**
 * What `openProject` gives, where nothing is in the way but the declaration a border may still wait for.
 * @throws NOT_AUTHORISED_FOR_PROJECT, PROJECT_INVALID, DPA_EXPIRED, NO_DATACENTER, CROSS_BORDER_FORBIDDEN
 */
export async function reachProject(
  sql: Sql,
  who: Asking,
  number: string,
  now: Date,
): Promise<Opened & { border: Exclude<Border, "closed"> }> {
  if (!projectOfPath(`/${number}`)) throw new AppError("PROJECT_INVALID", { project: number });
  const [row] = await sql<(CtxProject & MembershipRow & { enteredAs: string | null; border: Border })[]>`
    select ${projectColumns(sql)}, ${membershipColumns(sql, who.user.id, sql`p.id`, sql`p.today`)},
      (select role_fp from session_project where sid = ${who.sid} and project_id = p.id) as "enteredAs",
      ${borderOf(sql, who.user.country)} as border
    from (select p.*, ${todayThere(sql, now)} as today from project p) p
    where p.number = ${number}`;
  if (!row) throw new AppError("NOT_AUTHORISED_FOR_PROJECT", { project: number });
  const { roles, overrides, subcontractorId, regionIds, ownerKinds, delegated, customerControl, isolation, enteredAs, border, ...project } =
    row;
  const membership = membershipOf({ roles, overrides, subcontractorId, regionIds, ownerKinds, delegated, customerControl, isolation });
  if (membership.roles.length === 0) throw new AppError("NOT_AUTHORISED_FOR_PROJECT", { project: number });
  if (membership.isolation?.dpaEnded) throw new AppError("DPA_EXPIRED", { project: number });
  if (!project.datacenter) throw new AppError("NO_DATACENTER", { project: number });
  if (border === "closed") throw new AppError("CROSS_BORDER_FORBIDDEN", { project: number });
  return { project, membership, enteredAs, border };
}

/**
 * The project and membership of a person who enters and the fingerprint of the roles the session entered with, or the refusal: unknown project, no data centre, no valid role, a company without agreement on data processing, a border not to be crossed or not yet confirmed.
 * @throws NOT_AUTHORISED_FOR_PROJECT, PROJECT_INVALID, DPA_EXPIRED, NO_DATACENTER, CROSS_BORDER_FORBIDDEN, CROSS_BORDER_CONFIRM, CROSS_BORDER_INTERNAL
 */
export async function openProject(sql: Sql, who: Asking, number: string, now: Date): Promise<Opened> {
  const { border, ...opened } = await reachProject(sql, who, number, now);
  if (border === "declared" && !(await hasConsent(sql, who, opened.project.id)))
    throw new AppError("CROSS_BORDER_CONFIRM", { from: who.user.country, to: opened.project.hostingCountry });
  return opened;
}

/**
 * Whether the approval of a crossing was declared for this session or API token. Not knowing it is no consent.
 * @throws CROSS_BORDER_INTERNAL when the declarations cannot be read
 */
async function hasConsent(sql: Sql, who: Asking, projectId: number): Promise<boolean> {
  const bearer = who.sid ? sql`sid = ${who.sid}` : sql`token_id = ${who.tokenId}`;
  try {
    const rows = await sql`select 1 from cross_border_consent where ${bearer} and project_id = ${projectId}`;
    return rows.length > 0;
  } catch (error) {
    log.error({ error: String(error) }, "declarations of cross-border access cannot be read");
    throw new AppError("CROSS_BORDER_INTERNAL");
  }
}

/** The person's settings, all or the named ones. */
export async function listSettings(
  ctx: PersonCtx,
  ids: string[] | undefined,
): Promise<{ settingId: string; value: unknown; projectNumber: string | null }[]> {
  const rows = await ctx.sql<{ settingId: string; value: unknown; projectNumber: string | null }[]>`
    select s.setting_id as "settingId", s.value, p.number as "projectNumber" from user_setting s left join project p on p.id = s.project_id
    where s.user_id = ${ctx.user.id} ${ids ? ctx.sql`and s.setting_id = any(${ids})` : ctx.sql``} order by s.setting_id, p.number nulls first`;
  return [...rows];
}

/** A notice the person has put aside. */
export type Acknowledged = { key: string; account: string; projectNumber: string | null; role: string | null; endsOn: string; at: Date };

/** What the person does not want to be reminded of, newest first. */
export async function listAcknowledged(ctx: PersonCtx): Promise<{ records: Acknowledged[] }> {
  const rows = await ctx.sql<Acknowledged[]>`
    select a.notice_key as key, u.account, p.number as "projectNumber", a.role, a.ends_on as "endsOn", a.acked_at as at
    from (
      select notice_key, acked_at, (regexp_match(notice_key, '^(?:role:\\d+|dpa):(\\d+):'))[1]::bigint as about,
        (regexp_match(notice_key, '^role:(\\d+):'))[1]::bigint as project_id, (regexp_match(notice_key, '^role:\\d+:\\d+:([A-Z_]+):'))[1] as role,
        right(notice_key, 10) as ends_on
      from notice_ack where user_id = ${ctx.user.id} and notice_key ~ '^(role:\\d+:\\d+:[A-Z_]+|dpa:\\d+):\\d{4}-\\d\\d-\\d\\d$'
    ) a join app_user u on u.id = a.about left join project p on p.id = a.project_id
    where (u.id = ${ctx.user.id} or u.manager_id = ${ctx.user.id})
    order by a.acked_at desc, a.notice_key limit 500`;
  return { records: [...rows] };
}

/** People found by account, name or e-mail, without those whose account is off. */
export async function listDirectory(ctx: PersonCtx, input: { searchKey: string; page: number; size: number }) {
  const like = `%${input.searchKey.replace(/[\\%_]/g, "\\$&")}%`;
  const rows = await ctx.sql<{ id: number; account: string; name: string; email: string; kind: string; total: number }[]>`
    select id, account, name, email, kind, count(*) over ()::int as total from app_user
    where active and (account ilike ${like} or name ilike ${like} or email ilike ${like})
    order by account limit ${input.size} offset ${(input.page - 1) * input.size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page: input.page, size: input.size };
}

/** Offset of a project to Beijing time in hours, keyed by the number as asked. @throws what `openProject` refuses with */
export async function getTimeZone(ctx: PersonCtx, number: string): Promise<Record<string, string | number>> {
  const { project } = await openProject(ctx.sql, ctx, number, ctx.now);
  return { status: "success", [number]: project.tzOffset };
}

/**
 * Which of the asked codes the person holds in the project of the address. A project that may not be entered, and any failure, gives an empty map, so that a client
 * shows nothing it should not.
 * @param codes unknown ones answer false
 */
export async function checkPermissions(ctx: PersonCtx, codes: readonly string[]): Promise<Record<string, boolean>> {
  if (!ctx.projectNumber) return {};
  try {
    const { membership } = await openProject(getSql(), ctx, ctx.projectNumber, ctx.now);
    return Object.fromEntries(codes.map((code) => [code, isPermissionCode(code) && holds(membership, code)]));
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ requestId: ctx.requestId, error: String(error) }, "rights could not be checked");
    return {};
  }
}

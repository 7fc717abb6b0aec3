import "server-only";
import type { PendingQuery, Row } from "postgres";
import { addDays } from "#lib/core/clock.ts";
import type { Ctx, Scope } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { dpaEnded } from "#lib/resources/isolation/queries.ts";
import { likeText } from "#lib/rollout-plan/conditions/logic.ts";
import {
  authEndingDays,
  historyShown,
  type InvalidReason,
  type PoolTab,
  poolTabs,
  type ResourceStatus,
  type ResourceType,
} from "./limits.ts";
import type { ResourceHistory } from "./schema.ts";

/** A person who may be chosen where one of the pool is needed. */
export type ValidAccount = {
  account: string;
  userId: number;
  name: string;
  resourceId: number;
  type: ResourceType;
  subcontractorId: number | null;
};
/** An account that may not be chosen, as it was given, with the reason. */
export type InvalidAccount = { account: string; reason: InvalidReason };

/**
 * Divides accounts into those that may be chosen as a person of the project's pool and those that may not, in one statement. [RES-46]
 * MISSING: no such account, or not in the pool; INACTIVE: not active there, or the account is off; AUTH_EXPIRED: its authorisation does not cover
 * today; DPA_EXPIRED: its transnational agreement, or that of
 * his company, has ended.
 */
export async function validAccounts(
  { sql, project, today }: Pick<Ctx, "sql" | "project" | "today">,
  accounts: readonly string[],
): Promise<{ valid: ValidAccount[]; invalid: InvalidAccount[] }> {
  if (accounts.length === 0) return { valid: [], invalid: [] };
  const rows = await sql<(ValidAccount & { given: string; reason: InvalidReason | null })[]>`
    select g.given, u.account, u.id as "userId", u.name, r.id as "resourceId", r.type, r.subcontractor_id as "subcontractorId",
      case when r.id is null then 'MISSING' when r.status <> 'ACTIVE' or not u.active then 'INACTIVE'
        when ${today} not between r.auth_start and r.auth_end then 'AUTH_EXPIRED'
        when r.type = 'SUBCONTRACT' and (u.dpa_expires_on < ${today} or (c.id is not null and ${dpaEnded(sql, today)})) then 'DPA_EXPIRED' end as reason
    from unnest(${[...new Set(accounts)]}::text[]) with ordinality as g(given, at)
    left join app_user u on lower(u.account) = lower(trim(g.given))
    left join resource r on r.project_id = ${project.id} and r.user_id = u.id
    left join subcontractor c on c.id = r.subcontractor_id left join project home on home.id = r.project_id order by g.at`;
  const valid: ValidAccount[] = [];
  const invalid: InvalidAccount[] = [];
  for (const { given, reason, ...person } of rows)
    if (reason) invalid.push({ account: given, reason });
    else valid.push(person);
  return { valid, invalid };
}

/** The company the caller works for here: that of his active row of the pool; null for anybody else. The gate has read it. */
export const companyOf = ({ user }: Pick<Ctx, "user">): number | null => user.subcontractorId;

/** A person of the pool. */
export type Resource = {
  id: number;
  userId: number;
  account: string;
  name: string;
  employeeId: string | null;
  email: string;
  type: ResourceType;
  roles: string[];
  groups: { id: number; name: string; isLeader: boolean }[];
  contractor: string | null;
  subcontractorId: number | null;
  subcontractor: string | null;
  phone: string | null;
  authStart: string | null;
  authEnd: string | null;
  visaType: string | null;
  visaStart: string | null;
  visaEnd: string | null;
  skills: string[];
  longitude: number | null;
  latitude: number | null;
  availability: "Y" | "N";
  presence: "Y" | "N";
  lastActivityAt: string | null;
  publicAccount: boolean;
  dataOwner: boolean;
  status: ResourceStatus;
  openOrders: number;
  rowVersion: number;
};

type Condition = PendingQuery<Row[]>;
type PoolCtx = Pick<Ctx, "sql" | "project" | "today">;

/**
 * Orders of a person that are not over.
 * @param seenBy counts those on DUs that are seen alone; without it all
 */
export const openOrders = ({ sql, project }: Pick<Ctx, "sql" | "project">, seenBy?: Scope) => sql`
  (select count(*)::int from work_order o where o.project_id = ${project.id} and o.assignee_id = r.user_id
    and o.status in ('assigned', 'accepted', 'started', 'suspended')
    ${seenBy && !seenBy.all("rollout.view") ? sql`and exists (select 1 from du where du.id = o.du_id and ${seenBy.where("rollout.view")})` : sql``})`;

const selected = ({ sql, project, today }: PoolCtx, seenBy?: Scope) => sql`
  r.id, r.user_id as "userId", u.account, u.name, u.employee_id as "employeeId", u.email, r.type,
  coalesce((select array_agg(distinct m.role order by m.role) from project_member m where m.project_id = r.project_id and m.user_id = r.user_id
    and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})), '{}') as roles,
  coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'isLeader', gm.is_leader) order by lower(g.name))
    from res_group_member gm join res_group g on g.id = gm.group_id where gm.resource_id = r.id), '[]') as groups,
  r.contractor, r.subcontractor_id as "subcontractorId", c.name as subcontractor, r.phone, r.auth_start::text as "authStart", r.auth_end::text as "authEnd",
  r.visa_type as "visaType", r.visa_start::text as "visaStart", r.visa_end::text as "visaEnd", r.skills, r.longitude, r.latitude, r.availability, r.presence,
  r.last_activity_at as "lastActivityAt", r.public_account as "publicAccount", r.data_owner as "dataOwner", r.status, ${openOrders({ sql, project }, seenBy)} as "openOrders",
  r.row_version as "rowVersion"`;

const source = ({ sql, project }: Pick<Ctx, "sql" | "project">) => sql`
  resource r join app_user u on u.id = r.user_id left join subcontractor c on c.id = r.subcontractor_id where r.project_id = ${project.id}`;

/** People of the pool by id, locked in that order where they are to be written. */
export async function readResources(ctx: PoolCtx, ids: readonly number[], { lock = false } = {}): Promise<Resource[]> {
  const { sql } = ctx;
  const locked = lock ? sql`for no key update of r` : sql``;
  return [
    ...(await sql<Resource[]>`select ${selected(ctx)} from ${source(ctx)} and r.id = any(${[...ids]}::bigint[]) order by r.id ${locked}`),
  ];
}

/** Right by which somebody who does not see the whole pool sees a tab of it: his own company's people. */
const ownTabs: Partial<Record<PoolTab, readonly PermissionCode[]>> = {
  SUBCON: ["subcon.introduce", "resource.exportSubcon"],
  CUSTOMER: ["resource.exportCustomer"],
};

/** Whether a code is held for the whole project, not only for what is the person's own. */
const holdsAll = (ctx: Pick<Ctx, "can">, code: PermissionCode): boolean => ctx.can(code, { userIds: [] });

/** The tabs a person may see. */
export const tabsOf = (ctx: Pick<Ctx, "can">): PoolTab[] =>
  ctx.can("resource.view") ? [...poolTabs] : poolTabs.filter((tab) => ownTabs[tab]?.some((code) => ctx.can(code)));

/**
 * The people of a tab the caller may see; without the right to the pool those of his own company.
 * @param code right that opens the whole tab
 * @throws NO_PERMISSION for a tab that is not his
 */
export function reachOf(ctx: Ctx, tab: PoolTab, code: PermissionCode = "resource.view"): Condition {
  const { sql, project, user } = ctx;
  const own = tabCondition(ctx, tab);
  if (holdsAll(ctx, code)) return own;
  const right = code === "resource.view" ? ownTabs[tab] : [code];
  if (!right?.some((one) => ctx.can(one))) throw new AppError("NO_PERMISSION", { right: code });
  if (tab === "SUBCON") return sql`${own} and r.subcontractor_id = ${user.subcontractorId}`;
  return sql`${own} and r.contractor = (select w.contractor from resource w where w.project_id = ${project.id} and w.user_id = ${user.id} and w.status = 'ACTIVE')`;
}

function tabCondition({ sql, user }: Pick<Ctx, "sql" | "user">, tab: PoolTab): Condition {
  switch (tab) {
    case "OWN":
      return sql`r.type in ('OWN', 'LEASE')`;
    case "SUBCON":
      return sql`r.type = 'SUBCONTRACT'`;
    case "CUSTOMER":
      return sql`r.type = 'CUSTOMER'`;
    case "GROUPS":
      return sql`exists (select 1 from res_group_member gm join res_group g on g.id = gm.group_id where gm.resource_id = r.id and (g.created_by = ${user.id} or exists (
        select 1 from res_group_member lm join resource l on l.id = lm.resource_id where lm.group_id = g.id and lm.is_leader and l.user_id = ${user.id})))`;
    default:
      return sql`exists (select 1 from res_group_member gm where gm.resource_id = r.id)`;
  }
}

function condition({ sql, today }: PoolCtx, { field, values }: Filter): Condition {
  const texts = values.map(String);
  switch (field) {
    case "search": {
      const like = `%${likeText(texts[0] ?? "")}%`;
      return sql`(u.account ilike ${like} or u.name ilike ${like} or u.employee_id ilike ${like} or r.phone like ${like} or r.contractor ilike ${like} or c.name ilike ${like})`;
    }
    case "skill":
      return sql`r.skills && ${texts}::varchar[]`;
    case "subcontractor":
      return sql`r.subcontractor_id::text = any(${texts}::text[])`;
    case "group":
      return sql`exists (select 1 from res_group_member gm where gm.resource_id = r.id and gm.group_id::text = any(${texts}::text[]))`;
    case "id":
      return sql`r.id::text = any(${texts}::text[])`;
    case "authState":
      return sql`(case when r.auth_end is null then 'NONE' when r.auth_end < ${today} then 'EXPIRED' when r.auth_start > ${today} then 'FUTURE'
        when r.auth_end < ${addDays(today, authEndingDays)} then 'ENDING' else 'VALID' end) = any(${texts}::text[])`;
    default:
      return sql`${sql(`r.${field}`)} = any(${texts}::text[])`;
  }
}

const orders: Record<string, string> = {
  name: "u.name",
  account: "u.account",
  type: "r.type",
  status: "r.status",
  authEnd: "r.auth_end",
  visaEnd: "r.visa_end",
  lastActivityAt: "r.last_activity_at",
};

function wanted(ctx: PoolCtx, reach: Condition, filters: readonly Filter[]): Condition {
  const given = filters.filter(({ field }) => field !== "tab").map((filter) => condition(ctx, filter));
  return given.reduce<Condition>((left, right) => ctx.sql`${left} and ${right}`, ctx.sql`${source(ctx)} and ${reach}`);
}

const tabOf = (filters: readonly Filter[]): PoolTab =>
  poolTabs.find((tab) => filters.some(({ field, values }) => field === "tab" && values[0] === tab)) ?? "OWN";

/** A page of a tab of the pool. [RES-09] */
export async function listResources(ctx: Ctx, { page, size, filters, sort = [] }: ListInput): Promise<Page<Resource>> {
  const { sql } = ctx;
  const where = wanted(ctx, reachOf(ctx, tabOf(filters)), filters);
  const order = sort
    .map(({ field, dir }) => sql.unsafe(`${orders[field]} ${dir} nulls last, `))
    .reduce<Condition>((left, right) => sql`${left} ${right}`, sql``);
  const rows = await sql<(Resource & { total: number })[]>`
    select ${selected(ctx, ctx.scope)}, count(*) over ()::int as total from ${where} order by ${order} u.name collate natural_order, r.id
    limit ${size} offset ${(page - 1) * size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page, size };
}

/** Every person of a tab the conditions keep, a few hundred at a time. @param reach from `reachOf` */
export async function* streamResources(ctx: Ctx, reach: Condition, filters: readonly Filter[]): AsyncGenerator<Resource[]> {
  const size = 500;
  for (let after = 0; ; ) {
    const rows = await ctx.sql<
      Resource[]
    >`select ${selected(ctx, ctx.scope)} from ${wanted(ctx, reach, filters)} and r.id > ${after} order by r.id limit ${size}`;
    if (rows.length > 0) yield [...rows];
    if (rows.length < size) return;
    after = rows.at(-1)!.id;
  }
}

/** Number of people the conditions keep. @param reach from `reachOf` */
export async function countResources(ctx: Ctx, reach: Condition, filters: readonly Filter[]): Promise<number> {
  const [row] = await ctx.sql<{ total: number }[]>`select count(*)::int as total from ${wanted(ctx, reach, filters)}`;
  return row!.total;
}

/** How many people each tab has that the caller may see. [RES-07] */
export async function countTabs(ctx: Ctx): Promise<{ tab: PoolTab; count: number }[]> {
  return Promise.all(tabsOf(ctx).map(async (tab) => ({ tab, count: await countResources(ctx, reachOf(ctx, tab), []) })));
}

/** What a form of the pool offers: skills people hold, companies, groups. */
export type PoolChoices = { skills: string[]; subcontractors: { id: number; name: string }[]; groups: { id: number; name: string }[] };

/** Skills, companies and groups the caller may choose from; a person of a company sees his own alone. */
export async function listPoolChoices(ctx: Ctx): Promise<PoolChoices> {
  const { sql, project, user } = ctx;
  const all = ctx.can("resource.view");
  const company = all ? sql`` : sql`and id = ${user.subcontractorId}`;
  const [skills, subcontractors, groups] = await Promise.all([
    all
      ? sql<{ skill: string }[]>`select distinct unnest(skills) as skill from resource where project_id = ${project.id} order by 1`
      : Promise.resolve([]),
    sql<{ id: number; name: string }[]>`
      select id, name from subcontractor where project_id = ${project.id} and status = 'ACTIVE' ${company} order by lower(name)`,
    all
      ? sql<{ id: number; name: string }[]>`select id, name from res_group where project_id = ${project.id} order by lower(name)`
      : Promise.resolve([]),
  ]);
  return { skills: skills.map(({ skill }) => skill), subcontractors: [...subcontractors], groups: [...groups] };
}

/** One change of a person of the pool. */
export type HistoryEntry = { at: string; by: string | null; event: string; before: unknown; after: unknown };

/**
 * What was changed about a person of the pool, newest first.
 * @throws NOT_FOUND
 */
export async function listHistory(ctx: Ctx, { id }: ResourceHistory): Promise<HistoryEntry[]> {
  const { sql, project } = ctx;
  if ((await readResources(ctx, [id])).length === 0) throw new AppError("NOT_FOUND", { object: id });
  return [
    ...(await sql<HistoryEntry[]>`
      select a.at, u.name as by, a.event, a.detail -> 'before' as before, a.detail -> 'after' as after
      from audit_log a left join app_user u on u.id = a.actor_id
      where a.project_id = ${project.id} and a.object = ${`resource ${id}`} order by a.id desc limit ${historyShown}`),
  ];
}

/** The people the caller may edit: all, or the members of the groups he leads or made. */
export async function findEditable(ctx: Ctx, ids: readonly number[]): Promise<"all" | ReadonlySet<number>> {
  if (ctx.can("resource.edit", { userIds: [] })) return "all";
  const rows = await ctx.sql<{ id: number; editors: number[] }[]>`
    select g.id, array(
      select o.created_by from res_group_member m join res_group o on o.id = m.group_id where m.resource_id = g.id
      union select l.user_id from res_group_member m join res_group_member lm on lm.group_id = m.group_id and lm.is_leader join resource l on l.id = lm.resource_id
        where m.resource_id = g.id) as editors
    from unnest(${[...ids]}::bigint[]) as g(id)`;
  return new Set(rows.filter(({ editors }) => ctx.can("resource.edit", { userIds: editors })).map(({ id }) => id));
}

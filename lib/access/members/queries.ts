import "server-only";
import type { PendingQuery, Row } from "postgres";
import { addDays } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { endingDays } from "../limits.ts";

/** One role of a member with its validity. */
export type HeldRole = { id: number; role: string; validFrom: string; validTo: string | null; rowVersion: number };

/** A member with all his roles; `expiresOn` is the next day on which one of them ends. */
export type Member = {
  userId: number;
  account: string;
  name: string;
  email: string;
  kind: string;
  active: boolean;
  roles: HeldRole[];
  expiresOn: string | null;
};

type Condition = PendingQuery<Row[]>;

/** A page of the members of the project with their roles, by account. */
export async function listMembers(ctx: Ctx, input: ListInput): Promise<Page<Member>> {
  const { sql } = ctx;
  const columns = { account: sql`u.account`, name: sql`u.name`, expiresOn: sql`"expiresOn"` };
  const sort = (input.sort ?? []).map(({ field, dir }) => {
    const column = columns[field as keyof typeof columns];
    return dir === "desc" ? sql`${column} desc nulls last, ` : sql`${column} nulls last, `;
  });
  const order = sort.reduce<Condition>((left, right) => sql`${left} ${right}`, sql``);
  const rows = await sql<(Member & { total: number })[]>`
    ${selectMembers(ctx, input.filters)} order by ${order} u.account limit ${input.size} offset ${(input.page - 1) * input.size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page: input.page, size: input.size };
}

/** Every member the conditions keep, a few hundred at a time, by account. */
export async function* streamMembers(ctx: Ctx, filters: readonly Filter[]): AsyncGenerator<Member[]> {
  const size = 500;
  for (let offset = 0; ; offset += size) {
    const rows = await ctx.sql<(Member & { total: number })[]>`
      ${selectMembers(ctx, filters)} order by u.account limit ${size} offset ${offset}`;
    if (rows.length > 0) yield rows.map(({ total: _total, ...row }) => row);
    if (rows.length < size) return;
  }
}

/** Number of roles of the members the conditions keep. */
export async function countRoles(ctx: Ctx, filters: readonly Filter[]): Promise<number> {
  const [row] = await ctx.sql<{ total: number }[]>`
    select coalesce(sum(json_array_length(r.roles)), 0)::int as total from (${selectMembers(ctx, filters)}) r`;
  return row?.total ?? 0;
}

/** Ids of the valid project managers of today. */
export async function listManagers({ sql, project, today }: Ctx): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select u.id from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${project.id} and m.role = 'PM' and u.active and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})`;
  return rows.map((row) => row.id);
}

function selectMembers(ctx: Ctx, filters: readonly Filter[]): Condition {
  const { sql, today } = ctx;
  const all = (parts: Condition[]) => parts.reduce<Condition>((left, right) => sql`${left} and ${right}`, sql`true`);
  // Role and state speak of the same role: who is asked for an ending PM has a PM that ends.
  const ofRole = filters.flatMap(({ field, values }) => {
    const texts = values.map(String);
    if (field === "role") return [sql`m.role = any(${texts.map((text) => text.trim().toUpperCase().replaceAll(" ", "_"))})`];
    return field === "state" ? [stateCondition(ctx, texts)] : [];
  });
  const ofPerson = filters.flatMap(({ field, type, values }) => {
    if (field === "role" || field === "state") return [];
    const text = String(values[0] ?? "");
    if (type === "eq") return [sql`lower(u.account) = ${text.toLowerCase()}`];
    const like = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
    if (field === "search") return [sql`(u.account ilike ${like} or u.name ilike ${like} or u.email ilike ${like})`];
    return [field === "account" ? sql`u.account ilike ${like}` : sql`u.name ilike ${like}`];
  });
  return sql`
    select u.id as "userId", u.account, u.name, u.email, u.kind, u.active,
      json_agg(json_build_object('id', m.id, 'role', m.role, 'validFrom', m.valid_from, 'validTo', m.valid_to, 'rowVersion', m.row_version)
        order by m.granted_at, m.id) as roles,
      (min(m.valid_to) filter (where m.valid_to >= ${today}))::text as "expiresOn", count(*) over ()::int as total
    from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${ctx.project.id} and ${all(ofPerson)}
    group by u.id having bool_or(${all(ofRole)})`;
}

function stateCondition({ sql, today }: Ctx, states: readonly string[]): Condition {
  const until = addDays(today, endingDays);
  return sql`(case when m.valid_from > ${today} then 'future' when m.valid_to < ${today} then 'ended' when m.valid_to <= ${until} then 'ending' else 'valid' end) = any(${states as string[]})`;
}

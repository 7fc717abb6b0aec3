import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Sql } from "#db/client.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { isolationTypes } from "./limits.ts";
import { type Isolation, type IsolationMatch, valuesByKey } from "./logic.ts";

type Fragment = PendingQuery<Row[]>;
type Value<Given> = Given | Fragment;

/** Whether the company (alias `c`) needs an agreement on data processing for its project (alias `home`): it is told so, or works from abroad. */
export const dpaNeeded = (sql: Sql): Fragment =>
  sql`(c.dpa_required or exists (select 1 from unnest(c.countries) abroad where abroad <> home.country))`;

/** Whether the company may not work in its project: it needs an agreement and has none on the day. The last day counts. */
export const dpaEnded = (sql: Sql, today: Value<string>): Fragment => sql`(${dpaNeeded(sql)} and coalesce(c.dpa_expires < ${today}, true))`;

/** Whether the company of a subcontractor person (alias `u`) may not work in the project; of nobody else's. */
export const companyEnded = (
  sql: Sql,
  projectId: Value<number>,
  today: Value<string>,
): Fragment => sql`(u.kind = 'subcontractor' and exists (
      select 1 from resource w join subcontractor c on c.id = w.subcontractor_id join project home on home.id = w.project_id
      where w.project_id = ${projectId} and w.user_id = u.id and w.status = 'ACTIVE' and ${dpaEnded(sql, today)}))`;

/** What keeps the companies of a project apart, as a column of a person's membership; null for who belongs to none. */
export const isolationColumn = (sql: Sql, userId: number, projectId: Value<number>, today: Value<string>) => sql`
  (select json_build_object('bound', u.kind = 'subcontractor', 'dpaEnded', ${companyEnded(sql, projectId, today)}, 'enabled', coalesce(i.enabled, false), 'version', coalesce(i.version, 0), 'matches', coalesce((
      select json_agg(json_build_object('key', a.key, 'value', d.value, 'company', d.subcontractor_id) order by a.key, d.value, d.subcontractor_id)
      from isolation_detail d join attribute a on a.id = d.attribute_id where i.enabled and d.project_id = i.project_id), '[]'))
    from app_user u left join isolation i on i.project_id = ${projectId}
    where u.id = ${userId} and (u.kind = 'subcontractor' or exists (select 1 from project_member m where m.project_id = ${projectId} and m.user_id = u.id and m.role like 'SUBCON%'))) as isolation`;

/**
 * The DUs of a company, as a condition on the alias `du`: its own; with isolation on those that name it, and of its own those that name no other.
 * @param company null: of nobody, so none
 */
export function visibleDus(sql: Sql, company: number | null, { enabled, matches }: Pick<Isolation, "enabled" | "matches">): Fragment {
  if (company === null) return sql`false`;
  const own = sql`du.subcontractor_id = ${company}`;
  if (!enabled) return own;
  const [mine, others] = [matches.filter((match) => match.company === company), matches.filter((match) => match.company !== company)];
  return sql`(${matched(sql, mine)} or (${own} and not ${matched(sql, others)}))`;
}

/** Whether a DU has one of the values; never unknown, so that it can be denied. */
function matched(sql: Sql, matches: readonly IsolationMatch[]): Fragment {
  const parts = valuesByKey(matches).map(([key, values]) => sql`coalesce(du.ext ->> ${key} = any(${values}::text[]), false)`);
  return parts.length === 0 ? sql`false` : sql`(${parts.reduce((left, right) => sql`${left} or ${right}`)})`;
}

/** Whether the DU (alias `du`) may be named to a person who is told of it by mail: the condition of `visibleDus` for each of many recipients. */
export const recipientSees = (sql: Sql, userId: Fragment): Fragment => {
  const names = (companies: Fragment) => sql`exists (
    select 1 from isolation_detail d join isolation i on i.project_id = d.project_id and i.enabled join attribute a on a.id = d.attribute_id
    where d.project_id = du.project_id and ${companies} and du.ext ->> a.key = d.value)`;
  return sql`(not exists (select 1 from app_user reader where reader.id = ${userId} and reader.kind = 'subcontractor')
    or exists (select 1 from resource pooled where pooled.project_id = du.project_id and pooled.user_id = ${userId} and pooled.status = 'ACTIVE' and (
      ${names(sql`d.subcontractor_id = pooled.subcontractor_id`)}
      or du.subcontractor_id = pooled.subcontractor_id and not ${names(sql`d.subcontractor_id <> pooled.subcontractor_id`)})))`;
};

/** Whether a DU of a list is kept from a person; never from somebody who is no subcontractor. */
export const isolatedFrom = (sql: Sql, userId: Fragment, duIds: Fragment): Fragment => sql`(
  exists (select 1 from app_user v where v.id = ${userId} and v.kind = 'subcontractor')
  and exists (select 1 from du where du.id = any(${duIds}) and not ${recipientSees(sql, userId)}))`;

/** What keeps the companies of the project apart now. */
export async function readIsolation({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<Pick<Isolation, "enabled" | "matches">> {
  const [[row], matches] = await Promise.all([
    sql<{ enabled: boolean }[]>`select enabled from isolation where project_id = ${project.id}`,
    sql<IsolationMatch[]>`
      select a.key, d.value, d.subcontractor_id as company from isolation_detail d join attribute a on a.id = d.attribute_id where d.project_id = ${project.id}`,
  ]);
  return { enabled: row?.enabled ?? false, matches: [...matches] };
}

/** The switch of the project, and how many DUs in the caller's reach no detail names. */
export async function getIsolation(ctx: Ctx): Promise<{ enabled: boolean; unmatched: number }> {
  const { sql, scope } = ctx;
  const { enabled, matches } = await readIsolation(ctx);
  const [count] = await sql<{ unmatched: number }[]>`
    select count(*)::int as unmatched from du where ${scope.where("resource.view")} and not ${matched(sql, matches)}`;
  return { enabled, unmatched: count?.unmatched ?? 0 };
}

/** A value of an attribute with the company it gives its DUs to, and how many those are. */
export type IsolationDetail = {
  id: number;
  attributeId: number;
  attribute: string;
  value: string;
  /** The value as it is read: the text of a choice. */
  title: string;
  subcontractorId: number;
  subcontractorCode: string;
  subcontractor: string;
  duCount: number;
};

const orders: Record<string, string> = {
  attribute: "a.name collate natural_order",
  value: "coalesce(e.value, v.value, d.value) collate natural_order",
  subcontractor: "c.name collate natural_order",
};

/** A page of the details; who belongs to a company reads those of his own alone. */
export async function listDetails(ctx: Ctx, input: ListInput): Promise<Page<IsolationDetail>> {
  const { sql, project, scope } = ctx;
  const { page, size } = input;
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    sql`d.project_id = ${project.id} and ${scope.company(sql`d.subcontractor_id`)}`,
  );
  const order = [...(input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir}`), ...Object.values(orders), "d.id"];
  const from = sql`isolation_detail d join attribute a on a.id = d.attribute_id join subcontractor c on c.id = d.subcontractor_id
    left join attribute_enum e on a.type = 'ENUM' and e.attribute_id = a.id and e.id::text = d.value
    left join lookup_value v on a.type = 'LOOKUP_ENUM' and v.list_id = a.lookup_list_id and v.id::text = d.value`;
  const [rows, [count]] = await Promise.all([
    sql<(Omit<IsolationDetail, "duCount"> & { key: string })[]>`
      select d.id, a.id as "attributeId", a.key, a.name as attribute, d.value, coalesce(e.value, v.value, d.value) as title, c.id as "subcontractorId", c.code as "subcontractorCode", c.name as subcontractor
      from ${from} where ${where} order by ${sql.unsafe(order.join(", "))} limit ${size} offset ${(page - 1) * size}`,
    sql<{ total: number }[]>`select count(*)::int as total from ${from} where ${where}`,
  ]);
  const keys = [...new Set(rows.map(({ key }) => key))];
  const used = await sql<{ key: string; value: string; dus: number }[]>`
    select k.key, du.ext ->> k.key as value, count(*)::int as dus from du cross join unnest(${keys}::text[]) k(key)
    where ${scope.where("resource.view")} and du.ext ->> k.key = any(${[...new Set(rows.map(({ value }) => value))]}::text[]) group by 1, 2`;
  const counts = new Map(used.map(({ key, value, dus }) => [JSON.stringify([key, value]), dus]));
  const records = rows.map(({ key, ...row }) => ({ ...row, duCount: counts.get(JSON.stringify([key, row.value])) ?? 0 }));
  return { records, total: count?.total ?? 0, page, size };
}

function condition({ sql }: Ctx, { field, values }: Filter) {
  const ids = values.map(Number).filter(Number.isSafeInteger);
  if (field === "subcontractorId") return sql`d.subcontractor_id = any(${ids}::bigint[])`;
  if (field === "attributeId") return sql`d.attribute_id = any(${ids}::bigint[])`;
  return sql`position(lower(${String(values[0] ?? "")}) in lower(concat_ws(' ', a.name, coalesce(e.value, v.value, d.value), c.code, c.name))) > 0`;
}

/** An attribute that can say whose a DU is, with its choices where it has a list of them. */
export type IsolationAttribute = {
  id: number;
  name: string;
  type: (typeof isolationTypes)[number];
  choices: { value: string; title: string }[] | null;
  /** Open to subcontractors and so of no use: they could give DUs to themselves. */
  editable: boolean;
};

/** Attributes of DUs of type text, enumeration or lookup, by name. */
export async function listIsolationAttributes({ sql, project }: Ctx): Promise<IsolationAttribute[]> {
  return [
    ...(await sql<IsolationAttribute[]>`
      select a.id, a.name, a.type, a.editable_subcon as editable, case a.type
        when 'ENUM' then coalesce((
          select json_agg(json_build_object('value', e.id::text, 'title', e.value) order by e.sort_no, e.id) from attribute_enum e
          where e.attribute_id = a.id and e.active), '[]')
        when 'LOOKUP_ENUM' then coalesce((
          select json_agg(json_build_object('value', v.id::text, 'title', concat_ws(' / ', above.value, v.value)) order by above.sort_no, v.sort_no, v.id)
          from lookup_value v left join lookup_value above on above.id = v.parent_id
          where v.list_id = a.lookup_list_id and (v.parent_id is null) = (a.lookup_parent_id is null)), '[]') end as choices
      from attribute a where a.project_id = ${project.id} and a.deleted_at is null and a.level = 'DU' and a.type = any(${[...isolationTypes]}::text[])
      order by a.name collate natural_order, a.id`),
  ];
}

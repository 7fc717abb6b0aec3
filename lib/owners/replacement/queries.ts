import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { PlanBlock } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listOwnSets, planColumns, readOwnerSets, readPlanRows, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import { ownersKey } from "../du-owners/queries.ts";
import { type RuleField, ruleFieldNames, ruleFields } from "../owner-rules/limits.ts";
import { listedOrdersMax, type ReplaceField } from "./limits.ts";
import { type NamedCell, namedCells, replacePerson } from "./logic.ts";
import type { ReplaceOwner } from "./schema.ts";

type Scope = ReplaceOwner["scope"];

/** DUs of a scope as a condition on the alias `du`. */
function inScope(ctx: Ctx, { flowIds, regionIds, duIds }: Scope) {
  const { sql } = ctx;
  return sql`${ctx.scope.where("owner.ruleEdit")}
    ${flowIds.length > 0 ? sql`and exists (select 1 from du_flow f where f.du_id = du.id and f.unbound_at is null and f.flow_id = any(${flowIds}::bigint[]))` : sql``}
    ${regionIds.length > 0 ? sql`and du.region_id = any(${regionIds}::bigint[])` : sql``}
    ${duIds.length > 0 ? sql`and du.id = any(${duIds}::bigint[])` : sql``}`;
}

/** The activities that name a person: their rows, the cells, and every list with the person replaced. */
export type NamedActivities = { block: PlanBlock; cells: NamedCell[]; lists: Map<number, number[]> };

/** Activities of a scope that name the old owner in one of the fields, with the lists of people as they are to be. */
export async function findNamedActivities(
  ctx: Ctx,
  {
    scope,
    fields,
    oldId,
    newIds,
    lock,
  }: { scope: Scope; fields: readonly ReplaceField[]; oldId: number; newIds: readonly number[]; lock: boolean },
): Promise<NamedActivities> {
  const { sql, project } = ctx;
  const asked = ruleFieldNames.filter((field) => fields.includes(field));
  const sets = await listOwnSets(ctx, oldId);
  const holds = asked.map((field) => sql`p.${sql(planColumns[ruleFields[field]])} && ${[...sets]}::int[]`);
  const dus =
    asked.length === 0 || sets.size === 0
      ? []
      : await sql<{ id: number }[]>`
          select p.du_id as id from du_plan p join du on du.id = p.du_id
          where p.project_id = ${project.id} and (${holds.reduce((left, right) => sql`${left} or ${right}`)}) and ${inScope(ctx, scope)}
          order by p.du_id`;
  const block = await readPlanRows(
    ctx,
    dus.map(({ id }) => id),
    { lock, fields: [...writableFields, ...asked.map((field: RuleField) => ruleFields[field])] },
  );
  const cells = namedCells(block, asked, sets);
  const held = await readOwnerSets(ctx, [...new Set(cells.map(({ set }) => set))]);
  return { block, cells, lists: new Map([...held].map(([set, list]) => [set, replacePerson(list, oldId, newIds)])) };
}

/** DUs of a scope that belong to a person, with all their DU owners by `ownersKey`. */
export async function findOwnedDus(
  ctx: Ctx,
  scope: Scope,
  userId: number,
  { lock }: { lock: boolean },
): Promise<{ codes: Map<number, string>; held: Map<string, number[]> }> {
  const { sql } = ctx;
  const dus = await sql<{ id: number; code: string }[]>`
    select du.id, du.code from du where ${inScope(ctx, scope)}
      and exists (select 1 from du_owner o where o.du_id = du.id and o.owner_kind = 'DU_OWNER' and o.user_id = ${userId})
    order by du.id ${lock ? sql`for no key update of du` : sql``}`;
  const rows = await sql<{ id: number; ids: number[] }[]>`
    select du_id as id, array_agg(user_id order by user_id) as ids from du_owner
    where owner_kind = 'DU_OWNER' and du_id = any(${dus.map(({ id }) => id)}::bigint[]) group by 1`;
  return {
    codes: new Map(dus.map(({ id, code }) => [id, code])),
    held: new Map(rows.map(({ id, ids }) => [ownersKey(id, "DU_OWNER"), ids])),
  };
}

/** DUs of a scope in which a replacement would find the old owner: in owners of activities or of the DU itself. */
export async function listNamingDus(
  ctx: Ctx,
  { scope, fields, oldId }: { scope: Scope; fields: readonly ReplaceField[]; oldId: number },
): Promise<number[]> {
  const { sql, project } = ctx;
  const sets = [...(await listOwnSets(ctx, oldId))];
  const held = ruleFieldNames
    .filter((field) => fields.includes(field))
    .map((field) => sql`p.${sql(planColumns[ruleFields[field]])} && ${sets}::int[]`);
  if (fields.includes("DU_OWNER"))
    held.push(sql`exists (select from du_owner o where o.du_id = du.id and o.owner_kind = 'DU_OWNER' and o.user_id = ${oldId})`);
  if (held.length === 0) return [];
  const rows = await sql<{ id: number }[]>`
    select du.id from du_plan p join du on du.id = p.du_id
    where p.project_id = ${project.id} and du.deleted_at is null and (${held.reduce((left, right) => sql`${left} or ${right}`)}) and ${inScope(ctx, scope)}
    order by du.id`;
  return rows.map(({ id }) => id);
}

/** Regions a person owns, as far as a scope names them; a scope of DUs or flows alone names none. */
export async function findOwnedRegions({ sql, project }: Ctx, { flowIds, regionIds, duIds }: Scope, userId: number): Promise<number[]> {
  if (regionIds.length === 0 && flowIds.length + duIds.length > 0) return [];
  const rows = await sql<{ id: number }[]>`
    select g.id from delivery_region g where g.project_id = ${project.id} and g.deleted_at is null
      and exists (select 1 from region_owner o where o.region_id = g.id and o.user_id = ${userId})
      ${regionIds.length > 0 ? sql`and g.id = any(${regionIds}::bigint[])` : sql``} order by g.id`;
  return rows.map(({ id }) => id);
}

/** A dispatched order that names the old owner, or is his to carry out. */
export type DispatchedOrder = { number: number; duCode: string; activity: string; assignee: string | null };

/** The dispatched orders of activities, by number. */
export async function listDispatched(ctx: Ctx, cells: readonly { duId: number; slot: number }[]): Promise<DispatchedOrder[]> {
  if (cells.length === 0) return [];
  return [
    ...(await ctx.sql<DispatchedOrder[]>`
      select distinct o.number, du.code as "duCode", a.name as activity, u.name as assignee
      from jsonb_to_recordset(${ctx.sql.json(cells.map(({ duId, slot }) => ({ duId, slot })))}) as n("duId" bigint, slot smallint)
      join work_order o on o.project_id = ${ctx.project.id} and o.du_id = n."duId" and o.slot = n.slot
      join du on du.id = o.du_id join activity_library a on a.project_id = o.project_id and a.slot = o.slot left join app_user u on u.id = o.assignee_id
      order by o.number limit ${listedOrdersMax}`),
  ];
}

/** What would bring an owner back: rules that name him, and attributes that rules take owners from. */
export type Reminders = { rules: { id: number; name: string }[]; attributes: { id: number; name: string; dus: number }[] };

/** Owner rules and attributes of DUs that still name a person. */
export async function findReminders({ sql, project }: Ctx, { id, account }: { id: number; account: string }): Promise<Reminders> {
  const [rules, attributes] = await Promise.all([
    sql<{ id: number; name: string }[]>`
      select id, name from owner_rule where project_id = ${project.id} and deleted_at is null and fill_mode = 'FIXED' and fill_value -> 'userIds' @> to_jsonb(${id}::bigint)
      order by sort_no, id`,
    sql<{ id: number; name: string; dus: number }[]>`
      select a.id, a.name, count(*)::int as dus from attribute a join du on du.project_id = a.project_id and du.deleted_at is null
      where a.project_id = ${project.id} and a.deleted_at is null
        and a.id in (select (fill_value ->> 'attributeId')::bigint from owner_rule where project_id = ${project.id} and deleted_at is null and fill_mode = 'ATTRIBUTE')
        and exists (select 1 from regexp_split_to_table(du.ext ->> a.key, '[,;，；、\n]+') part(text)
          where lower(coalesce(substring(part.text from '[(（]([^()（）\\s]+)[)）]\\s*$'), trim(part.text))) = lower(${account}))
      group by a.id, a.name order by a.name`,
  ]);
  return { rules: [...rules], attributes: [...attributes] };
}

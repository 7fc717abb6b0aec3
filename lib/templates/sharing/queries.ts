import "server-only";
import { type Membership, type MembershipRow, membershipColumns, membershipOf } from "#lib/access/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { borderOf } from "#lib/session/queries.ts";
import type { TemplateKind } from "../limits.ts";
import type { Partner, RefThing } from "./logic.ts";

export type TargetProject = { id: number; number: string; status: string; membership: Membership; crossing: boolean };

/** Those of the named projects the caller may enter now, with what he is there. `crossing`: a declaration of cross-border access is missing. */
export async function listTargets({ sql, user, now, sid }: Ctx, numbers: readonly string[]): Promise<TargetProject[]> {
  const rows = await sql<({ id: number; number: string; status: string; crossing: boolean } & MembershipRow)[]>`
    select p.id, p.number, p.status, ${membershipColumns(sql, user.id, sql`p.id`, sql`p.today`)},
      case ${borderOf(sql, user.country)} when 'none' then false when 'closed' then true else not exists (
        select 1 from cross_border_consent c where c.project_id = p.id and c.sid = ${sid}) end as crossing
    from (select *, ((${now}::timestamptz at time zone 'utc') + (8 + tz_offset_beijing) * interval '1 hour')::date as today from project) p
    where p.number = any(${[...numbers]}::text[]) and p.datacenter is not null order by p.id`;
  return rows
    .map(({ id, number, status, crossing, ...row }) => ({ id, number, status, crossing, membership: membershipOf(row) }))
    .filter(({ membership }) => membership.roles.length > 0 && !membership.isolation?.dpaEnded);
}

/** For each number whether it is a project the caller may enter. */
export async function validateProjects(ctx: Ctx, { projectNumbers }: { projectNumbers: string[] }): Promise<Record<string, boolean>> {
  const found = new Set((await listTargets(ctx, projectNumbers)).map(({ number }) => number));
  return Object.fromEntries(projectNumbers.map((number) => [number, found.has(number)]));
}

/** Partners by project, thing and id: activities by code, subcontractors by code, the others by name. */
export type PartnerTable = Map<string, Partner>;
export const partnerKey = (projectId: number, thing: RefThing, id: number): string => `${projectId} ${thing} ${id}`;

/** What stands for things of this project in others. */
export async function readPartners(
  { sql, project }: Ctx,
  refs: Record<RefThing, readonly number[]>,
  targets: readonly number[],
): Promise<PartnerTable> {
  const to = [...targets];
  const ids = (thing: RefThing) => [...refs[thing]];
  const rows = await sql<{ thing: RefThing; projectId: number; source: number; id: number | null; label: string }[]>`
    select r.thing, p.id as "projectId", r.source, r.label, coalesce(
      case r.thing
        when 'activity' then (select t.id from activity_library t where t.project_id = p.id and t.code = r.label and t.disabled_at is null)
        when 'flow' then (select min(t.id) from activity_flow t where t.project_id = p.id and lower(t.name) = lower(r.label) and t.draft_of is null and t.version > 0)
        when 'region' then (select min(t.id) from delivery_region t where t.project_id = p.id and lower(t.name) = lower(r.label) and t.deleted_at is null)
        when 'cluster' then (select t.id from cluster t where t.project_id = p.id and lower(t.name) = lower(r.label))
        when 'subcontractor' then (select min(t.id) from subcontractor t where t.project_id = p.id and t.code = r.label)
        when 'attribute' then (select min(t.id) from attribute t where t.project_id = p.id and lower(t.name) = lower(r.label) and t.type = r.detail and t.deleted_at is null)
        else (select min(e.id) from attribute_enum e join attribute t on t.id = e.attribute_id
          where t.project_id = p.id and lower(t.name) = lower(r.detail) and t.deleted_at is null and e.value = r.label and e.active)
      end) as id
    from (
      select 'activity' as thing, id as source, code as label, null as detail from activity_library where project_id = ${project.id} and id = any(${ids("activity")}::bigint[])
      union all select 'flow', id, name, null from activity_flow where project_id = ${project.id} and id = any(${ids("flow")}::bigint[])
      union all select 'region', id, name, null from delivery_region where project_id = ${project.id} and id = any(${ids("region")}::bigint[])
      union all select 'cluster', id, name, null from cluster where project_id = ${project.id} and id = any(${ids("cluster")}::bigint[])
      union all select 'subcontractor', id, code, null from subcontractor where project_id = ${project.id} and id = any(${ids("subcontractor")}::bigint[])
      union all select 'attribute', id, name, type from attribute where project_id = ${project.id} and id = any(${ids("attribute")}::bigint[])
      union all select 'choice', e.id, e.value, a.name from attribute_enum e join attribute a on a.id = e.attribute_id
        where a.project_id = ${project.id} and e.id = any(${ids("choice")}::bigint[])
    ) r cross join project p where p.id = any(${to}::bigint[])`;
  return new Map(rows.map(({ projectId, thing, source, id, label }) => [partnerKey(projectId, thing, source), { id, label }]));
}

/** Attributes whose values are choices, among these. */
export async function listChoiceAttributes({ sql, project }: Ctx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select id from attribute where project_id = ${project.id} and id = any(${[...ids]}::bigint[]) and type = 'ENUM'`;
  return new Set(rows.map(({ id }) => id));
}

/** Names and counts of scopes: own ones of a person, or those of projects. */
export type ScopeRow = {
  projectId: number;
  kind: TemplateKind;
  objectType: string | null;
  gridKey: string | null;
  name: string;
  isPublic: boolean;
};

/** Personal templates of a person and public ones of projects, by what their limits look at; names in small letters. */
export async function listScopes(
  { sql }: Pick<Ctx, "sql">,
  projectIds: readonly number[],
  ownerId: number,
  without: readonly number[] = [],
): Promise<ScopeRow[]> {
  return [
    ...(await sql<ScopeRow[]>`
      select project_id as "projectId", kind, object_type as "objectType", grid_key as "gridKey", lower(name) as name, is_public as "isPublic" from template
      where project_id = any(${[...projectIds]}::bigint[]) and (is_public or owner_id = ${ownerId}) and id <> all(${[...without]}::bigint[])`),
  ];
}

import "server-only";
import { dropRefs, replaceRefsOfMany } from "#lib/attributes/config-refs/commands.ts";
import type { TargetKind } from "#lib/attributes/config-refs/limits.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { planNotice } from "#lib/core/events.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseStaleValues } from "#lib/core/stale.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { listIsolationAttributes, readIsolation } from "./queries.ts";
import type { DetailIds, SaveIsolation } from "./schema.ts";

type Detail = { id: number; attributeId: number; value: string; subcontractorId: number };

/**
 * Turns isolation on or off and stores details, each a value of an attribute with the company whose DUs have it.
 * @throws NOT_FOUND, NOTHING_MODIFIED, SUBCONTRACTOR_UNKNOWN, VALUE_UNKNOWN, ISOLATION_REPEAT, ISOLATION_ATTR_EDITABLE at the detail, STALE where others have changed it
 * since it was read
 */
export async function saveIsolation(ctx: Ctx, { enabled, details = [] }: SaveIsolation): Promise<{ ids: number[]; version: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const before = await readDetails(ctx);
  const present = new Map(before.map(({ id, ...detail }) => [id, detail]));
  refuseStaleValues(
    details.flatMap(({ id, base, ...wanted }, index) =>
      id !== undefined && present.has(id) ? [{ path: `details.${index}`, present: present.get(id), base, wanted }] : [],
    ),
  );
  await demandDetails(ctx, details, before);
  const stored = await readIsolation(ctx);
  const wanted = details.map(({ base: _base, ...detail }) => detail);
  refuseUnchanged({ enabled: stored.enabled, ...byId(before) }, { enabled: enabled ?? stored.enabled, ...byId(wanted) });
  const changed = wanted.flatMap(({ id, ...rest }) => (id === undefined ? [] : [{ id, ...rest }]));
  const added = wanted.filter(({ id }) => id === undefined);
  await sql`
    update isolation_detail d set attribute_id = n."attributeId", value = n.value, subcontractor_id = n."subcontractorId"
    from jsonb_to_recordset(${sql.json(changed)}) n(id bigint, "attributeId" bigint, value text, "subcontractorId" bigint) where d.id = n.id`;
  const rows = await sql<{ id: number }[]>`
    insert into isolation_detail (project_id, attribute_id, value, subcontractor_id, created_by, created_at)
    select ${project.id}, n."attributeId", n.value, n."subcontractorId", ${user.id}, ${now}
    from jsonb_to_recordset(${sql.json(added)}) n("attributeId" bigint, value text, "subcontractorId" bigint) returning id`;
  const ids = [...changed.map(({ id }) => id), ...rows.map(({ id }) => id)];
  await nameTargets(ctx, ids);
  const version = await raiseVersion(ctx, enabled);
  ctx.audit(
    "isolation",
    before.filter(({ id }) => ids.includes(id)),
    { enabled, details: wanted, version },
  );
  return { ids, version };
}

const byId = (details: NonNullable<SaveIsolation["details"]>) => Object.fromEntries(details.map((detail) => [detail.id ?? "new", detail]));

/** Deletes details. @throws NOT_FOUND */
export async function deleteDetails(ctx: Ctx, { ids }: DetailIds): Promise<{ deleted: number; version: number }> {
  const { sql } = ctx;
  await holdProject(ctx);
  const before = (await readDetails(ctx)).filter(({ id }) => ids.includes(id));
  const missing = ids.filter((id) => !before.some((detail) => detail.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  await sql`delete from isolation_detail where id = any(${ids}::bigint[])`;
  await dropRefs(ctx, "ISOLATION", ids);
  const version = await raiseVersion(ctx, undefined);
  ctx.audit("isolation", before, { version }, "deleted");
  return { deleted: before.length, version };
}

async function readDetails({ sql, project }: Ctx): Promise<Detail[]> {
  return [
    ...(await sql<Detail[]>`
      select id, attribute_id as "attributeId", value, subcontractor_id as "subcontractorId" from isolation_detail where project_id = ${project.id} order by id`),
  ];
}

/** Refuses details the project cannot have, each at its place. */
async function demandDetails(ctx: Ctx, details: NonNullable<SaveIsolation["details"]>, before: readonly Detail[]): Promise<void> {
  const { sql, project } = ctx;
  if (details.length === 0) return;
  const attributes = new Map((await listIsolationAttributes(ctx)).map((attribute) => [attribute.id, attribute]));
  const companies = await sql<{ id: number }[]>`
    select id from subcontractor where project_id = ${project.id} and id = any(${details.map(({ subcontractorId }) => subcontractorId)}::bigint[]) order by id for share`;
  const known = new Set(companies.map(({ id }) => id));
  const given = new Set(details.map(({ id }) => id));
  const kept = before.filter(({ id }) => !given.has(id));
  const problems = details.flatMap(({ id, attributeId, value, subcontractorId }, index): Problem[] => {
    const path = `details.${index}`;
    const attribute = attributes.get(attributeId);
    if (id !== undefined && !before.some((detail) => detail.id === id)) return [{ path, code: "NOT_FOUND", params: { object: id } }];
    if (!attribute) return [{ path: `${path}.attributeId`, code: "NOT_FOUND", params: { object: attributeId } }];
    if (attribute.editable) return [{ path: `${path}.attributeId`, code: "ISOLATION_ATTR_EDITABLE", params: { name: attribute.name } }];
    if (!known.has(subcontractorId))
      return [{ path: `${path}.subcontractorId`, code: "SUBCONTRACTOR_UNKNOWN", params: { value: subcontractorId } }];
    if (attribute.choices && !attribute.choices.some((choice) => choice.value === value))
      return [{ path: `${path}.value`, code: "VALUE_UNKNOWN", params: { field: attribute.name, value } }];
    const repeated = kept.some((row) => row.attributeId === attributeId && row.value === value && row.subcontractorId === subcontractorId);
    return repeated ? [{ path, code: "ISOLATION_REPEAT" }] : [];
  });
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
}

/** Says in the usage index which attributes and choices the details name. */
async function nameTargets(ctx: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await ctx.sql<{ id: number; attributeId: number; choiceId: number | null; valueId: number | null }[]>`
    select d.id, d.attribute_id as "attributeId", e.id as "choiceId", v.id as "valueId" from isolation_detail d
    join attribute a on a.id = d.attribute_id
    left join attribute_enum e on a.type = 'ENUM' and e.attribute_id = a.id and e.id::text = d.value
    left join lookup_value v on a.type = 'LOOKUP_ENUM' and v.list_id = a.lookup_list_id and v.id::text = d.value where d.id = any(${[...ids]}::bigint[])`;
  const named = (holderId: number, kind: TargetKind, id: number | null) =>
    id === null ? [] : [{ holderId, kind, id, usage: "CONDITION" as const }];
  const refs = rows.flatMap(({ id, attributeId, choiceId, valueId }) => [
    ...named(id, "ATTRIBUTE", attributeId),
    ...named(id, "ENUM_VALUE", choiceId),
    ...named(id, "LOOKUP_VALUE", valueId),
  ]);
  await replaceRefsOfMany(ctx, "ISOLATION", ids, refs);
}

/** Raises the version, by which kept results of scopes are told apart, and the change number of the plan, so that open grids load anew. */
async function raiseVersion(ctx: Ctx, enabled: boolean | undefined): Promise<number> {
  const { sql, project, user, now } = ctx;
  const [row] = await sql<{ version: number }[]>`
    insert into isolation as i (project_id, enabled, version, updated_by, updated_at) values (${project.id}, ${enabled ?? false}, 1, ${user.id}, ${now})
    on conflict (project_id) do update set enabled = coalesce(${enabled ?? null}, i.enabled), version = i.version + 1, updated_by = ${user.id}, updated_at = ${now} returning version`;
  await sql`
    with s as (
      insert into plan_seq as p (project_id, seq) values (${project.id}, 1) on conflict (project_id) do update set seq = p.seq + 1 returning seq
    ) select ${planNotice(sql, { projectId: project.id, seq: sql`seq`, duIds: [], actorId: user.id })} from s`;
  ctx.afterCommit(forgetRights);
  return row!.version;
}

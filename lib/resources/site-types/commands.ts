import "server-only";
import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { readSiteTypes, type SiteDimension, type SiteType } from "./queries.ts";
import { mixRules, PERCENT_SUM } from "./rules.ts";
import type { SaveSiteTypes, SiteTypeIds } from "./schema.ts";

type Types = NonNullable<SaveSiteTypes["types"]>;
const small = (name: string) => name.toLowerCase();

/**
 * Stores dimensions and site types with their parts. What others have changed since it was read is STALE: a type, or one of the dimensions.
 * @throws NOT_FOUND, NOTHING_MODIFIED, STALE, NAME_EXISTS, PERCENT_SUM, TOO_MANY_SITE_TYPES, TOO_MANY_DIMENSIONS, IN_USE for a dimension a kept type still has parts in
 */
export async function saveSiteTypes(ctx: Ctx, { dimensions, base = [], types = [] }: SaveSiteTypes): Promise<{ ids: number[] }> {
  await holdProject(ctx);
  const before = await readSiteTypes(ctx);
  if (dimensions && !isDeepStrictEqual(before.dimensions.map(named), base.map(named))) throw new AppError("STALE");
  const added = types.filter(({ id }) => id === undefined).length;
  checkRules(mixRules, { types: before.types.length + added, dimensions: (dimensions ?? before.dimensions).length });
  demandTypes(types, before.types, dimensions ?? before.dimensions);
  if (dimensions) await writeDimensions(ctx, dimensions, before, types);
  const ids = await writeTypes(ctx, types);
  refuseUnchanged(facts(before), facts(await readSiteTypes(ctx)));
  ctx.audit("site_types", before, { dimensions, types });
  return { ids };
}

function demandTypes(types: Types, before: readonly SiteType[], dimensions: readonly { name: string }[]): void {
  const known = new Set(dimensions.map(({ name }) => small(name)));
  if (known.size < dimensions.length) throw new AppError("NAME_EXISTS", {}, [{ path: "dimensions", code: "NAME_EXISTS" }]);
  const kept = before.filter((type) => !types.some(({ id }) => id === type.id)).map(({ name }) => small(name));
  const problems = types.flatMap(({ id, name, subs, rowVersion }, index): Problem[] => {
    const path = `types.${index}`;
    const own = before.find((type) => type.id === id);
    if (id !== undefined && !own) return [{ path, code: "NOT_FOUND", params: { object: id } }];
    if (own && own.rowVersion !== rowVersion) return [{ path, code: "STALE" }];
    const names = [...kept, ...types.slice(0, index).map((type) => small(type.name))];
    const parts = [...Map.groupBy(subs, ({ dimension }) => small(dimension))];
    return [
      ...(names.includes(small(name)) ? [{ path: `${path}.name`, code: "NAME_EXISTS" as const }] : []),
      ...subs.flatMap(({ dimension, name: sub }, at): Problem[] => {
        if (!known.has(small(dimension)))
          return [{ path: `${path}.subs.${at}.dimension`, code: "NOT_FOUND", params: { object: dimension } }];
        const twice = subs.slice(0, at).some((other) => small(other.dimension) === small(dimension) && small(other.name) === small(sub));
        return twice ? [{ path: `${path}.subs.${at}.name`, code: "NAME_EXISTS" }] : [];
      }),
      ...parts.flatMap(([, rows]) => brokenRules([PERCENT_SUM], { percentages: rows.map(({ percentage }) => percentage) }, `${path}.subs`)),
    ];
  });
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params ?? {}, problems);
}

const named = ({ id, name }: SiteDimension) => ({ id, name });

const facts = ({ dimensions, types }: { dimensions: SiteDimension[]; types: SiteType[] }) => ({
  dimensions,
  types: types.map(({ rowVersion: _version, ...type }) => type),
});

/** Writes the dimensions in their order; one without id is new, one not named goes unless a type that stays as it is has parts in it. */
async function writeDimensions(
  { sql, project }: Ctx,
  dimensions: NonNullable<SaveSiteTypes["dimensions"]>,
  before: { dimensions: SiteDimension[]; types: SiteType[] },
  types: Types,
): Promise<void> {
  const unknown = dimensions.filter(({ id }) => id !== undefined && !before.dimensions.some((dimension) => dimension.id === id));
  if (unknown[0]) throw new AppError("NOT_FOUND", { object: unknown[0].id ?? 0 });
  const gone = before.dimensions.filter(({ id }) => !dimensions.some((dimension) => dimension.id === id));
  const holding = before.types.filter(
    (type) => !types.some(({ id }) => id === type.id) && type.subs.some(({ dimensionId }) => gone.some(({ id }) => id === dimensionId)),
  );
  if (holding.length > 0) throw new AppError("IN_USE", { by: holding.map(({ name }) => name).join(", ") });
  await sql`delete from sub_site_type where project_id = ${project.id} and dimension_id = any(${gone.map(({ id }) => id)}::bigint[])`;
  // Names and places are unique among the dimensions, so what stays steps aside before it takes its new place.
  await sql`delete from site_dimension where project_id = ${project.id} and id = any(${gone.map(({ id }) => id)}::bigint[])`;
  const rows = dimensions.map((dimension, at) => ({ id: dimension.id ?? null, name: dimension.name, sort: at + 1 }));
  await sql`set constraints site_dimension_sort_unique deferred`;
  await sql`
    update site_dimension d set name = n.name, sort_no = n.sort from jsonb_to_recordset(${sql.json(rows)}) n(id bigint, name text, sort smallint)
    where d.project_id = ${project.id} and d.id = n.id`;
  await sql`
    insert into site_dimension (project_id, name, sort_no)
    select ${project.id}, n.name, n.sort from jsonb_to_recordset(${sql.json(rows)}) n(id bigint, name text, sort smallint) where n.id is null`;
}

async function writeTypes(ctx: Ctx, types: Types): Promise<number[]> {
  const { sql, project, user, now } = ctx;
  if (types.length === 0) return [];
  const changed = types.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }]));
  await sql`
    update site_type t set name = n.name, row_version = row_version + 1, updated_by = ${user.id}, updated_at = ${now}
    from jsonb_to_recordset(${sql.json(changed)}) n(id bigint, name text) where t.id = n.id and t.project_id = ${project.id}`;
  await sql`
    insert into site_type (project_id, name, updated_by, updated_at)
    select ${project.id}, n.name, ${user.id}, ${now} from unnest(${types.filter(({ id }) => id === undefined).map(({ name }) => name)}::text[]) n(name)`;
  const rows = await sql<{ id: number; name: string }[]>`select id, lower(name) as name from site_type where project_id = ${project.id}`;
  const ids = new Map(rows.map(({ id, name }) => [name, id]));
  const dimensions = await sql<
    { id: number; name: string }[]
  >`select id, lower(name) as name from site_dimension where project_id = ${project.id}`;
  const dimensionIds = new Map(dimensions.map(({ id, name }) => [name, id]));
  const own = types.map(({ name }) => ids.get(small(name)) as number);
  await sql`delete from sub_site_type where site_type_id = any(${own}::bigint[])`;
  const subs = types.flatMap(({ name, subs: parts }) =>
    parts.map((part, sort) => ({
      type: ids.get(small(name)),
      dimension: dimensionIds.get(small(part.dimension)),
      name: part.name,
      percentage: part.percentage,
      sort,
    })),
  );
  await sql`
    insert into sub_site_type (project_id, site_type_id, dimension_id, name, percentage, sort_no)
    select ${project.id}, n.type, n.dimension, n.name, n.percentage, n.sort
    from jsonb_to_recordset(${sql.json(subs as never)}) n(type bigint, dimension bigint, name text, percentage numeric, sort smallint)`;
  return own;
}

/** Deletes site types with their parts. @throws NOT_FOUND */
export async function deleteSiteTypes(ctx: Ctx, { ids }: SiteTypeIds): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const rows = await sql<{ id: number; name: string }[]>`
    delete from site_type where project_id = ${project.id} and id = any(${ids}::bigint[]) returning id, name`;
  const missing = ids.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  ctx.audit("site_types", rows, null, "deleted");
  return { deleted: rows.length };
}

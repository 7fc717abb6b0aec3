import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";

/** A property sites are divided by. */
export type SiteDimension = { id: number; name: string };
/** A part of a site type in a dimension. */
export type SubSiteType = { dimensionId: number; dimension: string; name: string; percentage: number };
export type SiteType = { id: number; name: string; rowVersion: number; subs: SubSiteType[] };

/** The project's mix of sites: dimensions in their order, types by name with their parts. */
export async function readSiteTypes({
  sql,
  project,
}: Pick<Ctx, "sql" | "project">): Promise<{ dimensions: SiteDimension[]; types: SiteType[] }> {
  const [dimensions, types] = await Promise.all([
    sql<SiteDimension[]>`select id, name from site_dimension where project_id = ${project.id} order by sort_no`,
    sql<SiteType[]>`
      select t.id, t.name, t.row_version as "rowVersion", coalesce((
        select json_agg(json_build_object('dimensionId', d.id, 'dimension', d.name, 'name', s.name, 'percentage', s.percentage) order by d.sort_no, s.sort_no, s.id)
        from sub_site_type s join site_dimension d on d.id = s.dimension_id where s.site_type_id = t.id), '[]') as subs
      from site_type t where t.project_id = ${project.id} order by t.name collate natural_order, t.id`,
  ]);
  return { dimensions: [...dimensions], types: [...types] };
}

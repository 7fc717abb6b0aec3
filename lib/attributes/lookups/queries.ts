import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";

export type LookupList = {
  id: number;
  code: string;
  rowVersion: number;
  values: { id: number; value: string; children: { id: number; value: string }[] }[];
  /** Attributes that offer its values. */
  usedBy: string[];
};

/** Lookup lists of the project with their values in order; locked where asked. */
export async function readLists({ sql, project }: Pick<Ctx, "sql" | "project">, id?: number, lock = false): Promise<LookupList[]> {
  if (lock) await sql`select 1 from lookup_list where project_id = ${project.id} and id = ${id ?? 0} for update`;
  return [
    ...(await sql<LookupList[]>`
      select l.id, l.code, l.row_version as "rowVersion",
        coalesce((select json_agg(json_build_object('id', v.id, 'value', v.value, 'children', coalesce(
          (select json_agg(json_build_object('id', c.id, 'value', c.value) order by c.sort_no, c.id) from lookup_value c where c.parent_id = v.id), '[]'))
          order by v.sort_no, v.id) from lookup_value v where v.list_id = l.id and v.parent_id is null), '[]') as values,
        array(select a.name from attribute a where a.lookup_list_id = l.id and a.deleted_at is null order by a.name) as "usedBy"
      from lookup_list l where l.project_id = ${project.id} and ${id === undefined ? sql`true` : sql`l.id = ${id}`} order by l.code collate natural_order`),
  ];
}

/** Lookup lists of the project. */
export async function listLookups(ctx: Ctx): Promise<{ lists: LookupList[] }> {
  return { lists: await readLists(ctx) };
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { AttributeForm } from "#lib/rollout-plan/columns/logic.ts";

/** What a value of a stored attribute is checked with, whether the plan shows it or not. */
export type StoredForm = AttributeForm & {
  id: number;
  name: string;
  level: "DU" | "ACTIVITY" | "TAB";
  required: boolean;
  /** The attribute whose value chooses among the choices, and the value each choice belongs to. */
  lookupParentId: number | null;
  parents: Record<string, number> | null;
};

/** Forms of attributes that are not deleted, by id. */
export async function readForms({ sql, project }: Pick<Ctx, "sql" | "project">, ids: readonly number[]): Promise<Map<number, StoredForm>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<StoredForm[]>`
    select a.id, a.name, a.type, a.level, a.value_limit as "limit", a.required, a.lookup_parent_id as "lookupParentId",
      case a.type
        when 'ENUM' then array(select e.id from attribute_enum e where e.attribute_id = a.id and e.active)
        when 'LOOKUP_ENUM' then array(select v.id from lookup_value v where v.list_id = a.lookup_list_id and (v.parent_id is null) = (a.lookup_parent_id is null))
        else '{}' end as "enumIds",
      case when a.lookup_parent_id is not null then (
        select jsonb_object_agg(v.id, v.parent_id) from lookup_value v where v.list_id = a.lookup_list_id and v.parent_id is not null) end as parents
    from attribute a
    where a.project_id = ${project.id} and a.deleted_at is null and a.id = any(${[...ids]}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

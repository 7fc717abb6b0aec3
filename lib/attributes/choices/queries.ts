import "server-only";
import { holderNames } from "#lib/attributes/config-refs/logic.ts";
import { listHolders } from "#lib/attributes/config-refs/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { listAttributeKeys } from "#lib/rollout-plan/plan-rows/queries.ts";

/** In how many DUs each choice of an attribute is stored, with the DU or in the rows of its tabs, by the id as it is stored; every DU counts. */
export async function countChoices(ctx: Pick<Ctx, "sql" | "project">, attributeId: number): Promise<Map<string, number>> {
  const { sql, project } = ctx;
  const keys = await listAttributeKeys(ctx, [attributeId]);
  const rows = await sql<{ value: string; count: number }[]>`
    select value, count(distinct du_id)::int as count from (
      select e.value #>> '{}' as value, du.id as du_id from du cross join lateral jsonb_each(du.ext) e
      where du.project_id = ${project.id} and du.ext ?| ${keys}::text[] and e.key = any(${keys}::text[])
      union all
      select e.value #>> '{}', r.du_id from du_tab_row r cross join lateral jsonb_each(r.data) e
      where r.project_id = ${project.id} and r.deleted_at is null and r.data ?| ${keys}::text[] and e.key = any(${keys}::text[])
    ) held group by value`;
  return new Map(rows.map(({ value, count }) => [value, count]));
}

/** Where choices are used that may not go: the names of what names them, by choice. Cells, defaults and value limits count too. */
export async function findChoiceUses(
  ctx: Pick<Ctx, "sql" | "project" | "locale">,
  attribute: { id: number; name: string; defaultValue: string | null; projectDefaultValue: string | null; allowed: readonly number[] },
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const [stored, holders] = await Promise.all([countChoices(ctx, attribute.id), listHolders(ctx, "ENUM_VALUE", ids)]);
  const defaults = [attribute.defaultValue, attribute.projectDefaultValue];
  return new Map(
    ids.flatMap((id): [number, string][] => {
      const names = holders.filter(({ targetId }) => targetId === id).map(({ name }) => name);
      const cells = stored.get(String(id)) ?? 0;
      if (cells > 0) names.unshift(`${attribute.name} (${cells} DU)`);
      else if (defaults.includes(String(id)) || attribute.allowed.includes(id)) names.unshift(attribute.name);
      return names.length > 0 ? [[id, holderNames(names)]] : [];
    }),
  );
}

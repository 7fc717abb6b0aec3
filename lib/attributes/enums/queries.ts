import "server-only";
import { readModes } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Page } from "#lib/core/paging.ts";
import { countChoices } from "../choices/queries.ts";
import type { ListChoices } from "./schema.ts";

export type ChoiceRow = { id: number; value: string; sortNo: number; active: boolean; parentId: number | null; usedCount?: number };

/**
 * Choices of an attribute, page by page; who sees the configuration sees in how many DUs each is stored.
 * @throws NOT_FOUND, also where the attribute is hidden from the caller
 */
export async function listChoices(ctx: Ctx, { attributeId, keyword, parentId, page, size }: ListChoices): Promise<Page<ChoiceRow>> {
  const { sql, project } = ctx;
  const [attribute] = await sql<{ type: string; listId: number | null; isChild: boolean }[]>`
    select type, lookup_list_id as "listId", lookup_parent_id is not null as "isChild" from attribute
    where project_id = ${project.id} and deleted_at is null and id = ${attributeId}`;
  if (!attribute || ((await readModes(ctx, [attributeId])).get(attributeId) ?? "HIDDEN") === "HIDDEN")
    throw new AppError("NOT_FOUND", { object: attributeId });
  const like = keyword?.trim() ? sql`position(${keyword.trim().toLowerCase()} in lower(v.value)) > 0` : sql`true`;
  const below = parentId === undefined ? sql`true` : sql`v.parent_id = ${parentId}`;
  const source =
    attribute.type === "LOOKUP_ENUM"
      ? sql`(select id, value, sort_no, true as active, parent_id from lookup_value
          where list_id = ${attribute.listId} and (parent_id is null) = ${!attribute.isChild}) v`
      : sql`(select id, value, sort_no, active, null::bigint as parent_id from attribute_enum where attribute_id = ${attributeId}) v`;
  const rows = await sql<(ChoiceRow & { total: number })[]>`
    select v.id, v.value, v.sort_no as "sortNo", v.active, v.parent_id as "parentId", count(*) over ()::int as total
    from ${source} where ${like} and ${below} order by v.sort_no, v.id limit ${size} offset ${(page - 1) * size}`;
  const used = ctx.can("attribute.view") ? await countChoices(ctx, attributeId) : null;
  return {
    records: rows.map(({ total: _total, ...row }) => ({ ...row, ...(used ? { usedCount: used.get(String(row.id)) ?? 0 } : {}) })),
    total: rows[0]?.total ?? 0,
    page,
    size,
  };
}

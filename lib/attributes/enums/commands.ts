import "server-only";
import { queueRechecks } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { tellAttributes } from "../announcing/commands.ts";
import { type ChoiceOwner, refuseUsed, writeChoices } from "../choices/commands.ts";
import { readConfigs } from "../queries.ts";
import type { ChoiceIds, SaveChoices } from "./schema.ts";

async function ownerOf(ctx: Ctx, attributeId: number): Promise<ChoiceOwner & { rowVersion: number }> {
  const [attribute] = await readConfigs(ctx, [attributeId], true);
  if (attribute?.type !== "ENUM") throw new AppError("NOT_FOUND", { object: attributeId });
  return { ...attribute, allowed: attribute.valueLimit?.allowed ?? [] };
}

/** Replaces the choices of an attribute. @throws NOT_FOUND, NOTHING_MODIFIED, ENUM_REFERENCED, ENUM_REPEAT, STALE */
export async function saveChoices(ctx: Ctx, { attributeId, rowVersion, values }: SaveChoices): Promise<{ ids: number[] }> {
  const attribute = await ownerOf(ctx, attributeId);
  if (attribute.rowVersion !== rowVersion)
    throw new AppError("STALE", {}, [], { rowVersion: attribute.rowVersion, enums: attribute.enums });
  const ids = await writeChoices(ctx, attribute, values, "values");
  // What was given is compared as it is stored.
  const [after] = await readConfigs(ctx, [attributeId]);
  refuseUnchanged({ enums: attribute.enums }, { enums: after?.enums });
  await touch(ctx, attributeId);
  ctx.audit(`attribute ${attributeId} choices`, attribute.enums, values);
  return { ids };
}

/** Deletes choices of one attribute, all or none. @throws NOT_FOUND, ENUM_REFERENCED */
export async function deleteChoices(ctx: Ctx, { ids }: ChoiceIds): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  const rows = await sql<{ id: number; attributeId: number }[]>`
    select e.id, e.attribute_id as "attributeId" from attribute_enum e join attribute a on a.id = e.attribute_id
    where a.project_id = ${project.id} and a.deleted_at is null and e.id = any(${ids}::bigint[])`;
  const missing = ids.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  for (const attributeId of [...new Set(rows.map((row) => row.attributeId))].sort((a, b) => a - b)) {
    const attribute = await ownerOf(ctx, attributeId);
    const own = rows.filter((row) => row.attributeId === attributeId).map(({ id }) => id);
    await refuseUsed(ctx, attribute, own, "ids");
    await queueRechecks(ctx, "ENUM_VALUE", own);
    await sql`delete from attribute_enum where attribute_id = ${attributeId} and id = any(${own}::bigint[])`;
    await touch(ctx, attributeId);
    ctx.audit(`attribute ${attributeId} choices`, { deleted: own }, null);
  }
  return { deleted: ids.length };
}

async function touch(ctx: Ctx, attributeId: number): Promise<void> {
  await ctx.sql`
    update attribute set row_version = row_version + 1, updated_by = ${ctx.user.id}, updated_at = ${ctx.now} where id = ${attributeId}`;
  await tellAttributes(ctx);
}

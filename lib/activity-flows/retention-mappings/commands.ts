import "server-only";
import type { z } from "zod";
import { dropRefs, replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { getRetentionMapping, readFlowActivities } from "./queries.ts";
import type { DeleteRetentionMappings, SaveRetentionMapping } from "./schema.ts";

/**
 * Makes or changes a mapping; as the default of its flows it takes the place of the one before.
 * @throws NAME_EXISTS, NO_ACTIVITY for an activity that is not in its flow, NOT_FOUND, NOTHING_MODIFIED, STALE
 */
export async function saveRetentionMapping(
  ctx: Ctx,
  input: z.output<typeof SaveRetentionMapping>,
): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  const { id, name, fromFlowId, toFlowId, isDefault, rows } = input;
  // A release of one of the flows waits, so that no pair names an activity its flow no longer has.
  await sql`select 1 from activity_flow where id = any(${[fromFlowId, toFlowId]}::bigint[]) and project_id = ${project.id} order by id for share`;
  const { from, to } = await readFlowActivities(ctx, fromFlowId, toFlowId);
  const problems = rows.flatMap(({ fromActivityId, toActivityId }, at): Problem[] => [
    ...(from.has(fromActivityId) ? [] : [{ path: `rows.${at}.fromActivityId`, code: "NO_ACTIVITY" as const }]),
    ...(to.has(toActivityId) ? [] : [{ path: `rows.${at}.toActivityId`, code: "NO_ACTIVITY" as const }]),
  ]);
  if (problems[0]) throw new AppError("NO_ACTIVITY", {}, problems);
  const [before] =
    id === undefined
      ? []
      : await sql<{ id: number; name: string; rowVersion: number }[]>`
          select id, name, row_version as "rowVersion" from retention_mapping where id = ${id} and project_id = ${project.id} for update`;
  if (id !== undefined && !before) throw new AppError("NOT_FOUND", { object: id });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  if (before) refuseUnchanged(facts(await getRetentionMapping(ctx, before.id)), facts(input));
  if (isDefault)
    await sql`
      update retention_mapping set is_default = false, row_version = row_version + 1
      where project_id = ${project.id} and from_flow_id = ${fromFlowId} and to_flow_id = ${toFlowId} and is_default and id <> ${id ?? 0}`;
  const [saved] = before
    ? await sql<{ id: number; rowVersion: number }[]>`
        update retention_mapping set name = ${name}, from_flow_id = ${fromFlowId}, to_flow_id = ${toFlowId}, is_default = ${isDefault}, row_version = row_version + 1,
          updated_by = ${user.id}, updated_at = ${now} where id = ${id!} returning id, row_version as "rowVersion"`
    : await sql<{ id: number; rowVersion: number }[]>`
        insert into retention_mapping (project_id, name, from_flow_id, to_flow_id, is_default, updated_by, updated_at)
        values (${project.id}, ${name}, ${fromFlowId}, ${toFlowId}, ${isDefault}, ${user.id}, ${now}) returning id, row_version as "rowVersion"`;
  await sql`delete from retention_mapping_row where mapping_id = ${saved!.id}`;
  await sql`
    insert into retention_mapping_row (mapping_id, project_id, from_activity_id, to_activity_id, keep_plan, keep_actual, keep_owner, keep_baseline, keep_deliverables, keep_attributes)
    select ${saved!.id}, ${project.id}, r."fromActivityId", r."toActivityId", r.plan, r.actual, r.owner, r.baseline, r.deliverables, r.attributes
    from jsonb_to_recordset(${sql.json(rows)}) as r("fromActivityId" bigint, "toActivityId" bigint, plan boolean, actual boolean, owner boolean, baseline boolean,
      deliverables boolean, attributes boolean)`;
  await replaceRefs(ctx, "RETENTION_MAPPING", saved!.id, [
    { kind: "FLOW", id: fromFlowId, usage: "SOURCE" },
    { kind: "FLOW", id: toFlowId, usage: "TARGET" },
    ...rows.flatMap((pair) => [
      { kind: "ACTIVITY" as const, id: pair.fromActivityId, usage: "SOURCE" as const },
      { kind: "ACTIVITY" as const, id: pair.toActivityId, usage: "TARGET" as const },
    ]),
  ]);
  ctx.audit(`retention_mapping ${saved!.id}`, before ?? null, { name, fromFlowId, toFlowId, isDefault, rows }, "config_changed");
  return saved!;
}

const facts = ({ name, fromFlowId, toFlowId, isDefault, rows }: z.output<typeof SaveRetentionMapping>) => ({
  name,
  fromFlowId,
  toFlowId,
  isDefault,
  rows: rows.toSorted((a, b) => a.toActivityId - b.toActivityId),
});

/** Deletes mappings, all of them or none; open changes keep what they were submitted with. @throws NOT_FOUND */
export async function deleteRetentionMappings(ctx: Ctx, { ids }: z.output<typeof DeleteRetentionMappings>): Promise<{ deleted: number }> {
  const gone = await ctx.sql<{ id: number; name: string }[]>`
    delete from retention_mapping where project_id = ${ctx.project.id} and id = any(${ids}::bigint[]) returning id, name`;
  if (gone.length !== new Set(ids).size) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  await dropRefs(ctx, "RETENTION_MAPPING", ids);
  ctx.audit("retention_mapping", { deleted: [...gone] }, null, "config_changed");
  return { deleted: gone.length };
}

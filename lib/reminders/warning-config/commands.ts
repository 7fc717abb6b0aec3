import "server-only";
import { dropRefs, replaceRefs } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { warningsMax } from "#lib/reminders/warnings/limits.ts";
import type { SaveWarning } from "./schema.ts";

/**
 * Makes or changes a warning.
 * @throws NOT_FOUND, SAME_FIELD, NOTHING_MODIFIED, STALE, TOO_MANY
 */
export async function saveWarning(ctx: Ctx, input: SaveWarning): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  const { flowId, anchorActivityId, fieldA, alertActivityId, fieldB, operator, days, level, message, status } = input;
  await holdProject(ctx);
  const [before] =
    input.id === undefined
      ? []
      : await sql<(Omit<SaveWarning, "id" | "rowVersion"> & { rowVersion: number; sortNo: number })[]>`
          select flow_id as "flowId", anchor_activity_id as "anchorActivityId", field_a as "fieldA", alert_activity_id as "alertActivityId", field_b as "fieldB",
            operator, days, level, message, status, sort_no as "sortNo", row_version as "rowVersion"
          from warning_config where id = ${input.id} and project_id = ${project.id} for update`;
  if (input.id !== undefined && !before) throw new AppError("NOT_FOUND", { object: input.id });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  await guardObjects(ctx, input);
  const [counted] = await sql<{ warnings: number; last: number }[]>`
    select count(*)::int as warnings, coalesce(max(sort_no), 0) as last from warning_config where project_id = ${project.id}`;
  if (!before && (counted?.warnings ?? 0) >= warningsMax) throw new AppError("TOO_MANY", { max: warningsMax });
  const sortNo = input.sortNo ?? before?.sortNo ?? (counted?.last ?? 0) + 1;
  const { id: _id, rowVersion: _version, ...values } = { ...input, sortNo };
  refuseUnchanged(before, values);
  const [saved] = before
    ? await sql<{ id: number; rowVersion: number }[]>`
        update warning_config set flow_id = ${flowId}, anchor_activity_id = ${anchorActivityId}, field_a = ${fieldA}, alert_activity_id = ${alertActivityId},
          field_b = ${fieldB}, operator = ${operator}, days = ${days}, level = ${level}, message = ${message}, status = ${status}, sort_no = ${sortNo},
          row_version = row_version + 1, updated_by = ${user.id}, updated_at = ${now}
        where id = ${input.id as number} returning id, row_version as "rowVersion"`
    : await sql<{ id: number; rowVersion: number }[]>`
        insert into warning_config (project_id, flow_id, anchor_activity_id, field_a, alert_activity_id, field_b, operator, days, level, message, status, sort_no,
          created_by, created_at, updated_by, updated_at)
        values (${project.id}, ${flowId}, ${anchorActivityId}, ${fieldA}, ${alertActivityId}, ${fieldB}, ${operator}, ${days}, ${level}, ${message}, ${status}, ${sortNo},
          ${user.id}, ${now}, ${user.id}, ${now})
        returning id, row_version as "rowVersion"`;
  if (!saved) throw new Error("the warning was not stored");
  await replaceRefs(ctx, "WARNING", saved.id, [
    { kind: "ACTIVITY", id: anchorActivityId, usage: "CONDITION" },
    { kind: "ACTIVITY", id: alertActivityId, usage: "TARGET" },
    ...(flowId === null ? [] : [{ kind: "FLOW" as const, id: flowId, usage: "CONDITION" as const }]),
  ]);
  ctx.audit(`warning_config ${saved.id}`, before ?? null, values, "config_changed");
  return saved;
}

async function guardObjects({ sql, project }: Ctx, { flowId, anchorActivityId, alertActivityId }: SaveWarning): Promise<void> {
  const [found] = await sql<{ anchor: boolean; alert: boolean; flow: boolean }[]>`
    select exists (select from activity_library where id = ${anchorActivityId} and project_id = ${project.id} and disabled_at is null) as anchor,
      exists (select from activity_library where id = ${alertActivityId} and project_id = ${project.id} and disabled_at is null) as alert,
      ${flowId}::bigint is null or exists (select from activity_flow where id = ${flowId} and project_id = ${project.id} and draft_of is null) as flow`;
  const problems: Problem[] = [
    ...(found?.anchor ? [] : [{ path: "anchorActivityId", code: "NOT_FOUND" as const, params: { object: anchorActivityId } }]),
    ...(found?.alert ? [] : [{ path: "alertActivityId", code: "NOT_FOUND" as const, params: { object: alertActivityId } }]),
    ...(found?.flow ? [] : [{ path: "flowId", code: "NOT_FOUND" as const, params: { object: flowId as number } }]),
  ];
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, problems);
}

/** Deletes warnings, all of them or none. @throws NOT_FOUND */
export async function deleteWarnings(ctx: Ctx, { ids }: { ids: number[] }): Promise<{ deleted: number }> {
  const gone = await ctx.sql<{ id: number; message: string }[]>`
    delete from warning_config where project_id = ${ctx.project.id} and id = any(${ids}::bigint[]) returning id, message`;
  if (gone.length !== ids.length) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  await dropRefs(ctx, "WARNING", ids);
  ctx.audit("warning_config", { deleted: [...gone] }, null, "config_changed");
  return { deleted: gone.length };
}

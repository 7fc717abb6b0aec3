import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { type BaselineAnswer, saveBaseline } from "./baselines/commands.ts";
import { listOpenFeedback } from "./feedback/queries.ts";
import { findPlan, type PlanHead } from "./queries.ts";
import { deleteRules, renameRules } from "./rules.ts";
import type { DeleteVersions, SavePlan, SaveVersion } from "./schema.ts";
import type { VersionKind } from "./snapshots/limits.ts";

/** Gives the plan of the project another name. @throws NOTHING_MODIFIED, STALE */
export async function savePlan(ctx: Ctx, { name, rowVersion }: z.output<typeof SavePlan>): Promise<PlanHead> {
  const { sql, project, user, now } = ctx;
  const before = await findPlan(ctx);
  if (before.rowVersion === rowVersion) refuseUnchanged(before, { name });
  const [saved] = await sql`
    update rollout_plan set name = ${name}, updated_by = ${user.id}, updated_at = ${now}, row_version = row_version + 1
    where project_id = ${project.id} and row_version = ${rowVersion} returning id`;
  if (!saved) throw new AppError("STALE", {}, [], await findPlan(ctx));
  ctx.audit(`rollout_plan ${before.id}`, { name: before.name }, { name });
  return findPlan(ctx);
}

/** Saves a new baseline, or another name and remark of a version. */
export async function saveVersion(ctx: Ctx, input: SaveVersion): Promise<BaselineAnswer> {
  if (input.id !== undefined) return renameVersion(ctx, { ...input, id: input.id });
  if (!ctx.can("plan.baseline")) throw new AppError("NO_PERMISSION", { right: "plan.baseline" });
  return saveBaseline(ctx, input);
}

async function renameVersion(ctx: Ctx, input: SaveVersion & { id: number }): Promise<{ id: number; code: string }> {
  const { sql, project } = ctx;
  const [before] = await sql<{ id: number; code: string; name: string; kind: VersionKind; remark: string | null; rowVersion: number }[]>`
    select id, code, name, kind, remark, row_version as "rowVersion" from plan_version where id = ${input.id} and project_id = ${project.id} for update`;
  if (!before) throw new AppError("NOT_FOUND", { object: input.id });
  if (before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  checkRules(renameRules, before);
  const remark = input.remark === undefined ? before.remark : input.remark || null;
  refuseUnchanged(before, { name: input.name, remark });
  await sql`
    update plan_version set name = ${input.name}, remark = ${remark}, row_version = row_version + 1 where id = ${input.id}`;
  ctx.audit(`plan_version ${before.id}`, { name: before.name, remark: before.remark }, { name: input.name, remark });
  return { id: before.id, code: before.code };
}

/** Deletes historical versions with their rows, all of them or none. @throws VERSION_IN_FORCE, FEEDBACK_OPEN, NOT_FOUND */
export async function deleteVersions(ctx: Ctx, { ids }: z.output<typeof DeleteVersions>): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  const found = await sql<{ id: number; code: string; name: string; kind: VersionKind; duCount: number }[]>`
    select id, code, name, kind, du_count as "duCount" from plan_version
    where project_id = ${project.id} and id = any(${ids}::bigint[]) order by id for update`;
  const byId = new Map(found.map((version) => [version.id, version]));
  const unknown = ids.find((id) => !byId.has(id));
  if (unknown !== undefined) throw new AppError("NOT_FOUND", { object: unknown });
  // Answers that are being given are waited for, and counted afterwards.
  await sql`select 1 from plan_distribution where version_id = any(${ids}::bigint[]) and project_id = ${project.id} order by id for update`;
  const open = await listOpenFeedback(ctx, ids);
  const problems = ids.flatMap((id, at): Problem[] =>
    brokenRules(deleteRules, { ...byId.get(id)!, openFeedback: open.get(id) ?? 0 }, `ids.${at}`),
  );
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  await sql`delete from plan_distribution where version_id = any(${ids}::bigint[]) and project_id = ${project.id}`;
  await sql`delete from plan_version_row where version_id = any(${ids}::bigint[]) and project_id = ${project.id}`;
  await sql`update du_release set version_id = null where project_id = ${project.id} and version_id = any(${ids}::bigint[])`;
  await sql`delete from plan_version where id = any(${ids}::bigint[]) and project_id = ${project.id}`;
  ctx.audit("plan_version", { deleted: [...found] }, null);
  return { deleted: found.length };
}

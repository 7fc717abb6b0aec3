import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { checkRules } from "#lib/core/rule.ts";
import type { PermitStatus } from "./limits.ts";
import { answerRules } from "./rules.ts";
import type { AnswerPermit, SubmitPermit } from "./schema.ts";

/** Applies for a permit for some DUs. @throws DU_NOT_FOUND for one out of the caller's reach */
export async function submitPermit(ctx: Ctx, { duIds, kind, reason }: SubmitPermit): Promise<{ id: number }> {
  const { sql, project, user, now } = ctx;
  await demandReach(ctx, duIds);
  const [made] = await sql<{ id: number }[]>`
    insert into permit_application (project_id, du_ids, kind, reason, applicant_id, created_at)
    values (${project.id}, ${duIds}, ${kind}, ${reason}, ${user.id}, ${now}) returning id`;
  ctx.audit(`permit_application ${made!.id}`, null, { duIds, kind, reason });
  return { id: made!.id };
}

/** Records what the authority answered. @throws NOT_FOUND, STALE, WRONG_STATUS, ACTUAL_AFTER_TODAY */
export async function answerPermit(ctx: Ctx, input: AnswerPermit): Promise<Record<string, never>> {
  const { sql, project, today } = ctx;
  const { id, status, answeredOn, remark } = input;
  const [before] = await sql<{ status: PermitStatus; duIds: number[]; rowVersion: number }[]>`
    select status, du_ids as "duIds", row_version as "rowVersion" from permit_application where id = ${id} and project_id = ${project.id} for update`;
  if (!before) throw new AppError("NOT_FOUND", { object: id });
  await demandReach(ctx, before.duIds);
  checkRules(answerRules, { status: before.status, answeredOn, today });
  if (before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  await sql`
    update permit_application set status = ${status}, answered_on = ${answeredOn}, remark = ${remark || null}, row_version = row_version + 1 where id = ${id}`;
  ctx.audit(`permit_application ${id}`, { status: before.status }, { status, answeredOn, remark: remark || null });
  return {};
}

async function demandReach({ sql, scope }: Ctx, duIds: readonly number[]): Promise<void> {
  const found = await sql<{ id: number }[]>`
    select du.id from du where ${scope.where("rollout.permitSubmit")} and du.id = any(${[...duIds]}::bigint[])`;
  if (found.length === duIds.length) return;
  const known = new Set(found.map(({ id }) => id));
  throw new AppError("DU_NOT_FOUND", { code: duIds.find((id) => !known.has(id)) ?? 0 });
}

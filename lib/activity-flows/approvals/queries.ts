import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { type Approver, listApprovers, listFirstApprovers } from "../approvers/queries.ts";
import { withoutPerson } from "../changes/queries.ts";
import type { FindTlApprovers, FindTransferApprovers } from "./schema.ts";

/** Whom an approval can be passed on to. */
export type TransferTarget = { account: string; name: string; role: string; delegateOf?: string };

/** Holders of PD and DPD and their delegates, without the submitter and the present approver. @throws NOT_FOUND, NOT_APPROVER */
export async function listTransferApprovers(ctx: Ctx, { changeId }: z.output<typeof FindTransferApprovers>): Promise<TransferTarget[]> {
  const [change] = await ctx.sql<{ submitterId: number; approverId: number | null; tlApproverId: number | null }[]>`
    select submitter_id as "submitterId", approver_id as "approverId", tl_approver_id as "tlApproverId" from du_change
    where id = ${changeId} and project_id = ${ctx.project.id}`;
  if (!change) throw new AppError("NOT_FOUND", { object: changeId });
  const approvers = await listApprovers(ctx);
  if (!isConcerned(ctx, approvers, change)) throw new AppError("NOT_APPROVER");
  return withoutPerson(approvers, change.submitterId, change.approverId).map(({ account, name, role, delegateOf }) => ({
    account,
    name,
    role,
    ...(delegateOf && { delegateOf: delegateOf.name }),
  }));
}

/** Whether somebody has a part in a change: he submitted it, is asked, stands for who is asked, or sees every change. */
function isConcerned(
  ctx: Ctx,
  approvers: readonly Approver[],
  { submitterId, approverId, tlApproverId }: { submitterId: number; approverId: number | null; tlApproverId: number | null },
): boolean {
  return (
    [submitterId, approverId, tlApproverId].includes(ctx.user.id) || ctx.can("duChange.approve") || standsFor(ctx, approvers, approverId)
  );
}

/** Whether the caller is the person or his delegate. */
export function standsFor({ user }: Pick<Ctx, "user">, approvers: readonly Approver[], approverId: number | null): boolean {
  return (
    approverId === user.id || approvers.some(({ id, delegateOf }) => id === user.id && delegateOf !== null && delegateOf.id === approverId)
  );
}

/** Valid holders of TL, without the caller, who is the one to submit. */
export async function listTlApprovers(
  ctx: Ctx,
  _input: z.output<typeof FindTlApprovers>,
): Promise<{ id: number; account: string; name: string }[]> {
  return (await listFirstApprovers(ctx)).filter(({ id }) => id !== ctx.user.id);
}

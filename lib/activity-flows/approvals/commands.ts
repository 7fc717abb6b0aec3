import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { lockPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { tellOfChange } from "../approvers/commands.ts";
import { type Approver, findHolders, listApprovers, listFirstApprovers } from "../approvers/queries.ts";
import { applyChange, noteEvent, type OpenChange, readOpenChanges } from "../changes/commands.ts";
import { readTargets, withoutPerson } from "../changes/queries.ts";
import { standsFor } from "./queries.ts";
import { type DecisionFacts, decisionRules, type WithdrawalFacts, withdrawalRules } from "./rules.ts";
import type { DecideDuChanges, RejectDuChanges, TransferDuChange } from "./schema.ts";

/** A change that stays as it was, and why. */
export type RefusedChange = { id: number; code: ErrorCode; msg: string };
/** Changes decided; of those carried out the DUs that got their flow and those left out. */
export type Decisions = { decided: number; done: number; refused: number; rejected: RefusedChange[] };

/**
 * Holds changes with what carrying them out needs, in the order every writer follows: flows, project, plan rows, then the changes themselves.
 * Who else decides one of them meanwhile waits, and finds it decided.
 */
async function holdChanges(ctx: Ctx, ids: readonly number[]): Promise<OpenChange[]> {
  const seen = await readOpenChanges(ctx, ids);
  const items = seen.flatMap((change) => change.items);
  await readTargets(
    ctx,
    items.flatMap(({ newFlowId }) => newFlowId ?? []),
    true,
  );
  await holdProject(ctx);
  await lockPlanRows(ctx, [...new Set(items.map(({ duId }) => duId))]);
  await ctx.sql`select 1 from du_change where id = any(${seen.map(({ id }) => id)}::bigint[]) order by id for update`;
  return readOpenChanges(ctx, ids);
}

type People = { approvers: Approver[]; first: Set<number> };

async function readPeople(ctx: Ctx): Promise<People> {
  const [approvers, first] = await Promise.all([listApprovers(ctx), listFirstApprovers(ctx)]);
  return { approvers, first: new Set(first.map(({ id }) => id)) };
}

function decisionFacts(ctx: Ctx, change: OpenChange, { approvers, first }: People): DecisionFacts {
  const { user } = ctx;
  const { status, submitterId, approverId, tlApproverId, tlApprovedAt } = change;
  const isFirst = tlApproverId !== null && tlApprovedAt === null;
  return {
    status,
    isSubmitter: submitterId === user.id,
    first: isFirst,
    isAddressed: isFirst ? tlApproverId === user.id : standsFor(ctx, approvers, approverId),
    isAble: isFirst ? first.has(user.id) : approvers.some(({ id }) => id === user.id),
  };
}

/** Splits changes by what is broken of each; refused as a whole only when none is left. */
function split(ctx: Ctx, ids: readonly number[], changes: readonly OpenChange[], judge: (change: OpenChange) => Problem[]) {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const fit: OpenChange[] = [];
  const problems: (Problem & { id: number })[] = [];
  ids.forEach((id, at) => {
    const change = byId.get(id);
    const [problem] = change ? judge(change) : [{ path: "", code: "NOT_FOUND" as const, params: { object: id } }];
    if (problem) problems.push({ ...problem, id, path: `ids.${at}` });
    else fit.push(change!);
  });
  const [first] = problems;
  if (fit.length === 0 && first)
    throw new AppError(
      first.code,
      first.params ?? {},
      problems.map(({ id: _id, ...problem }) => problem),
    );
  return { fit, rejected: problems.map(({ id, code, params }): RefusedChange => ({ id, code, msg: errorText(ctx.locale, code, params) })) };
}

/** Approves changes addressed to the caller: a TL passes them on to the approver, whose approval carries them out. @throws NOT_APPROVER, ROLE_CHANGED, WRONG_STATUS */
export async function approveDuChanges(ctx: Ctx, { ids, comment = null }: z.output<typeof DecideDuChanges>): Promise<Decisions> {
  const { sql, user, now } = ctx;
  const changes = await holdChanges(ctx, ids);
  const people = await readPeople(ctx);
  const { fit, rejected } = split(ctx, ids, changes, (change) => brokenRules(decisionRules, decisionFacts(ctx, change, people)));
  const decisions: Decisions = { decided: fit.length, done: 0, refused: 0, rejected };
  for (const change of fit) {
    const { id, approverId } = change;
    if (change.tlApproverId !== null && change.tlApprovedAt === null) {
      await sql`update du_change set tl_approved_at = ${now}, row_version = row_version + 1 where id = ${id}`;
      await noteEvent(ctx, id, { event: "tlApprove", toUserId: approverId, comment: comment || null });
      ctx.audit(`du_change ${id}`, { tlApprovedAt: null }, { tlApprovedAt: now, comment: comment || null });
      await tellOfChange(ctx, change.told, [{ userId: approverId!, notice: "asked", comment }]);
      continue;
    }
    await sql`update du_change set status = 'applying', decided_by = ${user.id}, decided_at = ${now}, comment = ${comment || null} where id = ${id}`;
    await noteEvent(ctx, id, { event: "approve", comment: comment || null });
    const { done, refused } = await applyChange(ctx, change);
    decisions.done += done;
    decisions.refused += refused.length;
  }
  return decisions;
}

/** Rejects changes addressed to the caller: their DUs are free again. @throws as `approveDuChanges` */
export async function rejectDuChanges(ctx: Ctx, { ids, comment }: z.output<typeof RejectDuChanges>): Promise<Decisions> {
  const changes = await holdChanges(ctx, ids);
  const people = await readPeople(ctx);
  const { fit, rejected } = split(ctx, ids, changes, (change) => brokenRules(decisionRules, decisionFacts(ctx, change, people)));
  await endChanges(ctx, fit, "rejected", comment);
  for (const change of fit) await tellOfChange(ctx, change.told, [{ userId: change.submitterId, notice: "rejected", comment }]);
  return { decided: fit.length, done: 0, refused: 0, rejected };
}

/** Takes changes back: one's own, or, for who may bind every DU, those whose submitter or approver has gone. @throws NOT_APPROVER, WRONG_STATUS */
export async function withdrawDuChanges(ctx: Ctx, { ids, comment = null }: z.output<typeof DecideDuChanges>): Promise<Decisions> {
  const changes = await holdChanges(ctx, ids);
  const people = await readPeople(ctx);
  const able = new Set(people.approvers.map(({ id }) => id));
  const submitters = await findHolders(
    ctx,
    "duChange.submit",
    changes.map(({ submitterId }) => submitterId),
  );
  const facts = ({ status, submitterId, approverId, tlApproverId, tlApprovedAt }: OpenChange): WithdrawalFacts => ({
    status,
    isSubmitter: submitterId === ctx.user.id,
    bindsAll: ctx.scope.all("duFlow.bind"),
    isOrphan:
      !submitters.has(submitterId) ||
      !able.has(approverId ?? 0) ||
      (tlApproverId !== null && tlApprovedAt === null && !people.first.has(tlApproverId)),
  });
  const { fit, rejected } = split(ctx, ids, changes, (change) => brokenRules(withdrawalRules, facts(change)));
  await endChanges(ctx, fit, "withdrawn", comment || null);
  for (const change of fit) {
    const asked = change.tlApproverId !== null && change.tlApprovedAt === null ? change.tlApproverId : change.approverId!;
    const told = [...new Set([asked, change.submitterId])];
    await tellOfChange(
      ctx,
      change.told,
      told.map((userId) => ({ userId, notice: "withdrawn" as const, comment })),
    );
  }
  return { decided: fit.length, done: 0, refused: 0, rejected };
}

/** Ends changes without carrying them out. */
async function endChanges(
  ctx: Ctx,
  changes: readonly OpenChange[],
  status: "rejected" | "withdrawn",
  comment: string | null,
): Promise<void> {
  const { sql, user, now } = ctx;
  const ids = changes.map(({ id }) => id);
  await sql`
    update du_change set status = ${status}, decided_by = ${user.id}, decided_at = ${now}, comment = ${comment}, row_version = row_version + 1
    where id = any(${ids}::bigint[])`;
  await sql`update du_change_item set result = 'refused' where change_id = any(${ids}::bigint[]) and result = 'pending'`;
  for (const id of ids) {
    await noteEvent(ctx, id, { event: status === "rejected" ? "reject" : "withdraw", comment });
    ctx.audit(`du_change ${id}`, { status: "approving" }, { status, comment });
  }
}

/**
 * Passes an approval on to another holder of PD or DPD, or a delegate; a TL who is asked first is asked still.
 * @throws NOT_FOUND, WRONG_STATUS, NOT_APPROVER, ROLE_CHANGED, INVALID_TARGET
 */
export async function transferDuChange(
  ctx: Ctx,
  { changeId, toAccount, comment = null }: z.output<typeof TransferDuChange>,
): Promise<{ id: number }> {
  const [change] = await holdChanges(ctx, [changeId]);
  if (!change) throw new AppError("NOT_FOUND", { object: changeId });
  const people = await readPeople(ctx);
  // The last step is his to pass on while a TL is still asked.
  checkRules(decisionRules, decisionFacts(ctx, { ...change, tlApproverId: null }, people));
  const target = withoutPerson(people.approvers, change.submitterId, change.approverId).find(({ account }) => account === toAccount);
  if (!target) throw new AppError("INVALID_TARGET", {}, [{ path: "toAccount", code: "INVALID_TARGET" }]);
  await ctx.sql`update du_change set approver_id = ${target.id}, row_version = row_version + 1 where id = ${changeId}`;
  await noteEvent(ctx, changeId, { event: "transfer", toUserId: target.id, comment: comment || null });
  ctx.audit(`du_change ${changeId}`, { approverId: change.approverId }, { approverId: target.id, comment: comment || null });
  const [step] = await ctx.sql<{ count: number }[]>`select count(*)::int as count from du_change_event where change_id = ${changeId}`;
  await tellOfChange(ctx, change.told, [{ userId: target.id, notice: "transferred", event: step!.count, comment }]);
  return { id: changeId };
}

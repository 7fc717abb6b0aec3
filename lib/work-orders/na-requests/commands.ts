import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params } from "#lib/core/error.ts";
import { holdNumbers } from "#lib/core/hold-project.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { brokenRules, type Rule } from "#lib/core/rule.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { applyStatePatches, type StatePatch, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { naValues } from "#lib/rollout-plan/plan-rows/limits.ts";
import { type PlanBlock, rowIndex, workOrderStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { type Notice, orderTexts, tellPeople } from "../notices/commands.ts";
import type { NoticeKind } from "../notices/limits.ts";
import { type OrderStep, writeOrders } from "../orders/commands.ts";
import { nextStatus, type OrderStatus, orderStatuses } from "../orders/logic.ts";
import { findPlaces, type Place } from "../queries.ts";
import { type NaKind, naChunk } from "./limits.ts";
import { addressed, listApprovers, type NodeMarks, type OpenRequest, readNodeMarks, readRequests } from "./queries.ts";
import { cancelRules, type NaFacts, requestCancelRules, requestSetRules, setRules } from "./rules.ts";
import type { ApproveNa, CancelNa, NaTask, RejectNa, SetNa } from "./schema.ts";

/** An activity no request was made for, or a request that was not decided. */
export type RejectedNa = { id: number | null; duId: number | null; activityId: number | null; code: ErrorCode; msg: string };
/** Requests made, those of them that wait for approval, and the background task of the others; null where all wait. */
export type NaAnswer = { requested: number; approving: number; taskId: string | null; rejected: RejectedNa[] };
export type DecisionAnswer = { done: number; taskId: string | null; rejected: RejectedNa[] };

/** Asks for activities to be declared not applicable or invalid. @throws NOT_APPROVER */
export function requestNa(ctx: Ctx, { kind, ...input }: z.output<typeof SetNa>): Promise<NaAnswer> {
  return makeRequests(ctx, kind, input, requestSetRules);
}

/** Asks for activities to be applicable again, which always needs approval. @throws NOT_APPROVER */
export function requestNaCancel(ctx: Ctx, input: z.output<typeof CancelNa>): Promise<NaAnswer> {
  return makeRequests(ctx, "cancel", input, requestCancelRules);
}

/** What a request for NA or INV would come to; nothing is asked for yet. */
export async function checkNa(
  ctx: Ctx,
  input: { duIds: number[]; activityIds: number[] },
): Promise<{ fit: { duId: number; activityId: number }[]; rejected: RejectedNa[] }> {
  const { made, rejected } = await judgeRequests(ctx, "NA", input, requestSetRules, { lock: false });
  return { fit: made.map(({ duId, activityId }) => ({ duId, activityId })), rejected };
}

/** Sorts the activities a request is about into those it can be made for and those refused. */
async function judgeRequests(
  ctx: Ctx,
  kind: NaKind,
  input: { duIds: number[]; activityIds: number[] },
  rules: readonly Rule<NaFacts>[],
  { lock }: { lock: boolean },
) {
  const mayCancel = ctx.scope.all("activity.naCancel");
  // Who may take NA back on marked nodes only has no rows of his own: the rule looks at the node.
  const right = kind !== "cancel" ? "activity.naSet" : mayCancel ? "activity.naCancel" : "rollout.view";
  const places = await findPlaces(ctx, input, right);
  const block = await readPlanRows(ctx, [...new Set(places.flatMap(({ duId, slot }) => (duId && slot !== null ? [duId] : [])))], {
    lock,
  });
  const rows = rowIndex(block);
  const marks = await readNodeMarks(ctx, [...block.flowIds]);
  const approvers = await listApprovers(ctx);
  const rejected: RejectedNa[] = [];
  const made: { duId: number; slot: number; activityId: number; approving: boolean }[] = [];
  for (const place of places) {
    const { duId, slot, activityId } = place;
    const row = duId === null || slot === null ? undefined : rows.get(duId);
    if (duId === null || slot === null || activityId === null || row === undefined) {
      rejected.push(refuse(ctx, place, "DU_NOT_FOUND", { code: duId ?? "" }));
      continue;
    }
    const mark = marks.get(`${block.flowIds[row]} ${slot}`);
    const [problem] = brokenRules(rules, { ...factsAt(block, row, slot, mark), mayCancel });
    const approving = kind === "cancel" || (mark?.needsApproval ?? false);
    if (problem) rejected.push(refuse(ctx, place, problem.code, problem.params));
    else if (approving && approvers.length === 0) rejected.push(refuse(ctx, place, "APPROVER_REQUIRED"));
    else made.push({ duId, slot, activityId, approving });
  }
  return { block, approvers, made, rejected };
}

async function makeRequests(ctx: Ctx, kind: NaKind, input: z.output<typeof CancelNa>, rules: readonly Rule<NaFacts>[]): Promise<NaAnswer> {
  const { reason, approverId } = input;
  const { block, approvers, made, rejected } = await judgeRequests(ctx, kind, input, rules, { lock: true });
  if (approverId !== undefined && !approvers.some(({ id }) => id === approverId)) throw new AppError("NOT_APPROVER");
  const waiting = made.filter(({ approving }) => approving);
  if (made.length === 0) {
    ctx.audit("na requests", null, { kind, requested: 0, rejected: rejected.length });
    return { requested: 0, approving: 0, taskId: null, rejected };
  }
  const ids = await insertRequests(ctx, kind, reason, approverId ?? null, made);
  await markRequests(
    ctx,
    block,
    made.map(({ duId, slot }) => ({ duId, slot, set: { naRequest: 1 } })),
    reason,
  );
  const open = ids.filter(({ status }) => status === "processing").map(({ id }) => id);
  const taskId = open.length > 0 ? await enqueue(ctx, open) : null;
  const asked = approverId === undefined ? approvers.map(({ id }) => id) : [approverId];
  await tell(
    ctx,
    waiting.flatMap(({ duId, slot }) => asked.map((userId) => ({ userId, kind: "naAsked" as const, duId, slot }))),
    `na asked ${ids[0]?.id}`,
    reason,
  );
  ctx.audit("na requests", null, { kind, reason, requested: made.length, approving: waiting.length, rejected: rejected.length });
  return { requested: made.length, approving: waiting.length, taskId, rejected };
}

function factsAt(block: PlanBlock, row: number, slot: number, mark: NodeMarks | undefined): NaFacts {
  const known = slot > 0 && slot < block.width;
  const at = row * block.width + slot;
  return {
    state: known ? (block.state[at] as number) : 0,
    actualEnd: known ? (block.actualEnd[at] as number) : 0,
    mos: block.kinds.mos.has(slot),
    mayCancel: true,
    marked: mark?.docPdMayCancel ?? false,
  };
}

function refuse(ctx: Ctx, { id, duId, activityId }: Omit<Place, "slot">, code: ErrorCode, params: Params = {}): RejectedNa {
  return { id, duId, activityId, code, msg: errorText(ctx.locale, code, params) };
}

/** One insert for the batch; requests are numbered in the project, those that wait for approval under a number of the electronic flow. */
async function insertRequests(
  ctx: Ctx,
  kind: NaKind,
  reason: string,
  approverId: number | null,
  made: readonly { duId: number; slot: number; approving: boolean }[],
): Promise<{ id: number; status: string }[]> {
  const { sql, project, user, now } = ctx;
  await holdNumbers(ctx, "na_request");
  return [
    ...(await sql<{ id: number; status: string }[]>`
      insert into na_request (project_id, number, du_id, slot, kind, reason, applicant_id, approver_id, flow_no, status, created_at)
      select ${project.id}, n.number, n."duId", n.slot, ${kind}, ${reason}, ${user.id}, case when n.approving then ${approverId}::bigint end,
        case when n.approving then 'EF-' || lpad(n.number::text, 6, '0') end, case when n.approving then 'approving' else 'processing' end, ${now}
      from (
        select g.*, (select coalesce(max(number), 0) from na_request where project_id = ${project.id}) + row_number() over (order by g."duId", g.slot) as number
        from jsonb_to_recordset(${sql.json(made as never)}) as g("duId" bigint, slot smallint, approving boolean)
      ) n order by n.number returning id, status`),
  ];
}

async function markRequests(ctx: Ctx, block: PlanBlock, patches: readonly StatePatch[], reason: string | null): Promise<number | null> {
  applyStatePatches(block, patches, "work-orders");
  const { batchId } = await writePlanRows(ctx, block, { source: "work_order", event: "na", reason, origin: { kind: "na" } });
  return batchId;
}

const enqueue = (ctx: Ctx, ids: readonly number[]): Promise<string> =>
  enqueueTask(ctx, {
    kind: "workOrders.na",
    direction: "process",
    title: orderTexts(ctx.locale)("na.task", { count: ids.length }),
    params: { ids: [...ids] } satisfies NaTask,
    total: ids.length,
  });

const tell = (ctx: Ctx, notices: readonly Notice[], event: string, reason?: string | null) =>
  tellPeople(ctx, notices, { event, actorId: ctx.user.id, reason });

const toApplicants = (requests: readonly OpenRequest[], kind: NoticeKind): Notice[] =>
  requests.map(({ applicantId, duId, slot }) => ({ userId: applicantId, kind, duId, slot }));

/** Takes requests addressed to the caller out of those named; what is not his to decide, or decided already, is refused. */
async function decide(
  ctx: Ctx,
  ids: readonly number[],
  status: "processing" | "rejected",
  comment: string | null,
): Promise<{ decided: OpenRequest[]; rejected: RejectedNa[] }> {
  const { sql, project, user, now } = ctx;
  // The plan rows first, as every writer does; a request decided meanwhile is not taken.
  const asked = await readRequests(ctx, ids, "approving");
  await readPlanRows(ctx, [...new Set(asked.map(({ duId }) => duId))], { lock: true, fields: ["state"] });
  const taken = await sql<{ id: number }[]>`
    update na_request r set status = ${status}, decided_by = ${user.id}, decided_at = ${now}, comment = ${comment},
      done_at = case when ${status} = 'rejected' then ${now}::timestamptz end
    where r.project_id = ${project.id} and r.id = any(${[...ids]}::bigint[]) and r.status = 'approving' and ${addressed(ctx)}
      and exists (select 1 from du where du.id = r.du_id and ${ctx.scope.named}) returning r.id`;
  const done = new Set(taken.map(({ id }) => id));
  const open = new Map(asked.map((request) => [request.id, request]));
  const rejected = ids
    .filter((id) => !done.has(id))
    .map((id) => refuse(ctx, { id, duId: null, activityId: null }, open.has(id) ? "NOT_APPROVER" : "NOT_FOUND", { object: id }));
  return { decided: asked.filter(({ id }) => done.has(id)), rejected };
}

/** Approves requests; the background carries them out. */
export async function approveNa(ctx: Ctx, { ids, comment }: z.output<typeof ApproveNa>): Promise<DecisionAnswer> {
  const { decided, rejected } = await decide(ctx, ids, "processing", comment || null);
  const taskId =
    decided.length > 0
      ? await enqueue(
          ctx,
          decided.map(({ id }) => id),
        )
      : null;
  ctx.audit("na requests", { status: "approving" }, { status: "processing", ids: decided.map(({ id }) => id), comment: comment || null });
  return { done: decided.length, taskId, rejected };
}

/** Rejects requests with a comment; who made them is told. */
export async function rejectNa(ctx: Ctx, { ids, comment }: z.output<typeof RejectNa>): Promise<DecisionAnswer> {
  const { decided, rejected } = await decide(ctx, ids, "rejected", comment);
  const block = await readPlanRows(ctx, [...new Set(decided.map(({ duId }) => duId))], { lock: true });
  await markRequests(
    ctx,
    block,
    decided.map(({ duId, slot }) => ({ duId, slot, clear: ["naRequest"] })),
    comment,
  );
  await tell(ctx, toApplicants(decided, "naRejected"), `na rejected ${decided[0]?.id}`, comment);
  ctx.audit("na requests", { status: "approving" }, { status: "rejected", ids: decided.map(({ id }) => id), comment });
  return { done: decided.length, taskId: null, rejected };
}

/** Carries requests out, some in each transaction; what is carried out already is left alone, so the task may run twice. */
export async function runNaRequests(job: JobCtx, { ids }: NaTask): Promise<Outcome> {
  for (let at = 0; at < ids.length; at += naChunk) {
    const part = ids.slice(at, at + naChunk);
    await job.chunk(async (ctx, tally) => {
      const { done, failed } = await carryOut(ctx, part);
      tally.done += done;
      tally.failed += failed;
    });
    job.progress(Math.min(ids.length, at + naChunk), ids.length);
  }
  return { total: ids.length };
}

/** Ends the requests a cancelled task has not carried out: their activities are free for another one, and who made them is told. */
export async function dropNaRequests(ctx: Ctx, { ids }: NaTask): Promise<void> {
  const named = await readRequests(ctx, ids, "processing");
  const block = await readPlanRows(ctx, [...new Set(named.map(({ duId }) => duId))], { lock: true });
  const requests = await readRequests(ctx, ids, "processing");
  const rows = rowIndex(block);
  await markRequests(
    ctx,
    block,
    requests.flatMap(({ duId, slot }): StatePatch[] => (rows.has(duId) ? [{ duId, slot, clear: ["naRequest"] }] : [])),
    null,
  );
  await finish(
    ctx,
    requests.map((request) => ({ request, code: "TASK_CANCELLED" })),
  );
  await tell(ctx, toApplicants(requests, "naFailed"), `na dropped ${requests[0]?.id}`);
  ctx.audit("na requests", { status: "processing" }, { status: "failed", code: "TASK_CANCELLED", ids: requests.map(({ id }) => id) });
}

type Outcomes = { request: OpenRequest; code: ErrorCode | null };

async function carryOut(ctx: Ctx, ids: readonly number[]): Promise<{ done: number; failed: number }> {
  const named = await readRequests(ctx, ids, "processing");
  const block = await readPlanRows(ctx, [...new Set(named.map(({ duId }) => duId))], { lock: true });
  // Read again under the lock: the flow of a DU may have ended its requests.
  const requests = await readRequests(ctx, ids, "processing");
  const rows = rowIndex(block);
  const results = requests.map((request): Outcomes => {
    const row = rows.get(request.duId);
    if (row === undefined) return { request, code: "DU_NOT_FOUND" };
    const rules = request.kind === "cancel" ? cancelRules : setRules;
    return { request, code: brokenRules(rules, factsAt(block, row, request.slot, undefined))[0]?.code ?? null };
  });
  const steps: OrderStep[] = [];
  const patches = results.map(({ request, code }): StatePatch => {
    const { duId, slot, kind, reason } = request;
    const at = (rows.get(duId) ?? 0) * block.width + slot;
    if (code !== null) return { duId, slot, clear: ["naRequest"] };
    const from = workOrderStatus(block.state[at] as number);
    const to = orderAfterNa(from, kind, (block.planStart[at] as number) > 0 && (block.planEnd[at] as number) > 0);
    if (to !== from) steps.push({ duId, slot, event: kind === "cancel" ? "reactivate" : "discard", from, to, reason });
    const na = kind === "cancel" ? 0 : naValues.indexOf(kind);
    return { duId, slot, set: { na, workOrder: orderStatuses.indexOf(to) }, clear: ["naRequest"] };
  });
  const [first] = requests;
  const reasons = new Set(requests.map(({ reason }) => reason));
  const batchId = await markRequests(ctx, block, patches, reasons.size === 1 ? first!.reason : null);
  await writeOrders(ctx, steps, { batchId });
  const failed = results.filter(({ code }) => code !== null);
  await finish(ctx, results);
  await tell(
    ctx,
    [
      ...toApplicants(
        results.filter(({ code }) => code === null).map(({ request }) => request),
        "naDone",
      ),
      ...toApplicants(
        failed.map(({ request }) => request),
        "naFailed",
      ),
    ],
    `na carried out ${first?.id}`,
  );
  ctx.audit(
    "na requests",
    { status: "processing" },
    { done: results.length - failed.length, failed: failed.map(({ request, code }) => ({ id: request.id, code })), batchId },
  );
  return { done: results.length - failed.length, failed: failed.length };
}

/** Status of an order once its activity is NA or INV, or applicable again. */
function orderAfterNa(from: OrderStatus, kind: NaKind, planned: boolean): OrderStatus {
  if (kind !== "cancel") return nextStatus("discard", from) ?? from;
  const back = nextStatus("reactivate", from);
  if (back === null) return from;
  return planned ? back : "none";
}

async function finish({ sql, now }: Ctx, results: readonly Outcomes[]): Promise<void> {
  const rows = results.map(({ request, code }) => ({ id: request.id, code }));
  await sql`
    update na_request r set status = case when g.code is null then 'done' else 'failed' end, code = g.code, done_at = ${now}
    from jsonb_to_recordset(${sql.json(rows)}) as g(id bigint, code text) where r.id = g.id`;
}

import "server-only";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { diffBlock, rowIndex, setCell } from "#lib/rollout-plan/plan-rows/logic.ts";
import { readPlanRows, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import { mailRefusals } from "../distribution-mails/commands.ts";
import { type Distribution, getDistribution } from "../distributions/queries.ts";
import { rememberedKey } from "./logic.ts";
import { type Answer, findMeanings, lockAnswers, readToldPlaces } from "./queries.ts";
import { mappingRules, openAnswerRules, submitRules } from "./rules.ts";
import type { AnswerRow, DecideFeedback, MapFeedback, SubmitFeedback } from "./schema.ts";

/** What was taken of an answer. */
export type SubmittedFeedback = { saved: number; mapped: number; notMapped: number; late: boolean };

/**
 * Takes the answer of a recipient, or of who sent the plan on his behalf; what its words mean is found out as far as possible.
 * @throws NOT_FOUND for a distribution that was not sent to the caller, DISTRIBUTION_CLOSED
 */
export async function submitFeedback(ctx: Ctx, { distributionId, rows }: SubmitFeedback): Promise<SubmittedFeedback> {
  const distribution = await getDistribution(ctx, distributionId, { lock: true });
  checkRules(submitRules, distribution);
  const saved = await insertAnswers(ctx, distribution, rows);
  ctx.audit(`plan_distribution ${distribution.id}`, { status: distribution.status }, { status: "answered", ...saved }, "answered");
  return saved;
}

/** Adds answers to a distribution whose row the caller holds. */
export async function insertAnswers(ctx: Ctx, distribution: Distribution, rows: readonly AnswerRow[]): Promise<SubmittedFeedback> {
  const { sql, project, user, now, today } = ctx;
  const meanings = await findMeanings(ctx, distribution, rows);
  const late = distribution.dueDate !== null && today > distribution.dueDate;
  const given = rows.map((row, at) => {
    const { duId, slot } = meanings[at]!;
    return {
      du: row.du,
      activity: row.activity,
      start: row.proposedStart ?? null,
      end: row.proposedEnd ?? null,
      remark: row.remark || null,
      duId,
      slot,
      mapping: duId !== null && slot !== null ? "mapped" : "not_mapped",
    };
  });
  await sql`
    insert into plan_feedback (project_id, distribution_id, raw_du, raw_activity, proposed_start, proposed_end, remark, du_id, slot, mapping, late, submitted_by, submitted_at)
    select ${project.id}, ${distribution.id}, n.du, n.activity, n.start, n."end", n.remark, n."duId", n.slot, n.mapping, ${late}, ${user.id}, ${now}
    from jsonb_to_recordset(${sql.json(given)})
      as n(du text, activity text, start date, "end" date, remark text, "duId" bigint, slot smallint, mapping text)`;
  await sql`update plan_distribution set status = 'answered' where id = ${distribution.id}`;
  const mapped = given.filter(({ mapping }) => mapping === "mapped").length;
  return { saved: given.length, mapped, notMapped: given.length - mapped, late };
}

/** An answer that was left as it is, and why. */
export type RefusedAnswer = { id: number; code: ErrorCode; msg: string };
export type MappedFeedback = { changed: number; mapped: number; rejected: RefusedAnswer[] };

/**
 * Says which DU and activity answers speak of, and remembers their words where asked. An answer whose DU or activity its version does not tell of is left.
 * @throws NOT_FOUND
 */
export async function mapFeedback(ctx: Ctx, { ids, duId, activityId, remember }: MapFeedback): Promise<MappedFeedback> {
  const { sql, project } = ctx;
  const answers = await lockAnswers(ctx, ids);
  const slot = activityId === undefined ? undefined : await getSlot(ctx, activityId);
  const places = await readToldPlaces(
    ctx,
    answers,
    answers.flatMap((answer) => duId ?? answer.duId ?? []),
  );
  const rejected: RefusedAnswer[] = [];
  const wanted = answers.flatMap((answer) => {
    const next = { id: answer.id, duId: duId ?? answer.duId, slot: slot ?? answer.slot };
    const told = next.duId === null || places(answer.distributionId, next.duId, next.slot);
    const problem = brokenRules(openAnswerRules, answer)[0] ?? brokenRules(mappingRules, { told })[0];
    if (!problem) return { ...next, answer };
    rejected.push(refusedAnswer(ctx, answer.id, problem));
    return [];
  });
  await sql`
    update plan_feedback f set du_id = n."duId", slot = n.slot,
      mapping = case when n."duId" is not null and n.slot is not null then 'mapped' else 'not_mapped' end
    from jsonb_to_recordset(${sql.json(wanted.map(({ answer: _answer, ...row }) => row))}) as n(id bigint, "duId" bigint, slot smallint)
    where f.id = n.id and f.project_id = ${project.id}`;
  if (remember) await rememberWords(ctx, wanted, { duId, activityId });
  ctx.audit("plan_feedback", null, { mapped: wanted.map(({ id }) => id), duId, activityId, remember, rejected: rejected.length });
  return { changed: wanted.length, mapped: wanted.filter((row) => row.duId !== null && row.slot !== null).length, rejected };
}

async function getSlot({ sql, project }: Ctx, activityId: number): Promise<number> {
  const [row] = await sql<{ slot: number }[]>`select slot from activity_library where id = ${activityId} and project_id = ${project.id}`;
  if (!row) throw new AppError("NOT_IN_VERSION", {}, [{ path: "activityId", code: "NOT_IN_VERSION" }]);
  return row.slot;
}

async function rememberWords(
  { sql, project }: Ctx,
  rows: readonly { answer: Answer }[],
  { duId, activityId }: Pick<MapFeedback, "duId" | "activityId">,
): Promise<void> {
  const words = (kind: "du" | "activity", textOf: (answer: Answer) => string) =>
    [...new Set(rows.map(({ answer }) => rememberedKey(textOf(answer))))].map((text) => ({
      kind,
      text,
      duId: kind === "du" ? duId : null,
      activityId: kind === "activity" ? activityId : null,
    }));
  const kept = [
    ...(duId === undefined ? [] : words("du", ({ rawDu }) => rawDu)),
    ...(activityId === undefined ? [] : words("activity", ({ rawActivity }) => rawActivity)),
  ];
  await sql`
    insert into feedback_mapping (project_id, kind, raw_text, du_id, activity_id)
    select ${project.id}, n.kind, n.text, n."duId", n."activityId"
    from jsonb_to_recordset(${sql.json(kept as never)}) as n(kind text, text text, "duId" bigint, "activityId" bigint)
    on conflict (project_id, kind, raw_text) do update set du_id = excluded.du_id, activity_id = excluded.activity_id`;
}

const refusedAnswer = ({ locale }: Pick<Ctx, "locale">, id: number, { code, params }: Pick<Problem, "code" | "params">): RefusedAnswer => ({
  id,
  code,
  msg: errorText(locale, code, params ?? {}),
});

/** Answers decided, cells of the plan changed, what stayed open and why, and the batch that takes the change back. */
export type DecidedFeedback = { changed: number; cells: number; rejected: RefusedAnswer[]; batchId: number | null };

/**
 * Takes the dates of answers over into the plan, with all its rules and the comment as reason, or refuses the answers and tells who gave them.
 * What is taken over can be undone like every change of the plan; the answer is open again then.
 * @throws NOT_FOUND
 */
export function decideFeedback(ctx: Ctx, input: DecideFeedback): Promise<DecidedFeedback> {
  return input.decision === "refused" ? refuseFeedback(ctx, input) : acceptFeedback(ctx, input);
}

async function refuseFeedback(ctx: Ctx, { ids, comment }: DecideFeedback): Promise<DecidedFeedback> {
  const { open, rejected } = splitOpen(ctx, await lockAnswers(ctx, ids));
  const done = open.map(({ id }) => id);
  await setDecision(ctx, done, { decision: "refused", comment, batchId: null });
  await mailRefusals(ctx, done, comment);
  ctx.audit("plan_feedback", null, { refused: done, comment, rejected: rejected.length });
  return { changed: done.length, cells: 0, rejected, batchId: null };
}

async function acceptFeedback(ctx: Ctx, { ids, comment }: DecideFeedback): Promise<DecidedFeedback> {
  const { open, rejected } = splitOpen(ctx, await lockAnswers(ctx, ids));
  const chosen = new Map<string, Answer>();
  for (const answer of open) {
    const { id, duId, slot } = answer;
    if (duId === null || slot === null) rejected.push(refusedAnswer(ctx, id, { code: "NOT_MAPPED" }));
    else if (chosen.has(`${duId} ${slot}`))
      rejected.push(refusedAnswer(ctx, id, { code: "VALUE_REPEATED", params: { field: answer.rawActivity } }));
    else chosen.set(`${duId} ${slot}`, answer);
  }
  const answers = [...chosen.values()];
  const block = await readPlanRows(ctx, [...new Set(answers.map(({ duId }) => duId as number))], {
    lock: true,
    within: ctx.scope.where("rollout.view"),
    fields: writableFields,
  });
  const rows = rowIndex(block);
  for (const { duId, slot, proposedStart, proposedEnd } of answers) {
    const row = rows.get(duId as number);
    if (row === undefined) continue;
    if (proposedStart) setCell(block, row, slot as number, "planStart", dayNumber(proposedStart));
    if (proposedEnd) setCell(block, row, slot as number, "planEnd", dayNumber(proposedEnd));
  }
  const cells = new Map(diffBlock(block).map((diff) => [block.duIds[diff.row] as number, diff.cells.length]));
  const written = await writePlanRows(ctx, block, {
    source: "feedback",
    reason: comment,
    origin: { kind: "feedback", ids: answers.map(({ id }) => id) },
  });
  // A DU is written whole or not at all: its first refusal keeps all its answers open.
  const refusals = new Map(written.rejected.toReversed().map((refusal) => [refusal.duId, refusal]));
  const accepted: number[] = [];
  for (const { id, duId } of answers) {
    const refusal = refusals.get(duId as number);
    if (!rows.has(duId as number)) rejected.push(refusedAnswer(ctx, id, { code: "DU_NOT_FOUND", params: { code: duId as number } }));
    else if (refusal) rejected.push(refusedAnswer(ctx, id, refusal));
    else accepted.push(id);
  }
  await setDecision(ctx, accepted, { decision: "accepted", comment, batchId: written.batchId });
  ctx.audit("plan_feedback", null, { accepted, comment, rejected: rejected.length, batchId: written.batchId });
  return {
    changed: accepted.length,
    cells: written.written.reduce((sum, duId) => sum + (cells.get(duId) ?? 0), 0),
    rejected,
    batchId: written.batchId,
  };
}

function splitOpen(ctx: Ctx, answers: readonly Answer[]): { open: Answer[]; rejected: RefusedAnswer[] } {
  const rejected: RefusedAnswer[] = [];
  const open = answers.filter((answer) => {
    const problem = brokenRules(openAnswerRules, answer)[0];
    if (problem) rejected.push(refusedAnswer(ctx, answer.id, problem));
    return !problem;
  });
  return { open, rejected };
}

async function setDecision(
  { sql, project, user, now }: Ctx,
  ids: readonly number[],
  { decision, comment, batchId }: { decision: "accepted" | "refused"; comment: string; batchId: number | null },
): Promise<void> {
  await sql`
    update plan_feedback set decision = ${decision}, comment = ${comment}, decided_by = ${user.id}, decided_at = ${now}, batch_id = ${batchId}
    where project_id = ${project.id} and id = any(${[...ids]}::bigint[])`;
}

import "server-only";
import { createTranslator } from "use-intl/core";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { recordFile, storeBytes } from "#lib/core/storage.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { workbookMime } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { rowMark } from "#lib/imports/kind/logic.ts";
import { mailDistributions } from "../distribution-mails/commands.ts";
import { getVersion } from "../snapshots/queries.ts";
import type { DistributionStatus } from "./limits.ts";
import { getDistribution, readRecipientParts, readTold } from "./queries.ts";
import { openRules, sendRules } from "./rules.ts";
import type { DistributeParams, DistributionId, DistributionIds, SendDistribution } from "./schema.ts";

/** Version of the form of the workbook an address outside gets. */
const answerSheetVersion = 1;
const slice = 500;

/** What was sent; `taskId` writes to the addresses outside. */
export type SentDistributions = { ids: number[]; taskId: string | null };

/**
 * Sends a published version: each recipient is told of the DUs of the filter that he may see, by a mail with the address of his list; who has no account
 * gets the rows as a workbook. All are sent or none.
 * @throws NO_RECIPIENT for somebody who is none or sees none of the DUs, WRONG_STATUS, END_PAST, NOT_FOUND
 */
export async function sendDistributions(ctx: Ctx, input: SendDistribution): Promise<SentDistributions> {
  const { sql, project, user, now, locale } = ctx;
  const version = await getVersion(ctx, input.versionId);
  checkRules(sendRules, { kind: version.kind, dueDate: input.dueDate ?? null, today: ctx.today });
  const parts = await readRecipientParts(ctx, input);
  const problems = parts.flatMap(({ problem }, at): Problem[] => (problem ? [{ path: `recipients.${at}`, ...problem }] : []));
  if (problems.length > 0) throw new AppError("NO_RECIPIENT", {}, problems);
  const rows = parts.map(({ userId, subcontractorId, email, duIds, activities }) => ({
    userId,
    subcontractorId,
    email,
    duIds,
    activities,
  }));
  const made = await sql<{ id: number; email: string | null }[]>`
    insert into plan_distribution (project_id, version_id, recipient_user_id, subcontractor_id, email, filters, du_ids, activity_count, message, due_date, lang, sent_by, sent_at)
    select ${project.id}, ${version.id}, n."userId", n."subcontractorId", n.email, ${sql.json(input.filters as never)}, n."duIds", n.activities, ${input.message || null},
      ${input.dueDate ?? null}, ${locale}, ${user.id}, ${now}
    from jsonb_to_recordset(${sql.json(rows)}) as n("userId" bigint, "subcontractorId" bigint, email text, "duIds" bigint[], activities int)
    returning id, email`;
  const ids = made.map(({ id }) => id);
  const outside = made.filter(({ email }) => email !== null).map(({ id }) => id);
  await mailDistributions(
    ctx,
    ids.filter((id) => !outside.includes(id)),
    { kind: "sent" },
  );
  const taskId =
    outside.length === 0
      ? null
      : await enqueueTask(ctx, {
          kind: "planVersions.distribute",
          direction: "process",
          title: `${version.code} ${version.name}`,
          params: { ids: outside },
          total: outside.length,
        });
  ctx.audit(`plan_version ${version.id}`, null, { distributions: ids, recipients: parts.map(({ name }) => name) }, "distributed");
  return { ids, taskId };
}

/** Writes the workbooks of recipients without account and mails them. What is sent already is left alone, so that it may run twice. */
export async function runDistribution(job: JobCtx, { ids }: DistributeParams): Promise<Outcome> {
  const rows = await job.sql<{ id: number; versionId: number; versionCode: string; duIds: number[]; email: string }[]>`
    select d.id, d.version_id as "versionId", v.code as "versionCode", d.du_ids as "duIds", d.email from plan_distribution d join plan_version v on v.id = d.version_id
    where d.project_id = ${job.project.id} and d.id = any(${ids}::bigint[]) and d.file_id is null and d.email is not null order by d.id`;
  let at = 0;
  for (const row of rows) {
    const stored = await storeBytes(answerSheet(job, row), workbookMime);
    await job.chunk(async (ctx, tally) => {
      const fileId = await recordFile(ctx, { ...stored, name: `${job.project.number} ${row.versionCode}.xlsx`, mime: workbookMime });
      await ctx.sql`update plan_distribution set file_id = ${fileId} where id = ${row.id}`;
      await mailDistributions(ctx, [row.id], { kind: "sent" });
      ctx.audit(`plan_distribution ${row.id}`, null, { mailed: row.email });
      tally.done++;
    });
    job.progress(++at, rows.length);
  }
  return { total: ids.length };
}

/** The workbook a recipient without account answers in: what he is told, with empty columns for what he proposes. */
function answerSheet(ctx: Ctx, distribution: { id: number; versionId: number; versionCode: string; duIds: number[] }) {
  const t = createTranslator({ locale: ctx.locale, messages: loadMessages(ctx.locale), onError: () => {} }) as unknown as (
    key: string,
  ) => string;
  async function* rows(): AsyncGenerator<Cell[]> {
    for (let offset = 0; offset < distribution.duIds.length; offset += slice) {
      const { dus } = await readTold(ctx, distribution, { limit: slice, offset });
      for (const { duCode, duName, activities } of dus)
        for (const { name, planStart, planEnd } of activities)
          yield [duCode, duName, name, planStart && { d: planStart }, planEnd && { d: planEnd }, null, null, null, String(distribution.id)];
    }
  }
  const column = (key: string, kind: "text" | "day") => ({ key, title: t(`plan-versions.feedback.columns.${key}`), kind });
  return writeWorkbook({
    name: distribution.versionCode,
    columns: [
      column("du", "text"),
      column("duName", "text"),
      column("activity", "text"),
      column("planStart", "day"),
      column("planEnd", "day"),
      column("proposedStart", "day"),
      column("proposedEnd", "day"),
      column("remark", "text"),
      { key: rowMark, title: "", kind: "text", hidden: true },
    ],
    rows: rows(),
    lockedColumns: 3,
    meta: { project: ctx.project.number, kind: "planFeedback", version: answerSheetVersion },
  });
}

/** The recipient has looked at his list. @throws NOT_FOUND */
export async function openDistribution(ctx: Ctx, { id }: z.output<typeof DistributionId>): Promise<{ status: DistributionStatus }> {
  const found = await getDistribution(ctx, id, { lock: true });
  const opens = found.mine && found.status === "sent";
  if (opens) await ctx.sql`update plan_distribution set status = 'opened' where id = ${id}`;
  ctx.audit(`plan_distribution ${id}`, { status: found.status }, { status: opens ? "opened" : found.status }, "opened");
  return { status: opens ? "opened" : found.status };
}

type Locked = { id: number; status: DistributionStatus };

/** Ends distributions: no more answers; what was answered can still be decided. All of them or none. @throws DISTRIBUTION_CLOSED, NOT_FOUND */
export async function closeDistributions(ctx: Ctx, { ids }: z.output<typeof DistributionIds>): Promise<{ closed: number }> {
  const before = await lockOpen(ctx, ids);
  await ctx.sql`update plan_distribution set status = 'closed' where project_id = ${ctx.project.id} and id = any(${ids}::bigint[])`;
  ctx.audit("plan_distribution", Object.fromEntries(before.map(({ id, status }) => [id, status])), { closed: ids });
  return { closed: ids.length };
}

/** Writes once more to recipients that have not answered. @throws DISTRIBUTION_CLOSED, NOT_FOUND */
export async function remindRecipients(ctx: Ctx, { ids }: z.output<typeof DistributionIds>): Promise<{ reminded: number; mails: number }> {
  const waiting = (await lockOpen(ctx, ids)).filter(({ status }) => status !== "answered").map(({ id }) => id);
  await ctx.sql`update plan_distribution set reminded_at = ${ctx.now} where project_id = ${ctx.project.id} and id = any(${waiting}::bigint[])`;
  const mails = await mailDistributions(ctx, waiting, { kind: "reminder" });
  ctx.audit("plan_distribution", null, { reminded: waiting });
  return { reminded: waiting.length, mails };
}

async function lockOpen({ sql, project }: Ctx, ids: readonly number[]): Promise<Locked[]> {
  const rows = await sql<Locked[]>`
    select id, status from plan_distribution where project_id = ${project.id} and id = any(${[...ids]}::bigint[]) order by id for update`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const unknown = ids.find((id) => !byId.has(id));
  if (unknown !== undefined) throw new AppError("NOT_FOUND", { object: unknown });
  const problems = ids.flatMap((id, at): Problem[] => brokenRules(openRules, byId.get(id)!, `ids.${at}`));
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  return [...rows];
}

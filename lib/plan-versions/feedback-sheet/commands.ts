import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import {
  type CheckedRow,
  type FieldProblem,
  type ImportKind,
  type ImportRow,
  type ImportRun,
  rowMark,
  type WriteFrame,
} from "#lib/imports/kind/logic.ts";
import { insertAnswers } from "../feedback/commands.ts";
import { answerRowsMax } from "../feedback/limits.ts";
import { listOpenDistributions } from "../feedback/queries.ts";
import { submitRules } from "../feedback/rules.ts";
import { AnswerRow, FeedbackImportOptions } from "../feedback/schema.ts";
import { type AnsweredDistribution, answerFields, readDistributions } from "./queries.ts";

/** A row as it would be kept; null where it says nothing. */
type Work = { row: ImportRow; distributionId: number | null; answer: AnswerRow | null; problems: FieldProblem[] };

/** The import of answers of recipients without account: rows without a proposal are what he left as it is. */
export const feedbackImport: ImportKind = {
  options: FeedbackImportOptions,
  fields: async (ctx) => answerFields(ctx),
  choices: async (ctx) => [{ key: "distributionId", type: "choice", choices: await listOpenDistributions(ctx) }],
  fallbacks: [],
  labels: ["du", "activity"],
  hidden: rowMark,
  open: (options: FeedbackImportOptions): ImportRun => {
    const seen = { answers: 0 };
    return {
      check: async (ctx, rows) => (await checkRows(ctx, rows, options, seen)).map(checkedRow),
      write: (ctx, rows, frame) => writeRows(ctx, rows, options, frame),
    };
  },
};

async function checkRows(ctx: Ctx, rows: readonly ImportRow[], options: FeedbackImportOptions, seen: { answers: number }): Promise<Work[]> {
  const works = rows.map((row) => readAnswer(row, options));
  const known = await readDistributions(
    ctx,
    works.flatMap(({ distributionId }) => distributionId ?? []),
  );
  for (const work of works) {
    if (work.answer === null) continue;
    if (++seen.answers > answerRowsMax) work.problems.push({ path: "", code: "TOO_MANY", params: { max: answerRowsMax } });
    const distribution = known.get(work.distributionId ?? 0);
    if (!distribution) work.problems.push({ path: "", code: "NO_RECIPIENT" });
    else work.problems.push(...brokenRules(submitRules, distribution));
  }
  return works;
}

function readAnswer(row: ImportRow, options: FeedbackImportOptions): Work {
  const { du, activity, proposedStart, proposedEnd, remark, [rowMark]: mark } = row.values;
  const distributionId = /^\d{1,15}$/.test(String(mark ?? "").trim()) ? Number(mark) : options.distributionId;
  const work: Work = { row, distributionId, answer: null, problems: [...row.problems] };
  if (!proposedStart && !proposedEnd && !remark && work.problems.length === 0) return work;
  const parsed = AnswerRow.safeParse({ du: du ?? "", activity: activity ?? "", proposedStart, proposedEnd, remark });
  if (parsed.success) return { ...work, answer: parsed.data };
  // What the cell itself is refused for is not said twice.
  const told = new Set(work.problems.map(({ path }) => path));
  work.problems.push(
    ...zodProblems(parsed.error, row.values).filter(({ path }) => !told.has(path) && (path !== "proposedEnd" || told.size === 0)),
  );
  return work;
}

function checkedRow({ row, answer, problems }: Work): CheckedRow {
  const outcome = problems.length > 0 ? "rejected" : answer === null ? "unchanged" : "new";
  const changes: CheckedRow["changes"] =
    outcome === "new" && answer
      ? (["proposedStart", "proposedEnd", "remark"] as const).flatMap((key) => (answer[key] ? [[key, null, answer[key]]] : []))
      : [];
  return { no: row.no, outcome, changes, problems };
}

async function writeRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  options: FeedbackImportOptions,
  frame: WriteFrame,
): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> {
  const ids = rows.flatMap((row) => readAnswer(row, options).distributionId ?? []);
  const distributions = await readDistributions(ctx, ids, { lock: true });
  const works = await checkRows(ctx, rows, options, { answers: 0 });
  const rejected = works.filter(({ problems }) => problems.length > 0).map(checkedRow);
  const accepted = works.filter(({ answer, problems }) => answer !== null && problems.length === 0);
  if (accepted.length === 0 || (frame.whole && rejected.length > 0)) return { written: [], rejected };
  await frame.step(0.5);
  for (const [id, list] of Map.groupBy(accepted, ({ distributionId }) => distributionId as number)) {
    const distribution = distributions.get(id) as AnsweredDistribution;
    const saved = await insertAnswers(
      ctx,
      { ...distribution, mine: false },
      list.map(({ answer }) => answer as AnswerRow),
    );
    ctx.audit(`plan_distribution ${id}`, { status: distribution.status }, { status: "answered", task: frame.taskId, ...saved }, "answered");
  }
  return { written: accepted.map(checkedRow), rejected };
}

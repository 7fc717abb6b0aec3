import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { type ImportField, rowMarkField } from "#lib/imports/kind/logic.ts";
import { type AnswerColumn, answerColumns } from "./limits.ts";

type Words = { feedback: { columns: Record<AnswerColumn, string> } };
const titleOf = (locale: Ctx["locale"], column: AnswerColumn): string =>
  (loadMessages(locale)["plan-versions"] as unknown as Words).feedback.columns[column];

/** Fields a column of a workbook of answers can be mapped to; the hidden mark says to which distribution a row belongs. */
export function answerFields({ locale }: Pick<Ctx, "locale">): ImportField[] {
  return [
    ...answerColumns.map(
      (key): ImportField => ({
        key,
        title: titleOf(locale, key),
        type: key === "proposedStart" || key === "proposedEnd" ? "day" : "text",
        group: "feedback",
        names: locales.map((one) => titleOf(one, key)),
        required: key === "du" || key === "activity",
      }),
    ),
    rowMarkField,
  ];
}

/** A distribution answers are brought in for. */
export type AnsweredDistribution = {
  id: number;
  versionId: number;
  status: "sent" | "opened" | "answered" | "closed";
  dueDate: string | null;
  duIds: number[];
};

/** Distributions of the project by their ids, locked in their order where asked. */
export async function readDistributions(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  ids: readonly number[],
  options: { lock?: boolean } = {},
): Promise<Map<number, AnsweredDistribution>> {
  const rows = await sql<AnsweredDistribution[]>`
    select id, version_id as "versionId", status, due_date as "dueDate", du_ids as "duIds" from plan_distribution
    where project_id = ${project.id} and id = any(${[...new Set(ids)]}::bigint[]) order by id ${options.lock ? sql`for update` : sql``}`;
  return new Map(rows.map((row) => [row.id, row]));
}

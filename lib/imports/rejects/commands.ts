import "server-only";
import type { JobCtx } from "#lib/core/job.ts";
import type { Locale } from "#lib/core/locale.ts";
import type { Messages } from "#lib/core/message-tree.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { recordFile, storeBytes } from "#lib/core/storage.ts";
import { errorText } from "#lib/core/texts.ts";
import { type Cell, cellText } from "#lib/core/workbook-cell.ts";
import { workbookMime } from "#lib/core/workbook-limits.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import type { FieldProblem, ImportField } from "../kind/logic.ts";
import type { PreviewResult } from "../logic.ts";

/** A text of the area in the language of a task: `rejects.reason`. */
export function importText(locale: Locale, key: string): string {
  const found = key
    .split(".")
    .reduce<string | Messages | undefined>((at, name) => (typeof at === "object" ? at[name] : undefined), loadMessages(locale).imports);
  return typeof found === "string" ? found : key;
}

/**
 * Stores the rejected rows of a file as a workbook: the columns of the file behind a first one that says what is wrong, in the language of the task.
 * @param previewId the task the rows belong to
 * @param hidden key of the column that stays hidden
 * @returns id of the file
 */
export async function storeRejects(
  job: JobCtx,
  previewId: string,
  result: PreviewResult,
  fields: readonly ImportField[],
  hidden: string | undefined,
): Promise<string> {
  const titles = new Map(fields.map((field) => [field.key, field.title]));
  const stream = writeWorkbook({
    name: importText(job.locale, "rejects.sheet"),
    columns: [
      { title: importText(job.locale, "rejects.reason"), marked: true, width: 48 },
      ...result.heads.map((title, column) => {
        const key = result.origin?.keys[column] ?? undefined;
        return { title, ...(key !== undefined && { key, hidden: key === hidden }) };
      }),
    ],
    rows: rejectedRows(job, previewId, result, titles),
    lockedColumns: 1,
    // Corrected rows of a file of this product are read back like the file itself.
    ...(result.origin && { meta: result.origin.meta }),
  });
  const stored = await storeBytes(stream, workbookMime);
  const name = `${result.file.name.replace(/\.[^.]+$/, "")} ${importText(job.locale, "rejects.file")}.xlsx`;
  return job.chunk((ctx) => recordFile(ctx, { ...stored, name, mime: workbookMime }));
}

async function* rejectedRows(
  job: JobCtx,
  previewId: string,
  result: PreviewResult,
  titles: ReadonlyMap<string, string>,
): AsyncGenerator<Cell[]> {
  const rows = job.sql<{ values: Cell[]; problems: FieldProblem[] }[]>`
    select "values", problems from import_row where task_id = ${previewId} and outcome = 'rejected' order by row_no`.cursor(500);
  for await (const page of rows)
    for (const { values, problems } of page) yield [reasons(job.locale, values, problems, result, titles), ...values];
}

function reasons(
  locale: Locale,
  values: readonly Cell[],
  problems: readonly FieldProblem[],
  result: PreviewResult,
  titles: ReadonlyMap<string, string>,
): string {
  const lines = problems.map(({ path, code, params }) => {
    const column = result.mapping.indexOf(path);
    const title = titles.get(path);
    const text = errorText(locale, code, { field: title ?? path, value: cellText(values[column] ?? null), ...params });
    return title ? `${title}: ${text}` : text;
  });
  return [...new Set(lines)].join("\n");
}

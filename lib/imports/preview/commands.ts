import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Outcome as TaskOutcome } from "#lib/core/task.ts";
import type { Cell, SheetRow } from "#lib/core/workbook-cell.ts";
import { acceptFile, dataRows, type OpenFile, withImportFile } from "../file/queries.ts";
import { keptMs, keptRowsMax } from "../kind/limits.ts";
import type { CheckedRow, ImportField, ImportKind, ImportRow, ImportRun } from "../kind/logic.ts";
import { checkedRows, firstRows } from "../limits.ts";
import {
  type MappedColumn,
  type Mapping,
  makeTally,
  mappable,
  mappedColumns,
  mappingProblems,
  type PreviewResult,
  rememberMapping,
  rowReader,
  suggestMapping,
} from "../logic.ts";
import { readRemembered, settingId } from "../queries.ts";
import { loadKind } from "../registry/commands.ts";
import { storeRejects } from "../rejects/commands.ts";
import type { PreviewParams } from "../schema.ts";

/** Checks every cell of a file and keeps the outcome of each row. Safe to run twice: a row is kept once. */
export async function runPreview(job: JobCtx, params: PreviewParams): Promise<TaskOutcome> {
  const started = performance.now();
  const kind = await loadKind(params.kind);
  await dropExpired(job);
  const { result, fields, left } = await checkFile(job, kind, params, job.task.id, (done, total) => job.progress(done, total));
  if (left) keepRun(job.task.id, left);
  if (params.mapping) await saveRemembered(job, params.kind, rememberMapping(result.heads, result.mapping));
  const errorFileId = result.counts.rejected > 0 ? await storeRejects(job, job.task.id, result, fields, kind.hidden) : null;
  return {
    total: result.rows,
    errorFileId,
    result: { ...result, milliseconds: Math.round(performance.now() - started) },
    message: { key: result.counts.conflict > 0 ? "imports.message.disputed" : "imports.message.checked", args: { ...result.counts } },
  };
}

/**
 * Reads and checks a file and stores its rows under the task of the check.
 * @param taskId the task the rows belong to
 */
export async function checkFile(
  ctx: Ctx,
  kind: ImportKind,
  params: PreviewParams,
  taskId: string,
  progress: (done: number, total: number) => void,
): Promise<{ result: PreviewResult; fields: ImportField[]; left: LeftRun | null }> {
  const fields = await kind.fields(ctx);
  // A batch is stored while the next one is checked.
  let storing = Promise.resolve();
  const checking = withImportFile(ctx, params, undefined, async (open) => {
    await acceptFile(ctx, kind, open);
    // Rows are checked while the file is read on, unless what they mean depends on how much it holds.
    const { titles } = open.head;
    const beyond = params.mapping?.some((key, column) => key !== null && column >= titles.length) ?? false;
    if (kind.together !== undefined || kind.leaving !== undefined || beyond) {
      const { rows, columns } = await open.sheet.counts();
      if (kind.together !== undefined && rows - open.head.no > kind.together) throw new AppError("SHEET_ROWS", { max: kind.together });
      widen(titles, columns, "");
    }
    const mapping = await chooseMapping(ctx, kind, mappable(fields), params, open);
    const heads = [...titles];
    const leaving = fields.find(({ key }) => key === kind.leaving && !mapping.includes(key));
    if (leaving) {
      mapping.push(leaving.key);
      heads.push(leaving.title);
    }
    const columns = mappedColumns(mapping, fields);
    const read = rowReader(columns, params.dateFormat);
    const mapped = new Set(columns.map(({ field }) => field.key));
    const run = kind.open(kind.options.parse(params.options) as never, params.dateFormat);
    const tally = makeTally();
    let left: LeftRun | null = kind.keepsRuns ? { run, rows: [] } : null;
    let done = 0;
    let last = 0;
    const coming = batches(dataRows(open), kind.together ?? firstRows, kind.together ?? checkedRows);
    const take = async () => {
      const { value: rows } = await coming.next();
      if (!rows) return null;
      const given = rows.map(read);
      run.look?.(ctx, given);
      return { rows, given };
    };
    // The next batch is read while this one is checked.
    let next = take();
    for (let batch = await next; batch; batch = await next) {
      next = take();
      next.catch(() => {});
      ctx.signal?.throwIfAborted();
      const { rows, given } = batch;
      const checked = await run.check(ctx, given);
      tally.add(checked);
      if (done + rows.length > keptRowsMax) left = null;
      left?.rows.push(...given.filter((_, at) => isWritable(checked[at] as CheckedRow)));
      await storing;
      storing = storeRows(ctx, taskId, rows, checked, mapped);
      storing.catch(() => {});
      done += rows.length;
      last = rows.at(-1)?.no ?? last;
      const counts = open.sheet.countsByNow();
      if (counts) progress(done, counts.rows);
    }
    await storing;
    const { columns: width } = await open.sheet.counts();
    widen(heads, width, "");
    widen(mapping, width, null);
    if (done === 0) throw new AppError("NO_DATA");
    for (const rows of slices(restRows(columns, last, (await run.rest?.(ctx)) ?? []), kind.together ?? checkedRows)) {
      const checked = await run.check(ctx, rows.map(read));
      tally.add(checked);
      await storeRows(ctx, taskId, rows, checked, mapped);
    }
    const summary = tally.summary(done * columns.length);
    const visible = columns.filter(({ field }) => field.key !== kind.hidden);
    const shown = new Map(
      visible.map(({ column, field }) => [
        field.key,
        { key: field.key, title: field.title, type: field.type, column: column as number | null },
      ]),
    );
    const byKey = new Map(fields.map((field) => [field.key, field]));
    for (const { key } of [...summary.changed, ...summary.refused, ...summary.disputed])
      if (!shown.has(key)) shown.set(key, { key, title: byKey.get(key)?.title ?? key, type: byKey.get(key)?.type ?? "text", column: null });
    const labels = kind.labels.filter((key) => mapping.includes(key));
    const file = { name: open.file.name, size: open.file.size };
    return {
      fields,
      left,
      result: {
        ...summary,
        kind: params.kind,
        heads,
        mapping,
        columns: [...shown.values()],
        labels,
        origin: open.sheet.meta && open.head.keys ? { meta: open.sheet.meta, keys: open.head.keys } : null,
        basis: run.basis?.() ?? null,
        milliseconds: 0,
        file,
      },
    };
  });
  return checking.catch(async (error) => {
    // A file that turns out at its end to be none that is read leaves nothing of its first rows.
    await storing.catch(() => {});
    await ctx.sql`delete from import_row where task_id = ${taskId}`.catch(() => {});
    throw error;
  });
}

/** What a check leaves to the application that mostly follows: its run, and the rows that may be written as it has read them. */
type LeftRun = { run: ImportRun; rows: ImportRow[] };

const isWritable = ({ outcome }: CheckedRow) => outcome === "new" || outcome === "changed";

// One at a time, and not for long: another worker, or this one later, reads and judges the stored rows anew.
let kept: (LeftRun & { taskId: string }) | null = null;
let forgetting: NodeJS.Timeout | undefined;

function keepRun(taskId: string, left: LeftRun): void {
  clearTimeout(forgetting);
  kept = { ...left, taskId };
  forgetting = setTimeout(() => {
    kept = null;
  }, keptMs).unref();
}

/** The run of a check and its rows, if this worker has just done it; given once. */
export function takeRun(taskId: string): LeftRun | null {
  const taken = kept?.taskId === taskId ? kept : null;
  if (taken) kept = null;
  return taken;
}

async function chooseMapping(ctx: Ctx, kind: ImportKind, fields: ImportField[], params: PreviewParams, open: OpenFile): Promise<Mapping> {
  const { titles, keys } = open.head;
  const given = params.mapping ?? keys ?? suggestMapping(titles, fields, await readRemembered(ctx, params.kind), kind.fallbacks);
  const known = new Set(fields.map((field) => field.key));
  const mapping = titles.map((_, column) => (given[column] && known.has(given[column]) ? given[column] : null));
  const { repeated, missing } = mappingProblems(mapping, fields);
  const title = (key: string) => fields.find((field) => field.key === key)?.title ?? key;
  if (missing.length > 0) throw new AppError("MAPPING_MISSING", { fields: missing.map(title).join(", ") });
  if (repeated.length > 0) throw new AppError("COLUMN_REPEATED", { fields: repeated.map(title).join(", ") });
  return mapping;
}

function widen<T>(list: T[], width: number, filling: T): void {
  while (list.length < width) list.push(filling);
}

// Each batch has twice as many rows as the one before, up to `most`.
async function* batches(rows: AsyncIterable<SheetRow>, first: number, most: number): AsyncGenerator<SheetRow[], undefined> {
  let batch: SheetRow[] = [];
  let size = first;
  for await (const row of rows) {
    batch.push(row);
    if (batch.length === size) {
      yield batch;
      batch = [];
      size = Math.min(2 * size, most);
    }
  }
  if (batch.length > 0) yield batch;
}

// Rows a kind adds behind the last one of the file; what no column of the file can hold is left out.
function restRows(columns: readonly MappedColumn[], last: number, rest: readonly Readonly<Record<string, Cell>>[]): SheetRow[] {
  const width = Math.max(0, ...columns.map(({ column }) => column + 1));
  return rest
    .map((values) => {
      const cells: Cell[] = new Array(width).fill(null);
      for (const { column, field } of columns) cells[column] = values[field.key] ?? null;
      return cells;
    })
    .filter((cells) => cells.some((cell) => cell !== null))
    .map((cells, index) => ({ no: last + index + 1, cells }));
}

const slices = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));

// What a new row gets from its own cells need not be said twice.
const keptChanges = (row: CheckedRow, mapped: ReadonlySet<string>): CheckedRow["changes"] =>
  row.outcome === "new"
    ? row.changes.filter((change) => !mapped.has(change[0]))
    : row.outcome === "changed" || row.outcome === "conflict"
      ? row.changes
      : [];

async function storeRows(
  ctx: Ctx,
  taskId: string,
  rows: readonly SheetRow[],
  checked: readonly CheckedRow[],
  mapped: ReadonlySet<string>,
): Promise<void> {
  const { sql } = ctx;
  // A column travels as one text with a line for each row: JSON holds no line break of its own, and an empty line is no value.
  const column = (values: readonly (readonly unknown[])[]) =>
    values.map((list) => (list.length > 0 ? JSON.stringify(list) : "")).join("\n");
  const lines = (text: string) => sql`string_to_array(${text}, E'\\n', '')`;
  await sql`
    insert into import_row (task_id, row_no, outcome, "values", changes, problems, conflicts)
    select t.id, r.no, r.outcome, r.cells::json, r.changes::json, r.problems::jsonb, r.conflicts::json
    from (select id from task where id = ${taskId} for key share) t, unnest(${rows.map((row) => row.no)}::int[], ${checked.map((row) => row.outcome)}::text[], ${lines(rows.map(({ cells, json }) => json ?? JSON.stringify(cells)).join("\n"))},
      ${lines(column(checked.map((row) => keptChanges(row, mapped))))}, ${lines(column(checked.map((row) => row.problems)))},
      ${lines(column(checked.map((row) => row.conflicts ?? [])))}) as r(no, outcome, cells, changes, problems, conflicts)
    on conflict (task_id, row_no) do update set outcome = excluded.outcome, "values" = excluded."values", changes = excluded.changes,
      problems = excluded.problems, conflicts = excluded.conflicts`;
}

// Rows of checks whose task has expired serve nobody any more.
async function dropExpired({ sql, project, now }: Ctx): Promise<void> {
  await sql`delete from import_row r using task t where t.id = r.task_id and t.project_id = ${project.id} and t.expires_at < ${now}`;
}

// What the person chose for the heads of this file is kept beside what was chosen for others.
async function saveRemembered(
  ctx: Pick<Ctx, "sql" | "project" | "user" | "now">,
  kind: string,
  mapping: Record<string, string | null>,
): Promise<void> {
  await ctx.sql`
    insert into user_setting (user_id, setting_id, project_id, value, updated_at)
    values (${ctx.user.id}, ${settingId(kind)}, ${ctx.project.id}, ${ctx.sql.json(mapping)}, ${ctx.now})
    on conflict (user_id, setting_id, coalesce(project_id, 0)) do update set value = user_setting.value || excluded.value, updated_at = excluded.updated_at`;
}

import "server-only";
import { createTranslator } from "use-intl/core";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { formatMoment } from "#lib/core/format.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Outcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { isLoggedDay, type LogField, logValue, type ReadValue } from "../logic.ts";
import { listLogFields } from "../plan-batches/queries.ts";
import { countPlanLog, type LogRow, readPlanLog } from "../queries.ts";
import type { ExportPlanLog, PlanLogParams } from "./schema.ts";

/** Columns of the workbook with the keys of their titles. */
const columns = {
  at: "logs.when",
  actor: "logs.actor",
  source: "logs.source",
  reason: "logs.why",
  du: "common.du",
  flow: "common.flow",
  activity: "common.activity",
  field: "logs.field",
  old: "logs.old",
  new: "logs.new",
} as const;

type Text = (key: string, values?: Record<string, string | number>) => string;

const wordsOf = (locale: Locale): Text =>
  createTranslator({ locale, messages: loadMessages(locale), onError: () => {} }) as unknown as Text;

/**
 * Starts an export of the plan log as filtered: a row per changed cell.
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED, DATE_RANGE
 */
export async function startPlanLogExport(ctx: Ctx, { filters }: z.output<typeof ExportPlanLog>): Promise<{ taskId: string }> {
  const { total, upTo } = await countPlanLog(ctx, filters);
  return startListExport(ctx, {
    kind: "logs.planLogExport",
    title: wordsOf(ctx.locale)("logs.label"),
    params: { filters, upTo, total },
    total,
    columns: Object.keys(columns).length,
  });
}

/** Writes the changed cells of an export of the plan log. Safe to run twice. */
export async function runPlanLogExport(job: JobCtx, { filters, upTo, total }: PlanLogParams): Promise<Outcome> {
  const t = wordsOf(job.locale);
  const fields = new Map((await listLogFields(job)).map((field) => [field.key, field]));
  async function* rows(): AsyncGenerator<Cell[]> {
    for (const row of await readPlanLog(job, filters, upTo, total)) yield rowOf(job, row, fields.get(row.field), t);
  }
  return storeListExport(job, {
    title: t("logs.label"),
    columns: Object.values(columns).map((title) => ({ title: t(title) })),
    rows: rows(),
    total,
  });
}

function rowOf({ project }: Pick<Ctx, "project">, row: LogRow, field: LogField | undefined, t: Text): Cell[] {
  const shown = (value: ReadValue): Cell =>
    isLoggedDay(row.field, value)
      ? { d: value }
      : logValue(
          value,
          field,
          (key) => t(`logs.${key}`),
          (key) => t(`common.${key}`),
        );
  const source = t(`plan-grid.source.${row.source}`);
  return [
    { d: formatMoment(row.at, project.tzOffset).replace(" ", "T") },
    row.actor ?? t("logs.system"),
    row.undoOf === null ? source : `${source} · ${t("logs.undoOf", { batch: row.undoOf })}`,
    row.reason,
    row.duCode,
    row.flow,
    row.activity,
    field?.title ?? row.field,
    shown(row.old),
    shown(row.new),
  ];
}

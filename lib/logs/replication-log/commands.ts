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
import { countReplications, readReplications } from "./queries.ts";
import type { ExportReplications, ReplicationExportParams } from "./schema.ts";

const fields = ["at", "actor", "source", "project", "target", "status", "activity", "outcome", "reason"] as const;

const wordsOf = (locale: Locale): ((key: string) => string) =>
  createTranslator({ locale, messages: loadMessages(locale), namespace: "logs.replication", onError: () => {} }) as unknown as (
    key: string,
  ) => string;

/**
 * Starts an export of the log of copied activities as filtered: a row per activity.
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startReplicationExport(ctx: Ctx, { filters }: z.output<typeof ExportReplications>): Promise<{ taskId: string }> {
  const { total, upTo } = await countReplications(ctx, filters);
  return startListExport(ctx, {
    kind: "logs.replicationLogExport",
    title: wordsOf(ctx.locale)("label"),
    params: { filters, upTo, total },
    total,
    columns: fields.length,
  });
}

/** Writes the lines of an export of the log of copied activities. Safe to run twice. */
export async function runReplicationExport(job: JobCtx, { filters, upTo, total }: ReplicationExportParams): Promise<Outcome> {
  const t = wordsOf(job.locale);
  const rows = (await readReplications(job, filters, upTo)).flatMap((row): Cell[][] => {
    const head = [
      { d: formatMoment(row.at, job.project.tzOffset).replace(" ", "T") },
      row.actor,
      row.sourceName,
      row.targetProject,
      row.targetName,
      t(`statuses.${row.status}`),
    ];
    if (row.detail.length === 0) return [[...head, null, null, null]];
    return row.detail.map(({ activity, outcome, msg }) => [...head, activity, t(`outcomes.${outcome}`), msg]);
  });
  return storeListExport(job, { title: t("label"), columns: fields.map((key) => ({ title: t(key) })), rows, total });
}

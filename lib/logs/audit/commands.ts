import "server-only";
import { createTranslator } from "use-intl/core";
import type { z } from "zod";
import { isAuditEvent } from "#lib/core/audit-events.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { formatMoment } from "#lib/core/format.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Outcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { detailChars } from "./limits.ts";
import { detailLines, objectText } from "./logic.ts";
import { auditRows, countAudit } from "./queries.ts";
import type { AuditParams, ExportAudit } from "./schema.ts";

const fields = ["at", "actor", "event", "object", "address", "ip", "requestId", "before", "after"] as const;

function wordsOf(locale: Locale): (key: string, values?: Record<string, string>) => string {
  return createTranslator({ locale, messages: loadMessages(locale), namespace: "audit", onError: () => {} }) as unknown as (
    key: string,
    values?: Record<string, string>,
  ) => string;
}

/**
 * Starts an export of the audit log as filtered.
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startAuditExport(ctx: Ctx, { filters }: z.output<typeof ExportAudit>): Promise<{ taskId: string }> {
  const { total, upTo } = await countAudit(ctx, filters);
  return startListExport(ctx, {
    kind: "logs.auditExport",
    title: wordsOf(ctx.locale)("title"),
    params: { filters, upTo, total },
    total,
    columns: fields.length,
  });
}

/** Writes the lines of an export of the audit log. */
export function runAuditExport(job: JobCtx, params: AuditParams): Promise<Outcome> {
  const t = wordsOf(job.locale);
  const side = (lines: ReturnType<typeof detailLines>, which: "before" | "after") =>
    lines
      .filter((line) => line.changed && line[which] !== null)
      .map((line) => (line.field ? `${line.field}: ${line[which]}` : String(line[which])))
      .join("\n")
      .slice(0, detailChars);
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const row of auditRows(job, params.filters, params.upTo)) {
      const lines = detailLines(row.detail);
      yield [
        formatMoment(row.at, job.project.tzOffset),
        row.actor ?? "",
        isAuditEvent(row.event) ? t(`event.${row.event}`) : row.event,
        row.object === null ? "" : objectText(row.object, t),
        row.address ?? "",
        row.ip ?? "",
        row.requestId ?? "",
        side(lines, "before"),
        side(lines, "after"),
      ];
    }
  }
  return storeListExport(job, {
    title: t("title"),
    columns: fields.map((key) => ({ title: t(`column.${key}`) })),
    rows: rows(),
    total: params.total,
  });
}

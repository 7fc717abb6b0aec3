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
import { detailLines } from "../audit/logic.ts";
import { detailChars } from "./limits.ts";
import { countTemplateLog, readTemplateLog } from "./queries.ts";
import type { ExportTemplateLog, TemplateLogParams } from "./schema.ts";

const fields = ["at", "actor", "act", "name", "detail"] as const;

const wordsOf = (locale: Locale): ((key: string) => string) =>
  createTranslator({ locale, messages: loadMessages(locale), namespace: "logs.template", onError: () => {} }) as unknown as (
    key: string,
  ) => string;

/**
 * Starts an export of the log of templates as filtered.
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startTemplateLogExport(ctx: Ctx, { filters }: z.output<typeof ExportTemplateLog>): Promise<{ taskId: string }> {
  const { total, upTo } = await countTemplateLog(ctx, filters);
  return startListExport(ctx, {
    kind: "logs.templateLogExport",
    title: wordsOf(ctx.locale)("label"),
    params: { filters, upTo, total },
    total,
    columns: fields.length,
  });
}

/** Writes the lines of an export of the log of templates. Safe to run twice. */
export async function runTemplateLogExport(job: JobCtx, { filters, upTo, total }: TemplateLogParams): Promise<Outcome> {
  const t = wordsOf(job.locale);
  const rows = (await readTemplateLog(job, filters, upTo)).map(({ at, actor, act, name, templateId, detail }): Cell[] => [
    { d: formatMoment(at, job.project.tzOffset).replace(" ", "T") },
    actor,
    t(`acts.${act}`),
    name ?? `#${templateId}`,
    act === "changed"
      ? detailLines(detail)
          .filter((line) => line.changed)
          .map(({ field, before, after }) => (field === "body" ? t("body") : `${field}: ${before ?? "-"} → ${after ?? "-"}`))
          .join("\n")
          .slice(0, detailChars)
      : null,
  ]);
  return storeListExport(job, { title: t("label"), columns: fields.map((key) => ({ title: t(key) })), rows, total });
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Outcome } from "#lib/core/task.ts";
import { countDus } from "#lib/rollout-plan/du-export/queries.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { erpColumns, lockedColumns } from "./limits.ts";
import { erpTexts, readExported, streamErpRows } from "./queries.ts";
import type { ErpParams, ExportErp } from "./schema.ts";

/**
 * Starts the export of milestone dates in the ERP-PM layout. Its DUs count against the limit of DU exports, not its rows. [MDV-21]
 * @throws NOT_FOUND for a milestone that is not there or not enabled, NO_DATA, EXPORT_LIMIT, EXPORT_CELLS, EXPORT_UNFINISHED
 */
export async function startErpExport(ctx: Ctx, { milestoneIds, filters }: ExportErp): Promise<{ taskId: string }> {
  const milestones = await readExported(ctx, milestoneIds);
  const missing = milestoneIds.filter((id) => !milestones.some((milestone) => milestone.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const total = await countDus(ctx, filters);
  return startListExport(ctx, {
    kind: "milestones.erpExport",
    title: erpTexts(ctx)("erp.title"),
    params: { milestoneIds, filters, total: total * milestones.length },
    total,
    columns: erpColumns.length * milestones.length,
    limit: "export.du",
  });
}

/** Writes the workbook: one row per DU and milestone. Safe to run twice. */
export async function runErpExport(job: JobCtx, { milestoneIds, filters, total }: ErpParams): Promise<Outcome> {
  const t = erpTexts(job);
  const milestones = await readExported(job, milestoneIds);
  return storeListExport(job, {
    title: t("erp.title"),
    columns: erpColumns.map((column) => ({
      title: t(`erp.column.${column}`),
      kind: column === "plan" || column === "actual" || column === "baseline" ? "day" : "text",
    })),
    rows: streamErpRows(job, milestones, filters),
    total,
    lockedColumns,
  });
}

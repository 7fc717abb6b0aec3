import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Outcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import type { WriteColumn } from "#lib/core/workbook-write.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { centralRegion } from "../outputs/limits.ts";
import type { ExportNet } from "../outputs/schema.ts";
import { getOutputRun } from "../runs/queries.ts";
import { findEngineSetting } from "../versions/queries.ts";
import { countNet, netTexts, readNet } from "./queries.ts";

const netColumns = (bucket: ExportNet["bucket"], t: (key: string) => string): WriteColumn[] => [
  { title: t("outputs.material.item") },
  { title: t("common.region") },
  { title: t(`outputs.material.from.${bucket}`), kind: "day" },
  { title: t("outputs.material.needDate"), kind: "day" },
  { title: t("outputs.material.measure.grossReq"), kind: "number" },
  { title: t("outputs.material.measure.netReq"), kind: "number" },
  { title: t("outputs.material.currencyColumn") },
];

/** Starts an export of what has to be bought for a run. @throws NOT_FOUND, NO_OUTPUT, NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED */
export async function startNetExport(ctx: Ctx, input: ExportNet): Promise<{ taskId: string }> {
  await getOutputRun(ctx, input);
  const t = netTexts(ctx);
  return startListExport(ctx, {
    kind: "planningEngine.netExport",
    title: t("outputs.material.tab.net"),
    params: input,
    total: await countNet(ctx, input),
    columns: netColumns(input.bucket, t).length,
  });
}

/** Writes the workbook of net requirements. Safe to run twice. */
export async function runNetExport(job: JobCtx, input: ExportNet): Promise<Outcome> {
  const { versionId } = await getOutputRun(job, input);
  const t = netTexts(job);
  const [{ currency }, found] = await Promise.all([findEngineSetting(job, { versionId }), readNet(job, input)]);
  const rows = found.map(({ itemCode, region, from, needDate, grossReq, netReq }): Cell[] => [
    itemCode,
    region === centralRegion ? t("outputs.material.central") : region,
    { d: from },
    needDate === null ? null : { d: needDate },
    grossReq,
    netReq,
    currency,
  ]);
  return storeListExport(job, {
    title: t("outputs.material.tab.net"),
    columns: netColumns(input.bucket, t),
    rows,
    total: rows.length,
    lockedColumns: 1,
  });
}

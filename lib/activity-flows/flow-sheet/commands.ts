import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Outcome } from "#lib/core/task.ts";
import type { WriteColumn } from "#lib/core/workbook-write.ts";
import { type CheckedRow, type ImportKind, type ImportRow, type ImportRun, rowMark, type WriteFrame } from "#lib/imports/kind/logic.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { editFlow, saveFlow } from "../commands.ts";
import { lockDraft, takeGraph } from "../graph/commands.ts";
import { nameKey } from "../graph/logic.ts";
import { readGraph } from "../graph/queries.ts";
import { flowSheetVersion, sheetColumns, sheetRowsMax } from "./limits.ts";
import { type FlowPlan, flowFields, type SheetFlow, type SheetPlan, sheetRows } from "./logic.ts";
import { readHeld, readSheetFacts, readSheetFlows, sheetTexts, sheetTitle } from "./queries.ts";
import { planSheet } from "./rules.ts";
import { type ExportFlows, type FlowExportParams, FlowImportOptions } from "./schema.ts";

/** Starts an export of flows, one row per activity. */
export async function startFlowExport(ctx: Ctx, { ids }: ExportFlows): Promise<{ taskId: string }> {
  const flows = await readSheetFlows(ctx, { ids });
  const found = new Set(flows.flatMap(({ flowId, copyId }) => [flowId, copyId]));
  const unknown = ids.filter((id) => !found.has(id));
  if (unknown.length > 0) throw new AppError("NOT_FOUND", { object: unknown.join(", ") });
  const total = flows.reduce((sum, { nodes }) => sum + nodes.length, 0);
  const params: FlowExportParams = { ids: flows.map(({ flowId }) => flowId), total };
  return startListExport(ctx, { kind: "activityFlows.export", title: sheetTitle(ctx), params, total, columns: sheetColumns.length });
}

/** Writes the workbook of flows. Safe to run twice. */
export async function runFlowExport(job: JobCtx, { ids, total }: FlowExportParams): Promise<Outcome> {
  const texts = sheetTexts(job);
  return storeListExport(job, {
    title: sheetTitle(job),
    columns: [
      ...sheetColumns.map(
        (key): WriteColumn => ({
          key,
          title: texts.column(key),
          kind: key === "no" || key === "leadTimeDays" ? "number" : "text",
          ...((key === "flow" || key === "name") && { width: 32 }),
        }),
      ),
      { key: rowMark, title: "", hidden: true },
    ],
    rows: sheetRows(await readSheetFlows(job, { ids }), texts),
    total,
    lockedColumns: 4,
    meta: { kind: "flows", version: flowSheetVersion },
  });
}

/** The import of flows: drafts and working copies take their activities and relations from the file, names the project does not know become drafts. */
export const flowImport: ImportKind = {
  options: FlowImportOptions,
  fields: async (ctx) => flowFields(sheetTexts(ctx)),
  choices: async () => [{ key: "keepActivities", type: "flag" }],
  fallbacks: [],
  labels: ["flow", "name"],
  together: sheetRowsMax,
  leaving: "remove",
  hidden: rowMark,
  open: (options: FlowImportOptions): ImportRun => {
    const all: ImportRow[] = [];
    let last: SheetPlan | null = null;
    return {
      check: async (ctx, rows) => {
        all.push(...rows);
        last = await planRows(ctx, all, !options.keepActivities);
        return last.checked.slice(-rows.length);
      },
      rest: async () => last?.leftOut ?? [],
      basis: () => Object.fromEntries((last?.flows ?? []).map(({ name, flow }) => [nameKey(name), flow?.revision ?? null])),
      write: writeRows,
    };
  },
};

async function planRows(ctx: Ctx, rows: readonly ImportRow[], removeLeftOut: boolean): Promise<SheetPlan> {
  const facts = await readSheetFacts(ctx, rows);
  const texts = sheetTexts(ctx);
  const plan = planSheet(rows, facts, removeLeftOut, texts);
  const leaving = plan.flows.flatMap(({ flow, leaving: ids }) => ids.map((activityId) => ({ flowId: flow?.flowId ?? 0, activityId })));
  if (leaving.length === 0) return plan;
  return planSheet(rows, { ...facts, used: await readHeld(ctx, leaving) }, removeLeftOut, texts);
}

// What leaves a flow is said by rows of its own by now.
async function writeRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  frame: WriteFrame,
): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> {
  await lockFlows(ctx, rows);
  const plan = await planRows(ctx, rows, false);
  const basis = (frame.basis ?? {}) as Record<string, string | null>;
  const stale = new Set(
    plan.flows.flatMap(({ name, flow, rows: nos }) => ((basis[nameKey(name)] ?? null) === (flow?.revision ?? null) ? [] : nos)),
  );
  const rejected = plan.checked.flatMap((row): CheckedRow[] => {
    if (stale.has(row.no)) return [{ no: row.no, outcome: "rejected", changes: [], problems: [{ path: "", code: "PREVIEW_STALE" }] }];
    return row.outcome === "rejected" ? [row] : [];
  });
  if (frame.whole && rejected.length > 0) return { written: [], rejected };
  const taken = plan.flows.filter(({ refused, changed, rows: nos }) => changed && !refused && !stale.has(nos[0] as number));
  for (const [at, flow] of taken.entries()) {
    await writeFlow(ctx, flow);
    await frame.step((at + 1) / taken.length);
  }
  const numbers = new Set(taken.flatMap((flow) => flow.rows));
  const written = plan.checked.filter(({ no, outcome }) => numbers.has(no) && (outcome === "new" || outcome === "changed"));
  ctx.audit(`task ${frame.taskId}`, null, {
    kind: "flows",
    flows: taken.map(({ name }) => name),
    written: written.length,
    rejected: rejected.length,
  });
  return { written, rejected };
}

// The project before flows, and flows before their working copies, as a release locks them.
async function lockFlows(ctx: Ctx, rows: readonly ImportRow[]): Promise<void> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const names = [...new Set(rows.map(({ values }) => nameKey(String(values.flow ?? ""))))];
  const flows = await sql<{ id: number }[]>`
    select id from activity_flow where project_id = ${project.id} and draft_of is null and lower(name) = any(${names}::text[]) order by id for update`;
  await sql`select 1 from activity_flow where draft_of = any(${flows.map(({ id }) => id)}::bigint[]) order by id for update`;
}

async function writeFlow(ctx: Ctx, { name, flow, nodes, relations }: FlowPlan): Promise<void> {
  const { id, ids } = await openDraft(ctx, name, flow);
  const draft = await lockDraft(ctx, id);
  await takeGraph(ctx, draft, {
    nodes: nodes.map(({ id: node, ...rest }) => ({ ...rest, ...(node !== undefined && { id: ids?.get(node) ?? node }) })),
    relations,
  });
}

/** The draft or working copy that takes the rows of a flow; where it was opened for them, its activities by those of the released flow. */
async function openDraft(ctx: Ctx, name: string, flow: SheetFlow | null): Promise<{ id: number; ids?: Map<number, number> }> {
  if (!flow) return { id: (await saveFlow(ctx, { name, deliveryTypes: [] })).id };
  if (flow.status === "draft") return { id: flow.flowId };
  const { id, opened } = await editFlow(ctx, { id: flow.flowId });
  if (!opened) return { id };
  const { nodes } = await readGraph(ctx, id);
  return { id, ids: new Map(nodes.map((node) => [node.originNodeId as number, node.id])) };
}

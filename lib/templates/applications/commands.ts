import "server-only";
import { bindDus, holdFlow } from "#lib/activity-flows/binding/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { errorText } from "#lib/core/texts.ts";
import { cellText } from "#lib/core/workbook-cell.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { startPreview } from "#lib/imports/commands.ts";
import { withImportFile } from "#lib/imports/file/queries.ts";
import { sampleRows } from "#lib/imports/limits.ts";
import { loadKind } from "#lib/imports/registry/commands.ts";
import { findEditors } from "#lib/owners/assignment/queries.ts";
import { setBatchOwners } from "#lib/rollout-plan/batches/commands.ts";
import { getCell, isApplicable } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, lockPlanRows, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { activityNameChars, type TemplateKind } from "../limits.ts";
import { getTemplate } from "../queries.ts";
import { type Column, PlanBody, ReverseBody } from "../schema.ts";
import { previewRowsMax } from "./limits.ts";
import { mapForeign } from "./logic.ts";
import type { ApplyPlan, ApplyReverse } from "./schema.ts";

/** A foreign plan as a template reads it: its columns with the field each gives, its first rows, and the columns nobody reads. */
export type ForeignPreview = {
  columns: { title: string; key: string | null; field: string | null }[];
  rows: string[][];
  unmapped: string[];
};

async function getBody(ctx: Ctx, id: number, kind: TemplateKind): Promise<unknown> {
  const template = await getTemplate(ctx, { id });
  if (template.kind !== kind) throw new AppError("NOT_FOUND", { object: id });
  return template.body;
}

/**
 * Reads a plan in somebody else's layout by a template: shows what its columns give, or starts the check of its cells as of any import.
 * @throws COLUMN_UNMAPPED with the columns of the template the file or the project does not have, NAME_TOO_LONG, NOT_FOUND and those of reading a file
 */
export async function applyReverse(ctx: Ctx, input: ApplyReverse): Promise<ForeignPreview | { taskId: string }> {
  const { templateId, preview, dateFormat, ...source } = input;
  const body = ReverseBody.parse(await getBody(ctx, templateId, "reverse"));
  const fields = new Map((await (await loadKind("reversePlan")).fields(ctx)).map((field) => [field.key, field]));
  const file = { ...source, kind: "reversePlan" as const, headerRow: body.headerRow };
  const { found, titles, rows } = await withImportFile(ctx, file, body.headerRow + sampleRows + 1, async ({ head, samples }) => {
    const long = head.titles.find((title) => [...title].length > activityNameChars);
    if (long !== undefined) throw new AppError("NAME_TOO_LONG", { max: activityNameChars, name: long });
    return { found: mapForeign(head.titles, body.columns, (key) => fields.has(key)), titles: head.titles, rows: samples };
  });
  if (found.missing.length > 0)
    throw new AppError("COLUMN_UNMAPPED", { columns: found.missing.join(", ") }, [], { columns: found.missing });
  if (!preview) return startPreview(ctx, { ...file, mapping: found.mapping, dateFormat, options: { templateId } });
  ctx.audit(`template ${templateId}`, null, { file: source.fileId, unmapped: found.unmapped.length }, "preview");
  return {
    columns: titles.map((title, at) => ({
      title,
      key: found.mapping[at] ?? null,
      field: fields.get(found.mapping[at] ?? "")?.title ?? null,
    })),
    rows: rows.slice(0, previewRowsMax).map(({ cells }) => titles.map((_, at) => cellText(cells[at] ?? null))),
    unmapped: found.unmapped,
  };
}

/** A DU a plan template left as it is, and why. */
export type LeftDu = { duId: number; code: ErrorCode; msg: string };
/** DUs bound, owner cells filled, DUs left, and the columns the plan is opened with. */
export type AppliedPlan = { bound: number; filled: number; rejected: LeftDu[]; columns: Column[]; batchId: number | null };

/**
 * Binds DUs without a flow to that of a plan template and fills their empty owners with its people; with `preview` it only says how much that is.
 * DUs of another flow, and DUs the caller may not edit, stay as they are.
 * @throws FLOW_NOT_RELEASED, NOT_FOUND, NOTHING_MODIFIED
 */
export async function applyPlan(ctx: Ctx, { templateId, duIds, preview }: ApplyPlan): Promise<AppliedPlan> {
  if (!ctx.can("duFlow.bind")) throw new AppError("NO_PERMISSION", { right: "duFlow.bind" });
  const body = PlanBody.parse(await getBody(ctx, templateId, "plan"));
  const flow = await holdFlow(ctx, body.flowId);
  const work = await sortDus(ctx, duIds, flow.id, preview);
  const library = await listLibraryActivities(ctx);
  const slots = new Map(library.map(({ id, slot }) => [id, slot]));
  const activityIds = flow.activities.map(({ slot }) => library.find((activity) => activity.slot === slot)!.id);
  const result: AppliedPlan = { bound: work.unbound.length, filled: 0, rejected: work.left, columns: body.columns, batchId: null };
  if (body.owners.length > 0) result.filled = work.unbound.length * activityIds.length + countEmpty(work, activityIds, slots);
  if (!preview && result.bound + result.filled === 0 && result.rejected.length === 0) throw new AppError("NOTHING_MODIFIED");
  ctx.audit(
    `template ${templateId}`,
    null,
    { bound: result.bound, filled: result.filled, left: result.rejected.length },
    preview ? "preview" : "applied",
  );
  if (preview) return result;
  if (work.unbound.length > 0) result.batchId = (await bindDus(ctx, { duIds: work.unbound, flowId: flow.id, source: "manual" })).batchId;
  if (result.filled > 0) {
    const filled = await setBatchOwners(ctx, {
      duIds: [...work.unbound, ...work.following],
      activityIds,
      kinds: ["plan"],
      mode: "set",
      value: body.owners,
      onlyEmpty: true,
      preview: false,
    });
    result.filled = filled.changed;
    result.batchId = filled.batchId ?? result.batchId;
    for (const { duId, code, msg } of filled.rejected)
      if (!result.rejected.some((left) => left.duId === duId)) result.rejected.push({ duId, code, msg });
  }
  return result;
}

type Sorted = { unbound: number[]; following: number[]; left: LeftDu[]; block: Awaited<ReturnType<typeof readPlanRows>> };

/** Which of the DUs have no flow, which follow this one, and which are left, with the reason. */
async function sortDus(ctx: Ctx, duIds: readonly number[], flowId: number, preview: boolean): Promise<Sorted> {
  // All rows of the work are locked before the first of them is written.
  if (!preview) await lockPlanRows(ctx, duIds);
  const [block, editors, binders] = await Promise.all([
    readPlanRows(ctx, duIds, { within: ctx.scope.where("rollout.view") }),
    findEditors(ctx, duIds),
    ctx.sql<{ id: number }[]>`select du.id from du where ${ctx.scope.where("duFlow.bind")} and du.id = any(${[...duIds]}::bigint[])`,
  ]);
  const rows = new Map(block.duIds.map((duId, row) => [duId, row]));
  const mayBind = new Set(binders.map(({ id }) => id));
  const sorted: Sorted = { unbound: [], following: [], left: [], block };
  const leave = (duId: number, code: ErrorCode, params: Record<string, string | number> = {}) =>
    sorted.left.push({ duId, code, msg: errorText(ctx.locale, code, params) });
  for (const duId of duIds) {
    const row = rows.get(duId);
    const follows = row === undefined ? 0 : (block.flowIds[row] ?? 0);
    if (row === undefined) leave(duId, "DU_NOT_FOUND", { code: duId });
    else if (follows !== 0 && follows !== flowId) leave(duId, "ALREADY_BOUND");
    else if (!editors.get(duId)?.plan) leave(duId, "NO_PERMISSION", { right: "rollout.edit" });
    else if (follows === 0 && !mayBind.has(duId)) leave(duId, "NO_PERMISSION", { right: "duFlow.bind" });
    else (follows === 0 ? sorted.unbound : sorted.following).push(duId);
  }
  return sorted;
}

/** Activities without plan owner of the DUs that follow the flow already. */
function countEmpty({ block, following }: Sorted, activityIds: readonly number[], slots: ReadonlyMap<number, number>): number {
  let count = 0;
  for (const [row, duId] of block.duIds.entries()) {
    if (!following.includes(duId)) continue;
    for (const id of activityIds) {
      const slot = slots.get(id) as number;
      if (isApplicable(getCell(block, row, slot, "state")) && getCell(block, row, slot, "planOwner") === 0) count++;
    }
  }
  return count;
}

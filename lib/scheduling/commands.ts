import "server-only";
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import type { PlanBlock } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readPlanRows, readPlanSwitch, writableFields } from "#lib/rollout-plan/plan-rows/queries.ts";
import { calendarOf, readCalendars } from "./calendar/queries.ts";
import { type PreviewCode, previewCodes, previewMinutes, previewsPerPerson, scheduleRefusals } from "./limits.ts";
import type { ScheduleResult } from "./logic.ts";
import type { RequestAnchor } from "./passes/logic.ts";
import { findingWidth, moveWidth, type PreviewCounts, packPreview, sectionSlice, unpackMoves } from "./previews/logic.ts";
import {
  computeSchedule,
  describeRefused,
  getPreview,
  listSelectedDus,
  loopNames,
  type PreviewParams,
  type ReachedDu,
  type RefusedDu,
  type RefusedRow,
  readPreviewRows,
  readPreviewSlice,
  readReachedDus,
} from "./queries.ts";
import type { ApplyPreview, PreviewSchedule } from "./schema.ts";

export type PreviewAnswer = {
  previewId: string;
  expiresAt: Date;
  /** Those of the DUs to leave out that would move. */
  excludedDuIds: number[];
  counts: { dus: number; moved: number; unchanged: number; refused: number; warnings: number; moves: number };
};

type PreviewRequest = z.output<typeof PreviewSchedule>;

/** Computes the schedule of the chosen DUs and keeps it for half an hour; the plan is not touched. */
export async function previewSchedule(ctx: Ctx, input: PreviewRequest): Promise<PreviewAnswer> {
  const duIds = await listSelectedDus(ctx, input);
  const reached = await readReachedDus(ctx, duIds);
  const asOf = input.asOf ?? ctx.today;
  const block = await readPlanRows(
    ctx,
    duIds.filter((id) => reached.get(id)?.may),
    { fields: ["planStart", "planEnd", "actualStart", "actualEnd"] },
  );
  const { result, graphs, flows, flowPlaces, calendars } = await computeSchedule(ctx, block, reached, {
    mode: input.mode,
    asOf,
    changeControl: await readPlanSwitch(ctx, "planChangeControl"),
    anchors: await placeAnchors(ctx, block, input.anchors),
  });

  const known = new Set(block.duIds);
  const unreached = duIds.filter((id) => !known.has(id));
  const packed = pack(block, result, calendars.ofRow, flowPlaces, unreached, reached);
  const params: PreviewParams = {
    mode: input.mode,
    asOf,
    counts: packed.counts,
    calendars: calendars.used.map(({ id, rowVersion }) => ({ id, rowVersion })),
    flows: graphs.map(({ flowId, version, nodes }, place) => {
      const fault = flows[place]!.fault;
      const loop = loopNames(fault, nodes);
      return { flowId, version, ...(loop.length > 0 ? { loop } : {}) };
    }),
  };
  const previewId = randomUUID();
  const expiresAt = new Date(ctx.now.getTime() + previewMinutes * 60_000);
  await dropOldPreviews(ctx);
  await ctx.sql`
    insert into schedule_preview (id, project_id, user_id, params, result, expires_at)
    values (${previewId}, ${ctx.project.id}, ${ctx.user.id}, ${ctx.sql.json(params)}, ${Buffer.from(packed.bytes.buffer)}, ${expiresAt})`;
  const refused = result.outcomes.reduce((count, outcome) => count + (outcome === 0 ? 0 : 1), 0);
  const movedDuIds = block.duIds.filter((_, row) => result.movesAt[row + 1]! > result.movesAt[row]!);
  const moved = movedDuIds.length;
  const excluded = new Set(input.excludeDuIds);
  const counts = {
    dus: duIds.length,
    moved,
    unchanged: block.duIds.length - refused - moved,
    refused: refused + unreached.length,
    warnings: packed.counts.warnings,
    moves: packed.counts.moves,
  };
  ctx.audit(`schedule_preview ${previewId}`, null, { mode: input.mode, asOf, counts }, "preview");
  return { previewId, expiresAt, excludedDuIds: movedDuIds.filter((id) => excluded.has(id)), counts };
}

/** Anchors asked for, by row and slot; one without DU goes to every row whose flow contains the activity. */
async function placeAnchors(ctx: Ctx, block: PlanBlock, anchors: PreviewRequest["anchors"]): Promise<RequestAnchor[]> {
  if (anchors.length === 0) return [];
  const slots = new Map((await listLibraryActivities(ctx)).map(({ id, slot }) => [id, slot]));
  const rows = new Map(block.duIds.map((id, row) => [id, row]));
  const asked = new Map<string, RequestAnchor>();
  anchors.forEach(({ duId, activityId, start, end }, at) => {
    const slot = slots.get(activityId);
    if (slot === undefined) throw new AppError("NO_ACTIVITY", {}, [{ path: `anchors.${at}.activityId`, code: "NO_ACTIVITY" }]);
    const given = { slot, start: dayNumber(start), end: dayNumber(end) };
    if (duId !== undefined) {
      const row = rows.get(duId);
      if (row !== undefined) asked.set(`${row} ${slot}`, { row, ...given });
      return;
    }
    for (let row = 0; row < block.duIds.length; row++)
      if (slot < block.width && (block.state[row * block.width + slot]! & 1) === 1 && !asked.has(`${row} ${slot}`))
        asked.set(`${row} ${slot}`, { row, ...given });
  });
  return [...asked.values()].sort((a, b) => a.row - b.row);
}

/** The stored form of a result, with the DUs that were not reached behind those that were. */
function pack(
  block: PlanBlock,
  result: ScheduleResult,
  calendars: Int32Array,
  flowPlaces: ReadonlyMap<number, number>,
  unreached: readonly number[],
  reached: ReadonlyMap<number, ReachedDu>,
): { bytes: Uint8Array<ArrayBuffer>; counts: PreviewCounts } {
  const { findings, movesAt } = result;
  const scheduled = block.duIds.length;
  const rows = scheduled + unreached.length;
  const count = movesAt[scheduled]!;
  const moves = new Uint16Array(moveWidth * count);
  for (let row = 0, next = 0; row < scheduled; row++)
    for (let move = movesAt[row]!; move < movesAt[row + 1]!; move++) {
      const slot = result.moves.slots[move]!;
      moves[next++] = slot;
      moves[next++] = block.planStart[row * block.width + slot]!;
      moves[next++] = block.planEnd[row * block.width + slot]!;
      moves[next++] = result.moves.starts[move]!;
      moves[next++] = result.moves.ends[move]!;
    }
  let refusedCount = unreached.length;
  for (let at = 0; at < findings.count; at++) if (findings.codes[at]! < scheduleRefusals.length) refusedCount++;
  const refused = new Int32Array(findingWidth * refusedCount);
  const warnings = new Int32Array(findingWidth * (findings.count + unreached.length - refusedCount));
  let nextRefused = 0;
  let nextWarning = 0;
  for (let at = 0; at < findings.count; at++) {
    const isRefusal = findings.codes[at]! < scheduleRefusals.length;
    const into = isRefusal ? refused : warnings;
    let next = isRefusal ? nextRefused : nextWarning;
    into[next++] = findings.rows[at]!;
    into[next++] = findings.slots[at]!;
    into[next++] = findings.codes[at]!;
    into[next++] = findings.days[at]!;
    if (isRefusal) nextRefused = next;
    else nextWarning = next;
  }
  unreached.forEach((id, at) => {
    const code: PreviewCode = reached.has(id) ? "NO_PERMISSION" : "DU_NOT_FOUND";
    refused.set([scheduled + at, 0, previewCodes.indexOf(code), 0], nextRefused + at * findingWidth);
  });
  const wide = <T extends Int32Array | Uint16Array>(array: T, values: ArrayLike<number>): T => {
    array.set(values);
    return array;
  };
  const bytes = packPreview(
    {
      duIds: Float64Array.from([...block.duIds, ...unreached]),
      versions: wide(new Int32Array(rows), block.versions),
      movesAt: wide(new Int32Array(rows + 1).fill(count), movesAt),
      calendars: wide(new Uint16Array(rows), calendars),
      flows: wide(
        new Uint16Array(rows),
        Array.from(block.flowIds, (id) => flowPlaces.get(id) ?? 0),
      ),
    },
    moves,
    refused,
    warnings,
  );
  return { bytes, counts: { rows, moves: count, refused: refusedCount, warnings: warnings.length / findingWidth } };
}

/** Expired previews of the project, and all but the last few of the caller, make room. */
async function dropOldPreviews({ sql, project, user, now }: Ctx): Promise<void> {
  await sql`
    delete from schedule_preview where project_id = ${project.id} and (expires_at <= ${now} or id in (
      select id from schedule_preview where project_id = ${project.id} and user_id = ${user.id} order by expires_at desc offset ${previewsPerPerson - 1}))`;
}

/** DUs and cells written, and what was refused. */
export type ApplyAnswer = { applied: number; cells: number; refused: RefusedRow[]; batchId: number | null };

/**
 * Writes the moves of a preview. A DU whose plan row, region or right changed since is refused alone; a changed calendar or flow version refuses the
 * whole preview [PREVIEW_STALE]. A preview is applied once.
 */
export async function applyPreview(ctx: Ctx, { previewId, excludeDuIds }: z.output<typeof ApplyPreview>): Promise<ApplyAnswer> {
  await ctx.sql`select 1 from schedule_preview where id = ${previewId} and project_id = ${ctx.project.id} and user_id = ${ctx.user.id} for update`;
  const preview = await getPreview(ctx, previewId);
  const calendars = await checkPreviewBasis(ctx, preview);
  const rows = await readPreviewRows(ctx, previewId, preview.counts);
  const moves = unpackMoves(await readPreviewSlice(ctx, previewId, sectionSlice(preview.counts, "moves")));
  const excluded = new Set(excludeDuIds);
  const wanted: number[] = [];
  const rowOfDu = new Map<number, number>();
  rows.duIds.forEach((duId, row) => {
    if (rows.movesAt[row] === rows.movesAt[row + 1] || excluded.has(duId)) return;
    wanted.push(duId);
    rowOfDu.set(duId, row);
  });

  const reached = await readReachedDus(ctx, wanted);
  const block = await readPlanRows(
    ctx,
    wanted.filter((id) => reached.get(id)?.may),
    { lock: true, fields: writableFields },
  );
  const locked = new Set(block.duIds);
  const refused = wanted
    .filter((id) => !locked.has(id))
    .map((duId): RefusedDu => ({ duId, slot: 0, code: reached.has(duId) ? "NO_PERMISSION" : "DU_NOT_FOUND", params: {} }));
  block.duIds.forEach((duId, at) => {
    const row = rowOfDu.get(duId)!;
    const calendar = calendarOf(calendars, reached.get(duId)!.regionId);
    if (block.versions[at] !== rows.versions[row] || calendar.id !== preview.calendars[rows.calendars[row]!]!.id) {
      refused.push({ duId, slot: 0, code: "PREVIEW_STALE", params: {} });
      return;
    }
    for (let move = rows.movesAt[row]! * moveWidth, to = rows.movesAt[row + 1]! * moveWidth; move < to; move += moveWidth) {
      const place = at * block.width + moves[move]!;
      block.planStart[place] = moves[move + 3]!;
      block.planEnd[place] = moves[move + 4]!;
    }
  });
  if (wanted.length > 0 && refused.length === wanted.length && refused.every(({ code }) => code === "PREVIEW_STALE"))
    throw new AppError("PREVIEW_STALE");

  const written = await writePlanRows(ctx, block, { source: "schedule", origin: { kind: "schedule", id: previewId } });
  for (const { duId, slot, code, params, withDu } of written.rejected) if (!withDu) refused.push({ duId, slot, code, params });
  await ctx.sql`delete from schedule_preview where id = ${previewId}`;
  ctx.audit(`schedule ${previewId}`, null, {
    mode: preview.mode,
    asOf: preview.asOf,
    applied: written.written.length,
    refused: refused.length,
    excluded: excluded.size,
    batchId: written.batchId,
  });
  return {
    applied: written.written.length,
    cells: written.cells,
    refused: await describeRefused(ctx, refused, "rollout.edit"),
    batchId: written.batchId,
  };
}

/** Refuses a preview whose calendars or flow versions are no longer those it was computed with. */
async function checkPreviewBasis(ctx: Ctx, preview: PreviewParams) {
  const calendars = await readCalendars(ctx);
  const present = new Map([calendars.project, ...calendars.regions.values()].map(({ id, rowVersion }) => [id, rowVersion]));
  const sameCalendars = preview.calendars.every(({ id, rowVersion }) => present.get(id) === rowVersion);
  const flows = await ctx.sql<{ id: number; version: number }[]>`
    select id, version from activity_flow where project_id = ${ctx.project.id} and id = any(${preview.flows.map(({ flowId }) => flowId)}::bigint[])`;
  const versions = new Map(flows.map(({ id, version }) => [id, version]));
  const sameFlows = preview.flows.every(({ flowId, version }) => versions.get(flowId) === version);
  if (!sameCalendars || !sameFlows) throw new AppError("PREVIEW_STALE");
  return calendars;
}

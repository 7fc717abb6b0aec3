import "server-only";
import type { z } from "zod";
import { type FlowGraph, readFlowGraph } from "#lib/activity-flows/queries.ts";
import { addMonths, dayNumber, firstDay, isoDay, lastDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Params } from "#lib/core/error.ts";
import type { Page } from "#lib/core/paging.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { getQuery } from "#lib/rollout-plan/filters/queries.ts";
import { planAheadYears } from "#lib/rollout-plan/plan-rows/limits.ts";
import type { PlanBlock } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { searchDaysMax } from "./calendar/limits.ts";
import { type Calendar, type Calendars, calendarOf, readCalendars } from "./calendar/queries.ts";
import { type PreviewCode, previewCodes, previewDusMax } from "./limits.ts";
import { runSchedule, type ScheduleResult } from "./logic.ts";
import { type CompiledFlow, compileFlow } from "./network/logic.ts";
import type { ScheduleMode } from "./passes/limits.ts";
import type { SchedulePlan, ScheduleRun } from "./passes/logic.ts";
import {
  findingWidth,
  moveWidth,
  type PreviewCounts,
  type PreviewRows,
  recordSlice,
  rowOfMove,
  type Slice,
  sectionSlice,
  unpackFindings,
  unpackMoves,
  unpackRows,
} from "./previews/logic.ts";
import type { FindAnchors, FindSubconPm, PreviewRowsInput } from "./schema.ts";

type Selection = { duIds?: number[] | undefined; queryId?: string | undefined };

/** DUs of a call in their order: those named, or those of a stored query. An empty selection is refused [DU_EMPTY]. */
export async function listSelectedDus(ctx: Ctx, { duIds, queryId }: Selection, max = previewDusMax): Promise<number[]> {
  if (duIds && duIds.length > 0) return duIds;
  if (!queryId) throw new AppError("DU_EMPTY");
  const query = await getQuery(ctx, queryId);
  if (query.duIds.length === 0) throw new AppError("DU_EMPTY");
  if (query.duIds.length > max) throw new AppError("TOO_MANY_DU", { max });
  return query.duIds;
}

/** What scheduling needs to know of a DU beside its plan: its region, and whether the caller may schedule it. */
export type ReachedDu = { regionId: number | null; may: boolean };

/** The DUs the caller sees among `duIds`; `right` is what he wants to do with them. */
export async function readReachedDus(
  { sql, scope }: Ctx,
  duIds: readonly number[],
  right: PermissionCode = "plan.schedule",
): Promise<Map<number, ReachedDu>> {
  const rows = await sql<{ id: number; regionId: number | null; may: boolean }[]>`
    select du.id, du.region_id as "regionId", (${scope.where(right)}) as may
    from du where ${scope.where("rollout.view")} and du.id = any(${[...duIds]}::bigint[])`;
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

type Run = Pick<ScheduleRun, "mode" | "changeControl" | "anchors"> & { asOf: string };

/** A run over plan rows, with the flows (each at its place) and calendars it used. */
export type ComputedSchedule = {
  result: ScheduleResult;
  graphs: FlowGraph[];
  flows: CompiledFlow[];
  flowPlaces: ReadonlyMap<number, number>;
  calendars: { used: Calendar[]; ofRow: Int32Array };
};

/** Schedules the rows of a block by the flows they follow and the calendars of their regions; nothing is written, in the block neither. */
export async function computeSchedule(
  ctx: Ctx,
  block: SchedulePlan & Pick<PlanBlock, "flowIds">,
  reached: ReadonlyMap<number, ReachedDu>,
  { mode, asOf, changeControl, anchors }: Run,
): Promise<ComputedSchedule> {
  const flowIds = [...new Set(block.flowIds)].filter((id) => id !== 0);
  const [read, all] = await Promise.all([readFlowGraph(ctx, flowIds), readCalendars(ctx)]);
  const graphs = [...read.values()];
  const flowPlaces = new Map(graphs.map((graph, place) => [graph.flowId, place]));
  const flows = graphs.map((graph) =>
    compileFlow(
      graph.nodes.map(({ nodeId, slot, leadTimeDays, isAnchor }) => ({ nodeId, slot, leadTime: leadTimeDays, anchor: isAnchor })),
      graph.relations,
    ),
  );
  const calendars = placeCalendars(all, block.duIds, reached);
  const result = runSchedule({
    plan: block,
    flows,
    flowOfRow: Int32Array.from(block.flowIds, (id) => flowPlaces.get(id) ?? -1),
    calendars: calendars.used.map(({ days }) => days),
    calendarOfRow: calendars.ofRow,
    mode,
    asOf: dayNumber(asOf),
    latestDay: dayNumber(addMonths(ctx.today, 12 * planAheadYears)),
    changeControl,
    anchors,
  });
  return { result, graphs, flows, flowPlaces, calendars };
}

function placeCalendars(
  calendars: Calendars,
  duIds: readonly number[],
  reached: ReadonlyMap<number, ReachedDu>,
): ComputedSchedule["calendars"] {
  const places = new Map<Calendar, number>();
  const ofRow = Int32Array.from(duIds, (id) => {
    const calendar = calendarOf(calendars, reached.get(id)!.regionId);
    if (!places.has(calendar)) places.set(calendar, places.size);
    return places.get(calendar)!;
  });
  return { used: [...places.keys()], ofRow };
}

/** The steps of a flow's cycle by name, the first once more at the end; nothing for other faults. */
export function loopNames(fault: CompiledFlow["fault"], nodes: FlowGraph["nodes"]): string[] {
  const loop = fault?.code === "CYCLE" ? fault.nodeIds.map((id) => nodes.find((node) => node.nodeId === id)!.name) : [];
  return loop.length > 0 ? [...loop, loop[0]!] : [];
}

/** A DU that was left as it is, the activity at fault (slot 0: the whole DU), and why. */
export type RefusedDu = { duId: number; slot: number; code: ErrorCode; params: Params };
/** The same as it is shown. */
export type RefusedRow = {
  duId: number;
  duCode: string | null;
  activityId: number | null;
  activityName: string | null;
  code: ErrorCode;
  text: string;
};

/** Names and texts of refusals; `right` is the one a NO_PERMISSION speaks of. */
export async function describeRefused(ctx: Ctx, refused: readonly RefusedDu[], right: PermissionCode): Promise<RefusedRow[]> {
  if (refused.length === 0) return [];
  const [codes, library] = await Promise.all([
    readDuCodes(
      ctx,
      refused.map(({ duId }) => duId),
    ),
    listLibraryActivities(ctx),
  ]);
  const activities = new Map(library.map((activity) => [activity.slot, activity]));
  return refused.map(({ duId, slot, code, params }) => {
    const activity = activities.get(slot);
    const duCode = codes.get(duId) ?? null;
    const given = { days: searchDaysMax, years: planAheadYears, min: isoDay(firstDay)!, max: isoDay(lastDay)! };
    return {
      duId,
      duCode,
      activityId: activity?.id ?? null,
      activityName: activity?.name ?? null,
      code,
      text: errorText(ctx.locale, code, { ...given, right, code: duCode ?? duId, activity: activity?.name ?? "", ...params }),
    };
  });
}

/** What a preview keeps beside its bytes. */
export type PreviewParams = {
  mode: ScheduleMode;
  asOf: string;
  counts: PreviewCounts;
  /** Calendars of the rows with the revision they were read with; id 0 = the project has none. */
  calendars: { id: number; rowVersion: number }[];
  flows: { flowId: number; version: number; loop?: string[] }[];
};

const expired = () => new AppError("PREVIEW_EXPIRED");

/** Parameters of the caller's own live preview. */
export async function getPreview({ sql, project, user, now }: Ctx, previewId: string): Promise<PreviewParams> {
  const [row] = await sql<{ params: PreviewParams }[]>`
    select params from schedule_preview
    where id = ${previewId} and project_id = ${project.id} and user_id = ${user.id} and expires_at > ${now}`;
  if (!row) throw expired();
  return row.params;
}

/** Some bytes of a preview; the reader has made sure that it is the caller's. */
export async function readPreviewSlice({ sql }: Pick<Ctx, "sql">, previewId: string, { at, length }: Slice): Promise<Uint8Array> {
  if (length === 0) return new Uint8Array(0);
  const [row] = await sql<{ bytes: Uint8Array }[]>`
    select substring(result from ${at + 1} for ${length}) as bytes from schedule_preview where id = ${previewId}`;
  if (!row) throw expired();
  return row.bytes;
}

/** The section of a preview that names its DUs. */
export async function readPreviewRows(ctx: Pick<Ctx, "sql">, previewId: string, counts: PreviewCounts): Promise<PreviewRows> {
  return unpackRows(await readPreviewSlice(ctx, previewId, sectionSlice(counts, "rows")), counts.rows);
}

/** One moved activity; `days` is by how many calendar days its end moves, null where it had none. */
export type PreviewMoveRow = {
  duId: number;
  duCode: string;
  activityId: number;
  activityName: string;
  oldStart: string | null;
  oldEnd: string | null;
  newStart: string;
  newEnd: string;
  days: number | null;
};
/** One refusal or warning; without activity it is about the whole DU, without code the caller does not see the DU. */
export type PreviewFindingRow = {
  duId: number;
  duCode: string | null;
  activityId: number | null;
  activityName: string | null;
  code: PreviewCode;
  text: string;
  days: number | null;
};

/** A page of one tab of the caller's own preview. */
export async function listPreviewRows(
  ctx: Ctx,
  { previewId, tab, page, size }: z.output<typeof PreviewRowsInput>,
): Promise<Page<PreviewMoveRow | PreviewFindingRow>> {
  const { counts, flows } = await getPreview(ctx, previewId);
  const from = (page - 1) * size;
  const total = counts[tab];
  if (from >= total) return { records: [], total, page, size };
  const [rows, bytes, library] = await Promise.all([
    readPreviewRows(ctx, previewId, counts),
    readPreviewSlice(ctx, previewId, recordSlice(counts, tab, from, size)),
    listLibraryActivities(ctx),
  ]);
  const activities = new Map(library.map((activity) => [activity.slot, activity]));
  const names = (slots: ArrayLike<number>, width: number, at: number) => activities.get(slots[at * width]!);

  if (tab === "moves") {
    const moves = unpackMoves(bytes);
    const places = Array.from({ length: moves.length / moveWidth }, (_, at) => ({ at, row: rowOfMove(rows.movesAt, from + at) }));
    const codes = await readDuCodes(
      ctx,
      places.map(({ row }) => rows.duIds[row]!),
    );
    const records = places.flatMap(({ at, row }) => {
      const duId = rows.duIds[row]!;
      const [oldStart, oldEnd, newStart, newEnd] = moves.subarray(at * moveWidth + 1, (at + 1) * moveWidth) as unknown as number[];
      const activity = names(moves, moveWidth, at);
      const duCode = codes.get(duId);
      if (!activity || duCode === undefined) return [];
      return {
        duId,
        duCode,
        activityId: activity.id,
        activityName: activity.name,
        oldStart: isoDay(oldStart!),
        oldEnd: isoDay(oldEnd!),
        newStart: isoDay(newStart!)!,
        newEnd: isoDay(newEnd!)!,
        days: oldEnd === 0 ? null : newEnd! - oldEnd!,
      };
    });
    return { records, total, page, size };
  }

  const findings = unpackFindings(bytes);
  const places = Array.from({ length: findings.length / findingWidth }, (_, at) => at * findingWidth);
  const codes = await readDuCodes(
    ctx,
    places.map((at) => rows.duIds[findings[at]!]!),
  );
  const records = places.map((at) => {
    const row = findings[at]!;
    const duId = rows.duIds[row]!;
    const activity = activities.get(findings[at + 1]!);
    const code = previewCodes[findings[at + 2]!]!;
    const days = findings[at + 3]!;
    const loop = flows[rows.flows[row]!]?.loop ?? [];
    const duCode = codes.get(duId) ?? null;
    return {
      duId,
      duCode,
      activityId: activity?.id ?? null,
      activityName: activity?.name ?? null,
      code,
      text: findingText(ctx, code, { activity: activity?.name ?? "", days, loop: loop.join(" → "), code: duCode ?? duId }),
      days: code === "CONFLICT" ? days : null,
    };
  });
  return { records, total, page, size };
}

/** A refusal or warning in the caller's language; every text takes what it needs. */
export function findingText({ locale }: Pick<Ctx, "locale">, code: PreviewCode | "PREVIEW_STALE", given: Params): string {
  const days = code === "INVALID_CALENDAR" ? searchDaysMax : (given.days ?? 0);
  return errorText(locale, code, {
    ...given,
    days,
    years: planAheadYears,
    min: isoDay(firstDay)!,
    max: isoDay(lastDay)!,
    right: "plan.schedule",
  });
}

/** Codes of the DUs the caller sees. */
export async function readDuCodes({ sql, scope }: Pick<Ctx, "sql" | "scope">, duIds: readonly number[]): Promise<Map<number, string>> {
  const ids = [...new Set(duIds)];
  const rows = await sql<{ id: number; code: string }[]>`
    select du.id, du.code from du where ${scope.where("rollout.view")} and du.id = any(${ids}::bigint[])`;
  return new Map(rows.map(({ id, code }) => [id, code]));
}

export type FlowAnchor = {
  activityId: number;
  name: string;
  /** DUs of the selection in which it is not applicable, has no date at all, lies between the two days. */
  notApplicable: number;
  dateless: number;
  earliest: string | null;
  latest: string | null;
};
export type FlowAnchors = {
  flowId: number;
  name: string;
  duCount: number;
  anchors: FlowAnchor[];
  /** Every activity of the flow that could be made an anchor for one run. */
  activities: { activityId: number; name: string }[];
};

/** Anchors of each flow among the chosen DUs with the dates they have, and how many DUs follow no flow. */
export async function listAnchors(
  ctx: Ctx,
  input: z.output<typeof FindAnchors>,
): Promise<{ flows: FlowAnchors[]; duCount: number; withoutFlow: number }> {
  const duIds = await listSelectedDus(ctx, input);
  const reached = await readReachedDus(ctx, duIds);
  const block = await readPlanRows(ctx, [...reached.keys()], { fields: ["planStart", "planEnd", "actualStart", "actualEnd"] });
  const graphs = await readFlowGraph(
    ctx,
    [...new Set(block.flowIds)].filter((id) => id !== 0),
  );
  const flows = [...graphs.values()].map((graph): FlowAnchors => {
    const rows = [...block.duIds.keys()].filter((row) => block.flowIds[row] === graph.flowId);
    const linked = graph.nodes.filter((node) => node.slot !== null && node.activityId !== null);
    return {
      flowId: graph.flowId,
      name: graph.name,
      duCount: rows.length,
      anchors: linked.filter((node) => node.isAnchor).map((node) => anchorDates(block, rows, node)),
      activities: linked.map((node) => ({ activityId: node.activityId!, name: node.name })),
    };
  });
  return { flows, duCount: duIds.length, withoutFlow: block.flowIds.filter((id) => id === 0).length };
}

function anchorDates(
  block: Awaited<ReturnType<typeof readPlanRows>>,
  rows: readonly number[],
  node: FlowGraph["nodes"][number],
): FlowAnchor {
  let notApplicable = 0;
  let dateless = 0;
  let earliest = 0;
  let latest = 0;
  for (const row of rows) {
    const at = row * block.width + node.slot!;
    if ((block.state[at]! & 7) !== 1) {
      notApplicable++;
      continue;
    }
    const actual = [block.actualStart[at]!, block.actualEnd[at]!].filter((day) => day !== 0);
    const days = actual.length > 0 ? actual : [block.planStart[at]!, block.planEnd[at]!].filter((day) => day !== 0);
    if (days.length === 0) dateless++;
    for (const day of days) {
      if (earliest === 0 || day < earliest) earliest = day;
      if (day > latest) latest = day;
    }
  }
  return { activityId: node.activityId!, name: node.name, notApplicable, dateless, earliest: isoDay(earliest), latest: isoDay(latest) };
}

export type SubconPm = { account: string; name: string; subcontractor: string | null };

/**
 * Valid members of role SUBCON_PM with their company: those whose company delivers one of the DUs, or any where none of the DUs has a company yet
 * and the caller sees the whole project.
 */
export async function findSubconPm(ctx: Ctx, { duIds, regionId, searchKey }: z.output<typeof FindSubconPm>): Promise<SubconPm[]> {
  const { sql, scope, project, today } = ctx;
  const chosen = duIds ? sql`du.id = any(${duIds}::bigint[])` : sql`du.region_id = ${regionId ?? 0}`;
  const companies = await sql<{ id: number }[]>`
    select distinct du.subcontractor_id as id from du where ${scope.where("rollout.view")} and ${chosen} and du.subcontractor_id is not null`;
  const ids = companies.map(({ id }) => id);
  const like = `%${(searchKey ?? "").replace(/[\\%_]/g, "\\$&")}%`;
  const company = ids.length > 0 ? sql`s.id = any(${ids}::bigint[])` : scope.all("rollout.view") ? sql`true` : sql`false`;
  return [
    ...(await sql<SubconPm[]>`
      select u.account, u.name, s.name as subcontractor
      from project_member m
      join app_user u on u.id = m.user_id and u.active
      left join resource c on c.project_id = m.project_id and c.user_id = m.user_id and c.status = 'ACTIVE'
      left join subcontractor s on s.id = c.subcontractor_id
      where m.project_id = ${project.id} and m.role = 'SUBCON_PM' and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
        and ${company} and ${scope.company(sql`s.id`)} and (u.account ilike ${like} or u.name ilike ${like} or s.name ilike ${like})
      order by s.name nulls last, u.name, u.account limit 200`),
  ];
}

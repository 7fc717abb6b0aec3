import "server-only";
import { slotsMax } from "#lib/activity-flows/library/limits.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { SharedReadings } from "#lib/core/shared-readings.ts";
import { accumulate } from "#lib/plan-versions/progress/logic.ts";
import { periodRange } from "#lib/rollout-plan/conditions/logic.ts";
import { compileQuestion } from "#lib/rollout-plan/conditions/queries.ts";
import { keepDus } from "#lib/rollout-plan/filters/queries.ts";
import { listLibraryActivities, readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { type Dimension, dimensionValue, getDimension, readTitles } from "../dimensions/queries.ts";
import { findGlobal, getTab, type Tab } from "../queries.ts";
import { drillHours, keptCounts, previewRows, type TrendLine, trendLines } from "./limits.ts";
import {
  type Arrangement,
  arrangeRows,
  type CountFrame,
  type Counts,
  countRows,
  type DuRead,
  holds,
  inRow,
  pickSlots,
  type RowKey,
  rateOf,
  type ViewRow,
  valuesOf,
  viewRow,
} from "./logic.ts";
import type { DrillInto, PreviewTab, QueryView, ReadTrend, ViewPeriodInput } from "./schema.ts";

type Filters = QueryView["filters"];
type Activity = { id: number; name: string; slot: number };

/** A page of a view: its rows, the row of all, and when they were counted. */
export type View = {
  dimension: Dimension;
  activities: { id: number; name: string }[];
  rows: ViewRow[];
  totals: ViewRow;
  /** Rows that fit the search. */
  count: number;
  page: number;
  size: number;
  /** Values folded into one row. */
  folded: number;
  /** DUs have several values: the rows count each once per value, the totals once. */
  several: boolean;
  /** Amounts are hidden from the caller. */
  hidden: boolean;
  /** The day counting ends with. */
  until: string;
  asOf: Date;
  seq: number;
};

type Counted = { counts: Counts; asOf: Date; seq: number };

const countings = new SharedReadings<Counted>(keptCounts);

/**
 * A page of a tab.
 * @throws NOT_FOUND for a tab the caller does not see, or whose field is gone
 */
export async function queryView(ctx: Ctx, input: QueryView): Promise<View> {
  const { view, activities, dimension, titles, counted } = await countTab(ctx, input);
  const titleOf = (value: string) => titles.get(value) ?? value;
  const places = arrangeRows(counted.counts, input, titleOf);
  const first = (input.page - 1) * input.size;
  const shown = (place: number) => {
    const { value } = counted.counts.keys[place] as RowKey;
    return viewRow(counted.counts, place, value === null ? null : titleOf(value), view.hidden);
  };
  return {
    dimension,
    activities: activities.map(({ id, name }) => ({ id, name })),
    rows: places.slice(first, first + input.size).map(shown),
    totals: shown(counted.counts.keys.length - 1),
    count: places.length,
    page: input.page,
    size: input.size,
    folded: counted.counts.folded,
    several: counted.counts.several,
    hidden: view.hidden,
    until: isoDay(view.end) as string,
    asOf: counted.asOf,
    seq: counted.seq,
  };
}

/** All rows of a tab as arranged, with their totals last: what an export is made of. */
export async function readWholeView(ctx: Ctx, input: Pick<QueryView, "tabId" | "period" | "filters"> & Arrangement): Promise<View> {
  return queryView(ctx, { ...input, page: 1, size: Number.MAX_SAFE_INTEGER } as QueryView);
}

async function countTab(ctx: Ctx, { tabId, period, filters }: Pick<QueryView, "tabId" | "period" | "filters">) {
  const { tab, config } = await getTab(ctx, tabId);
  const dimension = await getDimension(ctx, tab.dimension);
  const [activities, titles] = await Promise.all([readActivities(ctx, tab.activityIds), readTitles(ctx, dimension)]);
  const end = endOf(period, ctx.today);
  const hidden = ctx.can("rollout.duCountHide");
  const key = JSON.stringify([
    ctx.project.id,
    ctx.scope.fingerprint("rollout.view"),
    tab.id,
    tab.rowVersion,
    end,
    filters,
    ctx.today,
    config.rowLimit,
  ]);
  const counted = await countings.read(
    key,
    () => readPlanSeq(ctx),
    async (seq) => ({
      counts: countRows(await readDus(ctx, dimension, activities, filters), frameOf(end, ctx.today), config.rowLimit),
      asOf: ctx.now,
      seq,
    }),
  );
  return { view: { end, hidden }, activities, dimension, titles, counted };
}

const frameOf = (end: number, today: string): CountFrame => ({ end, today: dayNumber(today) });

function endOf(period: ViewPeriodInput | undefined, today: string): number {
  if (!period) return dayNumber(today);
  return "preset" in period ? periodRange(period.preset, today).to : dayNumber(period.to);
}

/** Activities of a tab in their order, with their slots. */
async function readActivities(ctx: Ctx, ids: readonly number[]): Promise<Activity[]> {
  const library = new Map((await listLibraryActivities(ctx)).map((activity) => [activity.id, activity]));
  return ids.flatMap((id) => library.get(id) ?? []);
}

/** The DUs the caller sees, each with its values beside the dates of the activities: one read. */
async function readDus(
  ctx: Ctx,
  dimension: Dimension,
  activities: readonly Activity[],
  filters: Filters,
  baseline = false,
): Promise<DuRead> {
  const { sql } = ctx;
  const asked = filters.length > 0 ? await compileQuestion(ctx, { filters, sort: [] }) : null;
  const rows = await sql<
    { id: number; value: unknown; state: string; planEnd: string | null; actualEnd: string | null; baselineEnd: string | null }[]
  >`
    select du.id, ${dimensionValue(ctx, dimension)} as value, p.state::text as state, p.plan_end::text as "planEnd", p.actual_end::text as "actualEnd",
      ${baseline ? sql`p.baseline_end::text` : sql`null`} as "baselineEnd"
    from du join du_plan p on p.du_id = du.id join customer_site s on s.id = du.site_id
    where ${asked ? sql`du.id in (select du.id from ${asked.source} where ${asked.where})` : ctx.scope.where("rollout.view")} order by du.id`;
  const width = activities.length;
  const last = Math.max(0, ...activities.map(({ slot }) => slot));
  const places = new Uint8Array(slotsMax + 1);
  activities.forEach(({ slot }, place) => {
    places[slot] = place + 1;
  });
  const read: DuRead = {
    duIds: rows.map(({ id }) => id),
    values: rows.map(({ value }) => valuesOf(value)),
    width,
    state: new Int32Array(rows.length * width),
    planEnd: new Uint16Array(rows.length * width),
    actualEnd: new Uint16Array(rows.length * width),
    baselineEnd: new Uint16Array(baseline ? rows.length * width : 0),
  };
  rows.forEach((row, at) => {
    for (const field of ["state", "planEnd", "actualEnd", "baselineEnd"] as const)
      pickSlots(row[field], places, last, read[field], at * width);
  });
  return read;
}

/** The first rows of a tab as it is being edited. @throws NOT_FOUND for a field or activity there is not */
export async function previewTab(ctx: Ctx, { dimension: key, activityIds }: PreviewTab): Promise<Omit<View, "page" | "size" | "seq">> {
  const [dimension, activities, { rowLimit }] = await Promise.all([
    getDimension(ctx, key),
    readActivities(ctx, activityIds),
    findGlobal(ctx),
  ]);
  const [read, titles] = await Promise.all([readDus(ctx, dimension, activities, []), readTitles(ctx, dimension)]);
  const end = dayNumber(ctx.today);
  const counts = countRows(read, frameOf(end, ctx.today), rowLimit);
  const hidden = ctx.can("rollout.duCountHide");
  const titleOf = (value: string) => titles.get(value) ?? value;
  const places = arrangeRows(counts, {}, titleOf);
  const shown = (place: number) => {
    const { value } = counts.keys[place] as RowKey;
    return viewRow(counts, place, value === null ? null : titleOf(value), hidden);
  };
  return {
    dimension,
    activities: activities.map(({ id, name }) => ({ id, name })),
    rows: places.slice(0, previewRows).map(shown),
    totals: shown(counts.keys.length - 1),
    count: places.length,
    folded: counts.folded,
    several: counts.several,
    hidden,
    until: ctx.today,
    asOf: ctx.now,
  };
}

/** Which DUs of a read stand in the row a call names. */
function rowFilter(read: DuRead, { row, value }: Pick<DrillInto, "row" | "value">, rowLimit: number): (du: number) => boolean {
  const kind = row ?? (value === undefined ? "all" : "value");
  if (kind === "all") return () => true;
  // Only the folded row depends on which values have rows of their own.
  const shown = new Set(kind === "others" ? countRows({ ...read, width: 0 }, { end: 0, today: 0 }, rowLimit).keys.flatMap(shownValue) : []);
  const key: RowKey = { kind, value: value ?? null };
  return (du) => inRow(read.values[du] as readonly string[], key, shown);
}

const shownValue = ({ kind, value }: RowKey): (string | null)[] => (kind === "value" || kind === "empty" ? [value] : []);

/** The tab's activity a call names. @throws NOT_FOUND for one it does not count */
async function activityOf(ctx: Ctx, tab: Tab, id: number): Promise<Activity> {
  const [activity] = tab.activityIds.includes(id) ? await readActivities(ctx, [id]) : [];
  if (!activity) throw new AppError("NOT_FOUND", { object: id });
  return activity;
}

/** Keeps the DUs a number counts, for the grid to open. @throws NOT_FOUND */
export async function drillInto(ctx: Ctx, input: DrillInto): Promise<{ queryId: string; total: number | null }> {
  const { tab, config } = await getTab(ctx, input.tabId);
  const dimension = await getDimension(ctx, tab.dimension);
  const activities = input.activityId === undefined ? [] : [await activityOf(ctx, tab, input.activityId)];
  const read = await readDus(ctx, dimension, activities, input.filters);
  const frame = frameOf(endOf(input.period, ctx.today), ctx.today);
  const isWanted = rowFilter(read, input, config.rowLimit);
  const { bucket } = input;
  const duIds = read.duIds.filter(
    (_, du) =>
      isWanted(du) &&
      (bucket === "total" || holds(bucket, read.state[du] as number, read.planEnd[du] as number, read.actualEnd[du] as number, frame)),
  );
  const queryId = await keepDus(ctx, duIds, drillHours);
  return { queryId, total: ctx.can("rollout.duCountHide") ? null : duIds.length };
}

/** Cumulative lines of one activity: how many DUs were to be, are, and were promised to be done by the end of each step. */
export type Trend = {
  steps: string[];
  lines: Record<TrendLine, number[]>;
  applicable: number | null;
  /** The lines are percent of what applies: the caller does not see amounts. */
  percent: boolean;
};

/** @throws NOT_FOUND */
export async function readTrend(ctx: Ctx, input: ReadTrend): Promise<Trend> {
  const { tab, config } = await getTab(ctx, input.tabId);
  const dimension = await getDimension(ctx, tab.dimension);
  const read = await readDus(ctx, dimension, [await activityOf(ctx, tab, input.activityId)], input.filters, true);
  const isWanted = rowFilter(read, input, config.rowLimit);
  const days = { plan: read.planEnd, actual: read.actualEnd, baseline: read.baselineEnd };
  const series = trendLines.map(() => new Map<number, number>());
  let applicable = 0;
  read.duIds.forEach((_, du) => {
    if (!isWanted(du) || !holds("applicable", read.state[du] as number, 0, 0, { end: 0, today: 0 })) return;
    applicable++;
    trendLines.forEach((line, at) => {
      const day = days[line][du] as number;
      if (day > 0) (series[at] as Map<number, number>).set(day, (series[at]?.get(day) ?? 0) + 1);
    });
  });
  const { steps, sums } = accumulate(series, input.grain);
  const percent = ctx.can("rollout.duCountHide");
  const lines = Object.fromEntries(
    trendLines.map((line, at) => [line, percent ? (sums[at] as number[]).map((sum) => rateOf(sum, applicable) ?? 0) : sums[at]]),
  ) as Trend["lines"];
  return { steps: steps.map((step) => isoDay(step) as string), lines, applicable: percent ? null : applicable, percent };
}

import "server-only";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { duColumn } from "#lib/rollout-plan/columns/queries.ts";
import { getQuery } from "#lib/rollout-plan/filters/queries.ts";
import { bitMask } from "#lib/rollout-plan/plan-rows/logic.ts";
import { type LibraryActivity, listLibraryActivities, readOwnerSets } from "#lib/rollout-plan/plan-rows/queries.ts";
import { type CalendarRule, calendarOf, listCalendarRules, readCalendars } from "#lib/scheduling/calendar/queries.ts";
import { type BoardGroup, boardCardsMax, noLane, unscheduledMax } from "./limits.ts";
import { runningCounts, type Step, weekOf, workedOn } from "./logic.ts";
import type { BoardInput } from "./schema.ts";

/**
 * A lane: `count` activities stand in it on each day, of which `load` are worked on by the calendar of their DU, and `weeks` different ones in each
 * week (Sunday to Saturday) the days touch. All null where DU counts are hidden.
 */
export type BoardLane = { id: number; title: string | null; count: number[] | null; load: number[] | null; weeks: number[] | null };

/** A DU that cards stand for. */
export type BoardDu = { id: number; code: string; name: string; regionId: number | null; releaseState: number };

/** An incomplete activity: place of its DU in `dus`, its plan dates as day numbers (0 = empty), the bits of its state, the lanes it stands in. */
export type BoardCard = [du: number, activityId: number, planStart: number, planEnd: number, state: number, lanes: number[]];

export type Board = {
  seq: number;
  from: string;
  to: string;
  groupBy: BoardGroup;
  /** Null where only cards were asked for. */
  lanes: BoardLane[] | null;
  dus: BoardDu[];
  /** Cards of the asked lanes that stand on one of the days; null where none were asked for or there are too many. */
  cards: BoardCard[] | null;
  /** Incomplete activities without plan dates, in the order of the query; null where lanes were asked for. */
  unscheduled: { cards: BoardCard[]; more: boolean } | null;
  /** Calendars of the project, for moving cards by working days; null where lanes were asked for. */
  calendars: CalendarRule[] | null;
};

/** What the statements of one board share. */
type Frame = {
  ctx: Ctx;
  duIds: readonly number[];
  groupBy: BoardGroup;
  from: number;
  to: number;
  library: ReadonlyMap<number, LibraryActivity>;
  slots: number[] | null;
  /** Lanes asked for, and the owner sets with one of them in it. */
  lanes: readonly number[] | null;
  sets: number[] | null;
};

/**
 * The activities of a kept query that are not done, by lane and day.
 * @throws QUERY_EXPIRED
 */
export async function readBoard(ctx: Ctx, input: BoardInput): Promise<Board> {
  const [kept, library] = await Promise.all([getQuery(ctx, input.queryId), listLibraryActivities(ctx)]);
  const asked = input.activityIds ? new Set(input.activityIds) : null;
  const lanes = input.lanes ? [...new Set(input.lanes)] : null;
  const frame: Frame = {
    ctx,
    duIds: kept.duIds,
    groupBy: input.groupBy,
    from: dayNumber(input.from),
    to: dayNumber(input.to),
    library: new Map(library.map((activity) => [activity.slot, activity])),
    slots: asked && library.filter(({ id }) => asked.has(id)).map(({ slot }) => slot),
    lanes,
    sets: lanes && input.groupBy === "owner" ? await listSetsOf(ctx, lanes) : null,
  };
  const dus = new DuBook();
  const reading = lanes ? null : readUnscheduled(frame);
  const [counted, cards, unscheduled, calendars] = await Promise.all([
    input.counts || !lanes ? countLanes(frame, reading) : null,
    lanes ? readCards(frame) : null,
    reading,
    lanes ? null : listCalendarRules(ctx),
  ]);
  return {
    seq: kept.seq,
    from: input.from,
    to: input.to,
    groupBy: input.groupBy,
    lanes: counted,
    cards: cards && dus.take(cards),
    unscheduled: unscheduled && { cards: dus.take(unscheduled.rows), more: unscheduled.more },
    calendars,
    dus: dus.list,
  };
}

const incomplete = 7 | bitMask("closed");

/** What a row is grouped by; other companies are none for who works for one. */
function laneOf(ctx: Ctx, groupBy: BoardGroup) {
  const { sql } = ctx;
  if (groupBy === "subcontractor") return sql`coalesce(${duColumn(ctx, "subcontractor")}, 0)`;
  return sql.unsafe({ owner: "coalesce(u.owner, 0)", region: "coalesce(du.region_id, 0)", cluster: "coalesce(du.cluster_id, 0)" }[groupBy]);
}

/** Incomplete activities, one row each, with their DU and its place in the query: `s` and `e` are their plan dates, an empty one that of the other. */
function openActivities({ ctx, duIds, slots, groupBy, lanes, sets }: Frame) {
  const { sql } = ctx;
  const within =
    lanes === null
      ? sql``
      : groupBy === "owner"
        ? sql`and coalesce(u.owner, 0) = any(${sets ?? []}::int[])`
        : sql`and ${laneOf(ctx, groupBy)} = any(${[...lanes]}::bigint[])`;
  return {
    source: sql`unnest(${[...duIds]}::bigint[]) with ordinality w(id, place)
      join du on du.id = w.id
      join du_plan p on p.du_id = du.id and p.applicable_count > p.done_count
      cross join lateral unnest(p.plan_start, p.plan_end, p.actual_end, p.state, p.plan_owner) with ordinality
        as u(plan_start, plan_end, done, state, owner, slot)
      cross join lateral (select coalesce(nullif(u.plan_start, 0), u.plan_end, 0)::int as s, coalesce(nullif(u.plan_end, 0), u.plan_start, 0)::int as e) d`,
    where: sql`${ctx.scope.where("rollout.view")} and u.state & ${incomplete}::int = 1 and coalesce(u.done, 0) = 0
      ${slots === null ? sql`` : sql`and u.slot = any(${slots}::bigint[])`} ${within}`,
  };
}

/** Owner sets that hold one of the people; 0 stands for itself. */
async function listSetsOf(ctx: Ctx, lanes: readonly number[]): Promise<number[]> {
  const rows = await ctx.sql<{ id: number }[]>`
    select id from owner_set where project_id = ${ctx.project.id} and user_ids && ${[...lanes]}::bigint[]`;
  return [...rows.map(({ id }) => id), ...(lanes.includes(noLane) ? [noLane] : [])];
}

type StepRow = { lane: number; calendar: number; week: boolean; at: number; by: number };

/** Every lane with its figures; those asked for only where lanes were. What is not planned has its lanes too, empty as they are. */
async function countLanes(frame: Frame, reading: Promise<{ rows: Card[] }> | null): Promise<BoardLane[]> {
  const { ctx, from, to } = frame;
  const { sql } = ctx;
  const calendars = await readCalendars(ctx);
  const { source, where } = openActivities(frame);
  // Where a number changes is a tenth of where it stands: the steps are counted here and summed up afterwards.
  const rows = await sql<StepRow[]>`
    select ${laneOf(ctx, frame.groupBy)}::int as lane,
      case when du.region_id = any(${[...calendars.regions.keys()]}::bigint[]) then du.region_id else 0 end::int as calendar,
      x.week, x.at, sum(x.by)::int as by
    from ${source}
    cross join lateral (values
      (false, greatest(d.s, ${from}::int), 1), (false, d.e + 1, -1),
      (true, (greatest(d.s, ${from}::int) + 6) / 7, 1), (true, (least(d.e, ${to}::int) + 6) / 7 + 1, -1)) x(week, at, by)
    where ${where} and d.s between 1 and ${to}::int and d.e >= ${from}::int
    group by 1, 2, 3, 4`;
  const members = await membersOf(frame, rows);
  const steps = new Map<number, { days: Map<number, Step[]>; weeks: Step[] }>();
  for (const { lane: given, calendar, week, at, by } of rows)
    for (const lane of members(given)) {
      const found = steps.get(lane) ?? { days: new Map<number, Step[]>(), weeks: [] };
      steps.set(lane, found);
      if (week) found.weeks.push({ at, by });
      else {
        const days = found.days.get(calendar) ?? [];
        found.days.set(calendar, days);
        days.push({ at, by });
      }
    }
  for (const lane of (await reading)?.rows.flatMap((card) => card.lanes) ?? [])
    if (!steps.has(lane)) steps.set(lane, { days: new Map([[0, []]]), weeks: [] });
  const hidden = ctx.can("rollout.duCountHide");
  const titles = await readTitles(frame, [...steps.keys()]);
  const lanes = [...steps].map(([id, { days, weeks }]): BoardLane => {
    const title = titles.get(id) ?? null;
    if (hidden) return { id, title, count: null, load: null, weeks: null };
    const parts = [...days].map(([region, list]) => {
      const count = runningCounts(list, from, to);
      return { count, load: workedOn(count, from, calendarOf(calendars, region === 0 ? null : region).days) };
    });
    return {
      id,
      title,
      count: sumOf(parts.map(({ count }) => count)),
      load: sumOf(parts.map(({ load }) => load)),
      weeks: runningCounts(weeks, weekOf(from), weekOf(to)),
    };
  });
  const order = new Intl.Collator(ctx.locale, { numeric: true });
  return lanes.sort((a, b) => Number(a.id === noLane) - Number(b.id === noLane) || order.compare(a.title ?? "", b.title ?? ""));
}

const sumOf = (lists: readonly number[][]): number[] => (lists[0] ?? []).map((_, at) => lists.reduce((sum, list) => sum + list[at]!, 0));

/** From what a row is grouped by to the lanes it stands in: an owner set stands in those of its members. */
async function membersOf({ ctx, groupBy, lanes }: Frame, rows: readonly { lane: number }[]): Promise<(lane: number) => number[]> {
  const asked = lanes && new Set(lanes);
  const wanted = (ids: number[]) => (asked ? ids.filter((id) => asked.has(id)) : ids);
  if (groupBy !== "owner") return (lane) => [lane];
  const sets = await readOwnerSets(ctx, [...new Set(rows.map(({ lane }) => lane))].filter(Boolean));
  return (lane) => wanted(lane === noLane ? [noLane] : (sets.get(lane) ?? []));
}

async function readTitles({ ctx, groupBy }: Frame, ids: readonly number[]): Promise<Map<number, string>> {
  const { sql, project } = ctx;
  const list = [...ids];
  switch (groupBy) {
    case "owner": {
      const rows = await sql<{ id: number; title: string }[]>`select id, name as title from app_user where id = any(${list}::bigint[])`;
      return new Map(rows.map(({ id, title }) => [id, title]));
    }
    default: {
      const told = groupBy === "subcontractor" ? ctx.scope.company(sql`id`) : sql`true`;
      const table = sql.unsafe({ region: "delivery_region", subcontractor: "subcontractor", cluster: "cluster" }[groupBy]);
      const rows = await sql<{ id: number; title: string }[]>`
        select id, name as title from ${table} where project_id = ${project.id} and ${told} and id = any(${list}::bigint[])`;
      return new Map(rows.map(({ id, title }) => [id, title]));
    }
  }
}

type CardRow = {
  duId: number;
  code: string;
  name: string;
  regionId: number | null;
  releaseState: number;
  slot: number;
  planStart: number;
  planEnd: number;
  state: number;
  lane: number;
};
type Card = Omit<CardRow, "lane" | "slot"> & { activityId: number; lanes: number[] };

const cardColumns = `du.id as "duId", du.code, du.name, du.region_id as "regionId", p.release_state as "releaseState", u.slot::int as slot,
  coalesce(u.plan_start, 0)::int as "planStart", coalesce(u.plan_end, 0)::int as "planEnd", u.state`;

/** Cards of the lanes asked for; null where they are too many. */
async function readCards(frame: Frame): Promise<Card[] | null> {
  const { ctx, from, to, groupBy } = frame;
  const { sql } = ctx;
  const { source, where } = openActivities(frame);
  const rows = await sql<CardRow[]>`
    select ${sql.unsafe(cardColumns)}, ${laneOf(ctx, groupBy)}::int as lane
    from ${source} where ${where} and d.s between 1 and ${to}::int and d.e >= ${from}::int
    limit ${boardCardsMax + 1}`;
  if (rows.length > boardCardsMax) return null;
  const cards = await toCards(frame, rows);
  return cards.reduce((sum, card) => sum + card.lanes.length, 0) > boardCardsMax ? null : cards;
}

async function readUnscheduled(frame: Frame): Promise<{ rows: Card[]; more: boolean }> {
  const { ctx, groupBy } = frame;
  const { sql } = ctx;
  const { source, where } = openActivities(frame);
  const rows = await sql<CardRow[]>`
    select ${sql.unsafe(cardColumns)}, ${laneOf(ctx, groupBy)}::int as lane
    from ${source} where ${where} and d.s = 0
    order by w.place, u.slot limit ${unscheduledMax + 1}`;
  return { rows: await toCards(frame, rows.slice(0, unscheduledMax)), more: rows.length > unscheduledMax };
}

async function toCards(frame: Frame, rows: readonly CardRow[]): Promise<Card[]> {
  const members = await membersOf(frame, rows);
  return rows.map(({ lane, slot, ...card }) => ({ ...card, activityId: frame.library.get(slot)?.id ?? 0, lanes: members(lane) }));
}

/** The DUs of an answer, each once. */
class DuBook {
  readonly list: BoardDu[] = [];
  private readonly places = new Map<number, number>();

  take(cards: readonly Card[]): BoardCard[] {
    return cards.map(({ duId, code, name, regionId, releaseState, activityId, planStart, planEnd, state, lanes }) => {
      let place = this.places.get(duId);
      if (place === undefined) {
        place = this.list.push({ id: duId, code, name, regionId, releaseState }) - 1;
        this.places.set(duId, place);
      }
      return [place, activityId, planStart, planEnd, state, lanes];
    });
  }
}

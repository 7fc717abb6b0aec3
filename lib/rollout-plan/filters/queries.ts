import "server-only";
import { createHash } from "node:crypto";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { filterChars } from "#lib/core/filter-limits.ts";
import { SharedReadings } from "#lib/core/shared-readings.ts";
import { choiceTitle, duColumnSql } from "#lib/rollout-plan/columns/queries.ts";
import { likeText } from "#lib/rollout-plan/conditions/logic.ts";
import { compileQuestion, compileValues } from "#lib/rollout-plan/conditions/queries.ts";
import { PlanQuestion } from "#lib/rollout-plan/conditions/schema.ts";
import type { ExceptionKind } from "#lib/rollout-plan/exceptions/limits.ts";
import { listWithException } from "#lib/rollout-plan/exceptions/queries.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { bitMask } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import { rememberIds } from "#lib/rollout-plan/tile-rows/queries.ts";
import { facetMax, keptSummaries, queryMinutes } from "./limits.ts";
import type { FacetInput, FilterInput, SummaryInput } from "./schema.ts";

/** A kept result: DU ids in order, and the change number they belong to. */
export type KeptQuery = { id: string; duIds: number[]; total: number; seq: number };

export type FilterResult = { queryId: string; total: number | null; unmatched: string[]; seq: number; duIds?: number[] };

/**
 * Runs a question, or finds the result of the same question under the same rights at the same change number, and keeps it for ten minutes.
 * Counts are left out for those from whom they are hidden.
 */
export async function filterPlan(ctx: Ctx, input: FilterInput): Promise<FilterResult> {
  const { view, ids, exception, ...asked } = input;
  const question = PlanQuestion.parse(asked);
  const hidden = ctx.can("rollout.duCountHide");
  const { kept, entries } = await keepQuery(ctx, question, exception, view !== "map");
  rememberIds(kept.id, kept.duIds);
  const unmatched = question.search && entries.length > 1 ? await listUnmatched(ctx, question.search.field, entries) : [];
  return {
    queryId: kept.id,
    total: hidden ? null : kept.total,
    unmatched,
    seq: kept.seq,
    ...(ids && !hidden ? { duIds: kept.duIds } : {}),
  };
}

/** @param inOrder whether its DUs are asked for in their order: a map has none, and sorting tens of thousands takes longer than finding them */
async function keepQuery(
  ctx: Ctx,
  question: PlanQuestion,
  exception: ExceptionKind | undefined,
  inOrder: boolean,
): Promise<{ kept: KeptQuery; entries: string[] }> {
  const { sql, project, user } = ctx;
  const filters = JSON.stringify(question.filters);
  if (filters.length > filterChars) throw new AppError("FILTER_TOO_LONG", { max: filterChars });
  const compiled = await compileQuestion(ctx, question);
  const seq = await readPlanSeq(ctx);
  const fingerprint = ctx.scope.fingerprint("rollout.view");
  // Statuses and named periods depend on the day, so a result is not used beyond it.
  const text = sql.json({
    ...question,
    ...(exception ? { exception } : {}),
    today: ctx.today,
    ...(compiled.kept ? { kept: compiled.kept } : {}),
    ...(inOrder ? {} : { inOrder }),
  } as never);
  const [known] = await sql<KeptQuery[]>`
    select id, du_ids as "duIds", total, seq from plan_query
    where project_id = ${project.id} and fingerprint = ${fingerprint} and seq = ${seq} and query = ${text} and expires_at > ${ctx.now} limit 1`;
  if (known) return { kept: known, entries: compiled.entries };
  await sql`delete from plan_query where expires_at <= ${ctx.now}`;
  const fitting = sql`select du.id from ${compiled.source} where ${compiled.where} order by ${inOrder ? compiled.order : sql`du.id`}`;
  // What an exception is depends on flows and calendars: it is found beside the statement.
  const kept = exception
    ? await listWithException(
        ctx,
        (await sql<{ id: number }[]>`${fitting}`).map(({ id }) => id),
        exception,
      )
    : null;
  const found = kept ? sql`select u.id from unnest(${kept}::bigint[]) with ordinality u(id, place) order by u.place` : fitting;
  const [made] = await sql<KeptQuery[]>`
    with found as (${found}),
    ids as (select coalesce(array_agg(id), '{}') as list from found)
    insert into plan_query (id, user_id, project_id, fingerprint, query, du_ids, total, seq, expires_at)
    select gen_random_uuid(), ${user.id}, ${project.id}, ${fingerprint}, ${text}, list, cardinality(list), ${seq}, ${ctx.now}::timestamptz + make_interval(mins => ${queryMinutes})
    from ids returning id, du_ids as "duIds", total, seq`;
  return { kept: made as KeptQuery, entries: compiled.entries };
}

/**
 * Keeps a list of DUs for the grid to open, in the order given; who opens it has the same rights.
 * @returns its id, what `selection` of a question names
 */
export async function keepDus(ctx: Ctx, duIds: readonly number[], hours: number): Promise<string> {
  const { sql, project, user } = ctx;
  const [made] = await sql<{ id: string }[]>`
    insert into plan_query (id, user_id, project_id, fingerprint, query, du_ids, total, seq, expires_at)
    select i.id, ${user.id}, ${project.id}, ${ctx.scope.fingerprint("rollout.view")}, jsonb_build_object('ids', i.id), ${[...duIds]}::bigint[], ${duIds.length},
      ${await readPlanSeq(ctx)}, ${ctx.now}::timestamptz + make_interval(hours => ${hours})
    from gen_random_uuid() i(id) returning id`;
  return made!.id;
}

async function listUnmatched(ctx: Ctx, field: keyof typeof duColumnSql, entries: string[]): Promise<string[]> {
  const { sql } = ctx;
  const rows = await sql<{ entry: string }[]>`
    select e.entry from unnest(${entries}::text[]) with ordinality e(entry, n)
    where not exists (select 1 from du join customer_site s on s.id = du.site_id where ${ctx.scope.where("rollout.view")} and ${sql.unsafe(duColumnSql[field])} = e.entry)
    order by e.n`;
  return rows.map((row) => row.entry);
}

/**
 * A kept result of somebody with the same rights.
 * @throws QUERY_EXPIRED
 */
export async function getQuery(ctx: Ctx, queryId: string): Promise<KeptQuery> {
  const [kept] = await ctx.sql<KeptQuery[]>`
    select id, du_ids as "duIds", total, seq from plan_query
    where id = ${queryId} and project_id = ${ctx.project.id} and fingerprint = ${ctx.scope.fingerprint("rollout.view")} and expires_at > ${ctx.now}`;
  if (!kept) throw new AppError("QUERY_EXPIRED");
  return kept;
}

/** The named DUs that exist and that the caller may see, in the order given. */
export async function listReachable(ctx: Ctx, duIds: readonly number[]): Promise<number[]> {
  if (duIds.length === 0) return [];
  const rows = await ctx.sql<
    { id: number }[]
  >`select du.id from du where ${ctx.scope.where("rollout.view")} and du.id = any(${[...duIds]}::bigint[])`;
  const found = new Set(rows.map((row) => row.id));
  return duIds.filter((id) => found.has(id));
}

export type FacetValue = { value: string | number | boolean | null; title: string | null; count: number | null };

/** Values of a column with their counts under the given conditions, most frequent first, days in their order. Counts are null for those from whom they are hidden. */
export async function listFacet(ctx: Ctx, input: FacetInput): Promise<FacetValue[]> {
  const { sql } = ctx;
  const others = input.filters.filter(({ field, activityId }) => field !== input.column || activityId !== input.activityId);
  const compiled = await compileQuestion(ctx, PlanQuestion.parse({ filters: others }));
  const column = await compileValues(ctx, input.column, input.activityId);
  const title = facetTitle(ctx, input.column);
  const match = input.q?.trim() ? sql`where v.title ilike ${`%${likeText(input.q.trim())}%`}` : sql``;
  const rows = await sql<FacetValue[]>`
    select v.value, v.title, v.count from (
      select x.value, ${title} as title, x.count from (
        select ${column.value} as value, count(*)::int as count from ${column.source} where du.id in (select du.id from ${compiled.source} where ${compiled.where}) group by 1
      ) x
    ) v ${match} order by ${column.isDay ? sql`v.title` : sql`v.count desc, v.title`} limit ${facetMax}`;
  return ctx.can("rollout.duCountHide") ? rows.map((row) => ({ ...row, count: null })) : [...rows];
}

function facetTitle(ctx: Ctx, column: string) {
  const { sql } = ctx;
  switch (column) {
    case "planOwner":
    case "actualOwner":
    case "attrOwner":
      return sql`(select name from app_user where id = x.value)`;
    case "region":
      return sql`(select name from delivery_region where id = x.value)`;
    case "subcontractor":
      return sql`(select c.name from subcontractor c where c.id = x.value and ${ctx.scope.company(sql`c.id`)})`;
    case "flow":
      return sql`(select name from activity_flow where id = x.value)`;
    case "cluster":
      return sql`(select name from cluster where id = x.value)`;
    case "directMigrationSite":
    case "decomSite":
      return sql`(select r.code from du r where r.id = x.value and ${ctx.scope.du(sql`r.id`)})`;
    default:
      return /^a\d+$/.test(column)
        ? sql`coalesce(${choiceTitle(sql, Number(column.slice(1)), sql`x.value::text`)}, x.value::text)`
        : sql`x.value::text`;
  }
}

/** Figures of one activity over a whole query: applicable DUs, filled dates, done, delayed and the share done in percent. */
export type ActivitySummary = {
  activityId: number;
  applicable: number;
  planStart: number;
  planEnd: number;
  actualStart: number;
  actualEnd: number;
  delayed: number;
  percent: number;
};

type SlotFigures = Omit<ActivitySummary, "activityId" | "percent"> & { slot: number };

const summaries = new SharedReadings<SlotFigures[]>(keptSummaries);

/** Figures of the shown activities over the whole query, in the order asked. */
export async function readSummary(ctx: Ctx, input: SummaryInput): Promise<{ seq: number; activities: ActivitySummary[] }> {
  if (ctx.can("rollout.duCountHide")) throw new AppError("NO_PERMISSION", { right: "rollout.duCountHide" });
  const kept = await getQuery(ctx, input.queryId);
  const library = new Map((await listLibraryActivities(ctx)).map((activity) => [activity.id, activity.slot]));
  const slots = input.activityIds.flatMap((id) => library.get(id) ?? []);
  // Every page that shows these DUs asks again whenever somebody has saved. The same DUs are kept under as many ids as there were changes between the openings.
  const dus = createHash("sha256").update(kept.duIds.join()).digest("base64");
  const rows = await summaries.read(
    JSON.stringify([ctx.project.id, ctx.scope.fingerprint("rollout.view"), dus, slots, ctx.today]),
    () => readPlanSeq(ctx),
    () => countSlots(ctx, kept.duIds, slots),
  );
  const bySlot = new Map(rows.map((row) => [row.slot, row]));
  const none = { applicable: 0, planStart: 0, planEnd: 0, actualStart: 0, actualEnd: 0, delayed: 0 };
  const activities = input.activityIds
    .filter((id) => library.has(id))
    .map((activityId) => {
      const { slot: _slot, ...figures } = bySlot.get(library.get(activityId) as number) ?? { slot: 0, ...none };
      return {
        activityId,
        ...figures,
        percent: figures.applicable === 0 ? 0 : Math.round((figures.actualEnd * 10_000) / figures.applicable) / 100,
      };
    });
  return { seq: kept.seq, activities };
}

async function countSlots(ctx: Ctx, duIds: readonly number[], slots: readonly number[]): Promise<SlotFigures[]> {
  const { sql } = ctx;
  const rows = await sql<SlotFigures[]>`
    select u.slot, count(*)::int as applicable, count(*) filter (where u.plan_start > 0)::int as "planStart", count(*) filter (where u.plan_end > 0)::int as "planEnd",
      count(*) filter (where u.actual_start > 0)::int as "actualStart", count(*) filter (where u.actual_end > 0)::int as "actualEnd",
      count(*) filter (where u.plan_end between 1 and ${dayNumber(ctx.today) - 1}::int and coalesce(u.actual_end, 0) = 0
        and u.state & ${bitMask("closed")}::int = 0 and u.state & ${bitMask("approval")}::int <> ${2 << stateBits.approval.at}::int)::int as delayed
    from du join du_plan p on p.du_id = du.id
    -- An array asked for one slot after the other is unpacked for each of them: 10,000 DUs took five times as long.
    cross join lateral unnest(p.plan_start, p.plan_end, p.actual_start, p.actual_end, p.state)
      with ordinality u(plan_start, plan_end, actual_start, actual_end, state, slot)
    where ${ctx.scope.where("rollout.view")} and du.id = any(${[...duIds]}::bigint[]) and u.state & 7 = 1 and u.slot = any(${[...slots]}::int[])
    group by u.slot`;
  return [...rows];
}

import "server-only";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { KeptDiagnoses } from "../diagnosis/logic.ts";
import { bindingNames } from "../outputs/limits.ts";
import { duWhere, isTrue, orderOf, visible } from "../outputs/queries.ts";
import type { ComparedDu, EngineComparison, FindComparison, RunFacts } from "../outputs/schema.ts";
import { describeDiagnosis, getOutputRun, getRun } from "../runs/queries.ts";

/** The plan of a run beside the rollout plan as it is now, DU by DU. @throws NOT_FOUND, NO_OUTPUT */
export async function findComparison(ctx: Ctx, input: FindComparison): Promise<EngineComparison> {
  const { sql } = ctx;
  const { runId, page, size, filters, sort } = input;
  const run = await getOutputRun(ctx, { runId });
  // Only what has a slot in the library stands on both sides.
  const compared = sql`
    with compared as (
      select o.du_id, du.code, du.name, o.rank, o.last_end, p.last_plan_end, x.changed, x.earlier, x.later, x.unplanned, o.last_end - p.last_plan_end as days
      from engine_out_du o join du on du.id = o.du_id join engine_run_flow f on f.run_id = o.run_id and f.workflow_name = o.workflow_name
        left join (select du_id, plan_end as ends, case when last_plan_end > 0 then date '2000-01-01' + last_plan_end end as last_plan_end from du_plan) p
          on p.du_id = o.du_id
        cross join lateral (
          select count(*) filter (where v."end" <> coalesce(p.ends[v.slot], 0))::int as changed,
            count(*) filter (where p.ends[v.slot] > 0 and v."end" < p.ends[v.slot])::int as earlier,
            count(*) filter (where p.ends[v.slot] > 0 and v."end" > p.ends[v.slot])::int as later,
            count(*) filter (where coalesce(p.ends[v.slot], 0) = 0)::int as unplanned
          from unnest(o.ends, f.slots) as v("end", slot) where v."end" > 0 and v.slot > 0) x
      where ${duWhere(
        ctx,
        runId,
        filters.filter(({ field }) => field !== "changed"),
      )})`;
  const changed = filters.find(({ field }) => field === "changed")?.values[0];
  const where = changed === undefined ? sql`true` : isTrue(changed) ? sql`changed > 0` : sql`changed = 0`;
  const order = orderOf({ rank: "rank", duCode: "code collate natural_order", days: "abs(days)" }, sort, "rank, du_id");
  const [rows, [sums]] = await Promise.all([
    sql<Omit<ComparedDu, "activities">[]>`
      ${compared} select du_id as "duId", code as "duCode", name as "duName", last_end as "lastEnd", last_plan_end as "planLastEnd", days, changed
      from compared where ${where} order by ${sql.unsafe(order)} limit ${size} offset ${(page - 1) * size}`,
    sql<(EngineComparison["totals"] & { total: number })[]>`
      ${compared} select count(*) filter (where ${where})::int as total, count(*)::int as dus, count(*) filter (where changed > 0)::int as "changedDus",
        coalesce(sum(changed), 0)::int as "changedDates", coalesce(sum(earlier), 0)::int as earlier, coalesce(sum(later), 0)::int as later,
        coalesce(sum(unplanned), 0)::int as unplanned from compared`,
  ]);
  const activities = await sql<
    { duId: number; activityName: string; slot: number; start: number; end: number; planStart: number; planEnd: number }[]
  >`
    select o.du_id as "duId", v.name as "activityName", v.slot, v.start, v."end", coalesce(p.plan_start[v.slot], 0) as "planStart",
      coalesce(p.plan_end[v.slot], 0) as "planEnd"
    from engine_out_du o join engine_run_flow f on f.run_id = o.run_id and f.workflow_name = o.workflow_name left join du_plan p on p.du_id = o.du_id,
      unnest(f.activity_names, f.slots, o.starts, o.ends) with ordinality as v(name, slot, start, "end", place)
    where o.run_id = ${runId} and o.du_id = any(${rows.map(({ duId }) => duId)}::bigint[]) and v.slot > 0 order by o.du_id, v.place`;
  const byDu = new Map<number, ComparedDu>(rows.map((row) => [row.duId, { ...row, activities: [] }]));
  for (const { duId, activityName, slot, start, end, planStart, planEnd } of activities)
    byDu.get(duId)?.activities.push({
      activityName,
      slot,
      start: isoDay(start),
      end: isoDay(end),
      planStart: isoDay(planStart),
      planEnd: isoDay(planEnd),
      days: end && planEnd ? end - planEnd : null,
    });
  const { total, ...totals } = sums!;
  return { run, totals, records: [...byDu.values()], total, page, size };
}

/** How good the plan of a run is: levels with their bounds, what the checker said, what late DUs wait for; of a run without a plan its diagnosis. @throws NOT_FOUND */
export async function findFacts(ctx: Ctx, { runId }: { runId: number }): Promise<RunFacts> {
  const { sql } = ctx;
  const run = await getRun(ctx, runId);
  type Stored = {
    levels: { level: string; rankClass: number | null; value: number; bound: number | null; exact?: boolean }[] | null;
    evaluations: { total: number; components?: RunFacts["evaluations"]["components"] } | null;
    limit: number;
    report: { signed: boolean; at: string; rules: { rule: string; violations: number }[] } | null;
    diagnosis: KeptDiagnoses | null;
    snapshotSha256: string;
    codeVersion: string;
    seed: number;
  };
  const [[stored], bottlenecks] = await Promise.all([
    sql<Stored[]>`
      select levels, evaluations, evaluation_limit as "limit", check_report as report, diagnosis, snapshot_sha256 as "snapshotSha256",
        code_version as "codeVersion", seed from engine_run where id = ${runId}`,
    readBottlenecks(ctx, runId),
  ]);
  const { levels, evaluations, limit, report, diagnosis, ...facts } = stored!;
  return {
    run,
    levels: (levels ?? []).map(({ level, rankClass, value, bound, exact }) => ({
      level,
      rankClass,
      value,
      bound,
      proved: bound !== null && value <= bound ? "checker" : exact ? "exact" : null,
      gap: bound !== null && bound > 0 ? ((value - bound) / bound) * 100 : null,
    })),
    evaluations: {
      total: evaluations?.total ?? 0,
      limit,
      components: (evaluations?.components ?? []).map(({ dus, jobs, done }) => ({
        dus,
        jobs,
        done: (Array.isArray(done) ? (done as number[]) : [done]).reduce((sum, own) => sum + own, 0),
      })),
    },
    check: report && { signed: report.signed, at: report.at, rules: report.rules },
    bottlenecks,
    diagnosis: await describeDiagnosis(ctx, diagnosis),
    ...facts,
  };
}

/** What the last start bound by a team or by material waited for, of each late DU. */
async function readBottlenecks(ctx: Ctx, runId: number): Promise<RunFacts["bottlenecks"]> {
  const { sql } = ctx;
  const rows = await sql<RunFacts["bottlenecks"]>`
    select kind, name, count(*)::int as "lateDus", sum(late_days)::int as "lateDays" from (
      select distinct on (o.du_id) o.du_id, o.late_days, case when v.binding = ${bindingNames.indexOf("team")} then 'pool' else 'item' end as kind,
        case when v.binding = ${bindingNames.indexOf("team")} then concat_ws(' / ', p.skill_type, p.resource_name, p.region) else a.item_code end as name
      from engine_out_du o join du on du.id = o.du_id, unnest(o.starts, o.pools, o.bindings) as v(start, pool, binding)
        left join engine_run_pool p on p.run_id = ${runId} and p.idx = v.pool
        left join lateral (select item_code from engine_out_alloc a where a.run_id = ${runId} and a.du_id = o.du_id order by available_date desc, item_code limit 1) a on true
      where ${visible(ctx, runId)} and o.late_days > 0 and v.binding in (${bindingNames.indexOf("team")}, ${bindingNames.indexOf("material")})
      order by o.du_id, v.start desc) late
    where name is not null group by kind, name order by sum(late_days) desc, name limit 50`;
  return [...rows];
}

import "server-only";
import { addDays, dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { type BindingName, bindingNames } from "../outputs/limits.ts";
import { bucketStart } from "../outputs/logic.ts";
import { duWhere, type RunFlow, type RunPool, readFlows, readPools, type Vectors, vectors, visible } from "../outputs/queries.ts";
import type { FindGantt, Gantt, GanttBar, GanttRow, OutputMap, TeamLoad } from "../outputs/schema.ts";
import { getOutputRun } from "../runs/queries.ts";

type StoredDu = Vectors & {
  duId: number;
  duCode: string;
  duName: string;
  workflowName: string;
  groupName: string;
  dueDate: string | null;
  lateDays: number;
};

/** A window of the plan as rows of bars: DUs by region or cluster, or teams. @throws NOT_FOUND, NO_OUTPUT */
export async function findGantt(ctx: Ctx, input: FindGantt): Promise<Gantt> {
  const { sql } = ctx;
  const run = await getOutputRun(ctx, input);
  const [flows, pools, [span]] = await Promise.all([
    readFlows(ctx, run.id),
    readPools(ctx, run.id),
    sql<
      { first: string | null; last: string | null }[]
    >`select min(first_start) as first, max(last_end) as last from engine_out_du where run_id = ${run.id}`,
  ]);
  const made = input.group === "team" ? await teamRows(ctx, input, flows, pools) : await duGanttRows(ctx, input, flows, input.group);
  return {
    run,
    flows: flows.map(({ name, activities }) => ({ name, activities })),
    pools: pools.map(({ idx: _idx, ...pool }) => pool),
    firstDay: dayNumber(span?.first),
    lastDay: dayNumber(span?.last),
    from: input.from,
    ...made,
  };
}

type Windowed = Pick<Gantt, "groups" | "rows" | "total">;

async function duGanttRows(
  ctx: Ctx,
  { runId, from, count, search }: FindGantt,
  flows: readonly RunFlow[],
  group: "region" | "cluster",
): Promise<Windowed> {
  const { sql } = ctx;
  const where = duWhere(ctx, runId, search ? [{ field: "search", type: "like", values: [search] }] : []);
  const named = sql`coalesce(o.${sql(group)}, '')`;
  const [groups, rows] = await Promise.all([
    sql<{ name: string; rows: number }[]>`
      select g.name, count(*)::int as rows from (
        select ${named} as name from engine_out_du o join du on du.id = o.du_id where ${where}) g group by g.name order by g.name collate "C"`,
    sql<StoredDu[]>`
      select o.du_id as "duId", du.code as "duCode", du.name as "duName", o.workflow_name as "workflowName", ${named} as "groupName", o.due_date as "dueDate",
        o.late_days as "lateDays", ${vectors(ctx)}
      from engine_out_du o join du on du.id = o.du_id where ${where} order by ${named} collate "C", o.rank, o.du_id limit ${count} offset ${from}`,
  ]);
  return {
    groups: [...groups],
    total: groups.reduce((sum, own) => sum + own.rows, 0),
    rows: rows.map((row): GanttRow => {
      const workflow = flows.findIndex(({ name }) => name === row.workflowName);
      const bars = row.starts.flatMap((startDay, position): GanttBar[] =>
        startDay === 0
          ? []
          : [
              {
                duId: row.duId,
                duCode: row.duCode,
                workflow,
                position,
                startDay,
                endDay: row.ends[position] as number,
                pool: row.pools[position] ?? 0,
                team: row.teams[position] ?? 0,
                binding: bindingNames[row.bindings[position] ?? 0] as BindingName,
                bindingRef: row.refs[position] ?? 0,
                fixed: row.fixed[position] === "1",
              },
            ],
      );
      return {
        key: `du${row.duId}`,
        group: row.groupName,
        label: row.duCode,
        duId: row.duId,
        dueDay: dayNumber(row.dueDate),
        lateDays: row.lateDays,
        bars,
      };
    }),
  };
}

async function teamRows(
  ctx: Ctx,
  { runId, from, count, search }: FindGantt,
  flows: readonly RunFlow[],
  pools: readonly RunPool[],
): Promise<Windowed> {
  const { sql } = ctx;
  const nameOf = ({ skillType, resourceName, region }: RunPool) => [skillType, resourceName, region].filter(Boolean).join(" / ");
  const found = pools.filter((pool) => !search || nameOf(pool).toLowerCase().includes(search.toLowerCase()));
  const groups = found.map((pool) => ({ name: nameOf(pool), rows: pool.teamCount }));
  const rows: (GanttRow & { pool: number; team: number })[] = [];
  let at = 0;
  for (const pool of found) {
    for (let team = Math.max(1, from - at + 1); team <= pool.teamCount && rows.length < count; team++)
      rows.push({
        key: `team${pool.idx}.${team}`,
        group: nameOf(pool),
        label: `${nameOf(pool)} ${team}`,
        duId: null,
        dueDay: 0,
        lateDays: 0,
        bars: [],
        pool: pool.idx,
        team,
      });
    at += pool.teamCount;
  }
  const wanted = [...new Set(rows.map(({ pool }) => pool))];
  const bars = await sql<(Omit<GanttBar, "workflow" | "binding"> & { workflowName: string; binding: number })[]>`
    select o.du_id as "duId", du.code as "duCode", o.workflow_name as "workflowName", v.place::int - 1 as position, v.start as "startDay", v."end" as "endDay",
      v.pool, v.team, v.binding, v.ref as "bindingRef", substring(o.fixed from v.place::int for 1) = B'1' as fixed
    from engine_out_du o join du on du.id = o.du_id,
      unnest(o.starts, o.ends, o.pools, o.teams, o.bindings, o.binding_refs) with ordinality as v(start, "end", pool, team, binding, ref, place)
    where ${visible(ctx, runId)} and o.pools && ${wanted}::smallint[] and v.start > 0 and v.team > 0
      and (v.pool, v.team) in (select * from unnest(${rows.map(({ pool }) => pool)}::smallint[], ${rows.map(({ team }) => team)}::smallint[]))
    order by v.start`;
  const byTeam = new Map(rows.map((row) => [`${row.pool}.${row.team}`, row]));
  for (const { workflowName, binding, ...bar } of bars)
    byTeam.get(`${bar.pool}.${bar.team}`)?.bars.push({
      ...bar,
      workflow: flows.findIndex(({ name }) => name === workflowName),
      binding: bindingNames[binding] as BindingName,
    });
  return {
    groups,
    total: groups.reduce((sum, own) => sum + own.rows, 0),
    rows: rows.map(({ pool: _pool, team: _team, ...row }) => row),
  };
}

/** DUs of an output with their place and the month of their last day. @throws NOT_FOUND, NO_OUTPUT */
export async function findMap(ctx: Ctx, { runId }: { runId: number }): Promise<OutputMap> {
  const { sql } = ctx;
  const run = await getOutputRun(ctx, { runId });
  const rows = await sql<
    { id: number; code: string; longitude: number | null; latitude: number | null; month: string | null; lateDays: number }[]
  >`
    select o.du_id as id, du.code, coalesce(e.longitude, s.longitude)::float8 as longitude, coalesce(e.latitude, s.latitude)::float8 as latitude,
      to_char(o.last_end, 'YYYY-MM') as month, o.late_days as "lateDays"
    from engine_out_du o join du on du.id = o.du_id left join customer_site s on s.id = du.site_id
      left join engine_du e on e.version_id = ${run.versionId} and e.du_id = o.du_id and e.longitude is not null
    where ${visible(ctx, runId)} order by o.rank`;
  const placed = rows.filter(({ longitude, latitude }) => longitude !== null && latitude !== null);
  const months = [...new Set(placed.flatMap(({ month }) => month ?? []))].sort();
  return {
    run,
    months,
    duIds: placed.map(({ id }) => id),
    codes: placed.map(({ code }) => code),
    longitudes: placed.map(({ longitude }) => longitude as number),
    latitudes: placed.map(({ latitude }) => latitude as number),
    monthOf: placed.map(({ month }) => (month === null ? -1 : months.indexOf(month))),
    lateDays: placed.map(({ lateDays }) => lateDays),
    unplaced: rows.length - placed.length,
  };
}

/** How busy the teams of each pool are, week by week. @throws NOT_FOUND, NO_OUTPUT */
export async function findTeams(ctx: Ctx, { runId }: { runId: number }): Promise<TeamLoad> {
  const run = await getOutputRun(ctx, { runId });
  const pools = await ctx.sql<TeamLoad["pools"]>`
    select idx, skill_type as "skillType", resource_name as "resourceName", region, team_count as "teamCount", held_days as "heldDays", open_days as "openDays"
    from engine_run_pool where run_id = ${runId} order by idx`;
  const first = bucketStart(run.planStartDate, "week");
  const weeks = Array.from({ length: pools.reduce((most, { openDays }) => Math.max(most, openDays.length), 0) }, (_, week) =>
    addDays(first, 7 * week),
  );
  return { run, weeks, pools: [...pools] };
}

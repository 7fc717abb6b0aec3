import type { Installation } from "./installation.ts";
import { line, pair } from "./measure.ts";

/** A filter on three activities with a sort by a date, and its first 100 rows, against the bare statement. */
export async function benchFilter({ sql, call, projectId }: Installation): Promise<void> {
  const activities = await sql<{ id: number; slot: number }[]>`
    select id, slot from activity_library where project_id = ${projectId} and slot in (11, 21, 31) order by slot`;
  const [first, second, third] = activities as unknown as [
    { id: number; slot: number },
    { id: number; slot: number },
    { id: number; slot: number },
  ];
  const [span] = await sql<{ low: number; high: number }[]>`
    select percentile_disc(0.1) within group (order by plan_end[${first.slot}::int])::int as low, percentile_disc(0.8) within group (order by plan_end[${first.slot}::int])::int as high
    from du_plan where project_id = ${projectId} and plan_end[${first.slot}::int] > 0`;
  const day = (number: number) => new Date(Date.UTC(2000, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);
  let shift = 0;
  const bounds = () => {
    shift = (shift + 1) % 40;
    return [span!.low + shift, span!.high + shift] as const;
  };
  const product = async () => {
    const [low, high] = bounds();
    const range = [day(low), day(high)];
    const { queryId } = await call<{ queryId: string }>("wbs/filter", {
      filters: [
        { field: "planEnd", activityId: first.id, type: "range", values: range },
        { field: "planEnd", activityId: second.id, type: "notEmpty", values: [] },
        { field: "actualEnd", activityId: third.id, type: "empty", values: [] },
      ],
      sort: [{ field: "planEnd", activityId: third.id, dir: "asc" }],
    });
    await call("rolloutPlan/tile", { queryId, from: 0, count: 100, parts: { plan: true, fields: ["code", "name"] } });
  };
  const bare = async () => {
    const [low, high] = bounds();
    const ids = await sql<{ id: number }[]>`
      select d.id from du d join du_plan p on p.du_id = d.id
      where d.project_id = ${projectId} and d.deleted_at is null and p.project_id = ${projectId}
        and p.plan_end[${first.slot}::int] between ${low} and ${high} and coalesce(p.plan_end[${second.slot}::int], 0) <> 0 and coalesce(p.actual_end[${third.slot}::int], 0) = 0
      order by nullif(p.plan_end[${third.slot}::int], 0) nulls last, d.code, d.id`;
    await sql`
      select d.id, d.code, d.name, p.row_version, p.state::text as state, p.plan_start::text as ps, p.plan_end::text as pe, p.actual_start::text as "as", p.actual_end::text as ae,
        p.baseline_start::text as bs, p.baseline_end::text as be, p.plan_owner::text as po, p.actual_owner::text as ao
      from du d join du_plan p on p.du_id = d.id where d.id = any(${ids.slice(0, 100).map(({ id }) => id)})`;
  };
  const times = await pair(40, product, bare);
  line("filter on 3 activities + sort, first 100 rows", times.product, times.bare, "ms", "≤ 1.5");
}

import { isoDay } from "#lib/core/clock.ts";
import type { Installation } from "./installation.ts";
import { line, median, once, pair } from "./measure.ts";

const pages = 20;
const rounds = 5;

/**
 * The figures of every activity over all DUs, each time after a save, which every open grid asks for then: against the bare counting of the same slots; and asked
 * by twenty pages at once, against one.
 */
export async function benchSummary({ sql, call, projectId }: Installation): Promise<void> {
  const [activities, [cell]] = await Promise.all([
    sql<{ id: number }[]>`select id from activity_library where project_id = ${projectId} order by slot`,
    sql<{ duId: number; activityId: number; day: number }[]>`
      select p.du_id as "duId", l.id as "activityId", p.plan_end[119] as day from du_plan p join activity_library l on l.project_id = p.project_id and l.slot = 119
      where p.project_id = ${projectId} and p.plan_end[119] > 0 and coalesce(p.actual_end[119], 0) = 0 order by p.du_id desc limit 1`,
  ]);
  const { duId, activityId } = cell!;
  let { day } = cell!;
  const save = async () => {
    const { saved } = await call<{ saved: number }>("rolloutPlan/save", {
      edits: [{ duId, activityId, field: "planEnd", value: isoDay(day + 1), base: isoDay(day) }],
    });
    if (saved !== 1) throw new Error("the cell was not saved");
    day++;
  };
  const { queryId } = await call<{ queryId: string }>("wbs/filter", {});
  const activityIds = activities.map(({ id }) => id);
  const ask = () => call<{ activities: unknown[] }>("rolloutPlan/summary", { queryId, activityIds });
  const product = async () => {
    await save();
    const answer = await ask();
    if (answer.activities.length !== activities.length) throw new Error(`${answer.activities.length} activities were counted`);
  };
  const bare = () => sql`
    select u.slot, count(*), count(u.plan_start), count(u.plan_end), count(u.actual_start), count(u.actual_end)
    from du_plan p cross join lateral unnest(p.plan_start, p.plan_end, p.actual_start, p.actual_end, p.state)
      with ordinality u(plan_start, plan_end, actual_start, actual_end, state, slot)
    where p.project_id = ${projectId} group by 1`;
  const times = await pair(rounds, product, bare);
  line("figures of all activities, after a save", times.product, times.bare, "ms", "-");
  const atOnce: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await save();
    atOnce.push(await once(() => Promise.all(Array.from({ length: pages }, ask))));
  }
  line(`the same, asked by ${pages} pages at once, beside one`, median(atOnce), times.product, "ms", "-");
}

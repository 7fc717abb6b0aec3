import "server-only";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { type ActivityStatus, activityStatus, isApplicable } from "#lib/rollout-plan/plan-rows/logic.ts";
import type { FindByDu, FindDus } from "./schema.ts";

/** Status of a milestone in a DU: that of the activity it stands for. */
export type MilestoneStatus = ActivityStatus | "notApplicable";
/** A milestone of a DU with its dates. */
export type MilestoneDates = { id: number; plan: string | null; actual: string | null; baseline: string | null; status: MilestoneStatus };

type Row = {
  duId: number;
  id: number;
  temporary: boolean;
  linked: boolean;
  planDate: string | null;
  actualDate: string | null;
  state: number;
  planEnd: number;
  actualEnd: number;
  baselineEnd: number;
};

/**
 * Dates of milestones in DUs, by DU, in the order of the milestones: those of the temporary milestone its row for the DU's delivery type names, else those of
 * the activity it stands for in the DU's flow. One statement for any number of DUs.
 * @param choice the milestones, or all that are enabled; the right that reaches the DUs is rollout.view
 */
export async function readMilestoneDates(
  { sql, project, scope, today }: Pick<Ctx, "sql" | "project" | "scope" | "today">,
  duIds: readonly number[],
  milestoneIds?: readonly number[],
): Promise<Map<number, MilestoneDates[]>> {
  const rows = await sql<Row[]>`
    select du.id as "duId", m.id, i.target = 'temp_milestone' as temporary, t.du_id is not null as linked, t.plan_date as "planDate", t.actual_date as "actualDate",
      coalesce(p.state[a.slot], 0) as state, coalesce(p.plan_end[a.slot], 0) as "planEnd", coalesce(p.actual_end[a.slot], 0) as "actualEnd",
      coalesce(p.baseline_end[a.slot], 0) as "baselineEnd"
    from du join milestone m on m.project_id = ${project.id} and ${milestoneIds ? sql`m.id = any(${[...milestoneIds]}::bigint[])` : sql`m.enabled`}
    left join lateral (
      select i.target, i.temp_milestone_id from milestone_info i
      where i.milestone_id = m.id and (i.delivery_type is null or lower(i.delivery_type) = lower(du.delivery_type)) order by i.delivery_type nulls last limit 1
    ) i on true
    left join temp_milestone_du t on t.temp_milestone_id = i.temp_milestone_id and t.du_id = du.id
    left join du_flow f on f.du_id = du.id and f.unbound_at is null
    left join milestone_mapping g on g.milestone_id = m.id and g.flow_id = f.flow_id
    left join activity_library a on a.id = g.activity_id
    left join du_plan p on p.du_id = du.id
    where ${scope.where("rollout.view")} and du.id = any(${[...duIds]}::bigint[])
    order by m.sort, m.id`;
  const day = dayNumber(today);
  const byDu = Map.groupBy(rows, ({ duId }) => duId);
  return new Map([...byDu].map(([duId, list]) => [duId, list.map((row) => datesOf(row, day))]));
}

function datesOf(row: Row, today: number): MilestoneDates {
  const { id, temporary, linked, planDate, actualDate, state, planEnd, actualEnd, baselineEnd } = row;
  if (temporary && linked) {
    const status = activityStatus(1, dayNumber(planDate), dayNumber(actualDate), today);
    return { id, plan: planDate, actual: actualDate, baseline: null, status };
  }
  if (temporary || !isApplicable(state)) return { id, plan: null, actual: null, baseline: null, status: "notApplicable" };
  const status = activityStatus(state, planEnd, actualEnd, today);
  return { id, plan: isoDay(planEnd), actual: isoDay(actualEnd), baseline: isoDay(baselineEnd), status };
}

/** Milestones of the named DUs that the caller sees, in the order they were named. */
export async function findByDu(ctx: Ctx, { duIds }: FindByDu): Promise<{ duId: number; milestones: MilestoneDates[] }[]> {
  const found = await readMilestoneDates(ctx, duIds);
  return duIds.flatMap((duId) => {
    const milestones = found.get(duId);
    return milestones ? [{ duId, milestones }] : [];
  });
}

/** DUs the caller sees by their codes, and the codes nothing was found for, both in the order given. */
export async function findDus(
  { sql, scope }: Ctx,
  { codes }: FindDus,
): Promise<{ found: { id: number; code: string }[]; missing: string[] }> {
  const rows = await sql<{ id: number; code: string }[]>`
    select du.id, du.code from du where ${scope.where("rollout.view")} and du.code = any(${codes}::text[]) order by array_position(${codes}::text[], du.code::text)`;
  const known = new Set(rows.map(({ code }) => code));
  return { found: [...rows], missing: codes.filter((code) => !known.has(code)) };
}

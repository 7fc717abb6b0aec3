import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseStaleValues } from "#lib/core/stale.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { getRule } from "#lib/plan-rules/rule-set/queries.ts";
import { targetsMax, weeksMax } from "./limits.ts";
import { spreadEvenly, weeksBetween } from "./logic.ts";
import type { SaveTargets } from "./schema.ts";

type Row = { regionId: number; activityId: number; weekStart: string; target: number | null };

/**
 * Saves targets of a rule as they were typed, or a total spread evenly over weeks; an empty one is taken away.
 * @throws STALE at each typed one whose target others have changed since it was read, NOT_FOUND for a rule, region or activity of another project, NOTHING_MODIFIED, VALUE_RANGE for too many weeks
 */
export async function saveTargets(ctx: Ctx, input: SaveTargets): Promise<{ saved: number }> {
  const { sql, project } = ctx;
  // A target is that of the project, whichever rule it was typed for.
  await holdProject(ctx);
  const rule = await getRule(ctx, input.ruleId, true);
  if (rule.ruleType !== "ORG_TARGET") throw new AppError("NOT_FOUND", { object: input.ruleId });
  const rows = input.rows ?? spreadRows(input);
  const [known] = await sql<{ regions: number[]; activities: number[] }[]>`
    select coalesce((select array_agg(id) from delivery_region where project_id = ${project.id} and deleted_at is null
        and id = any(${rows.map(({ regionId }) => regionId)}::bigint[])), '{}') as regions,
      coalesce((select array_agg(l.id) from activity_library l join flow_activity n on n.activity_id = l.id and n.flow_id = ${rule.flowId}
        where l.project_id = ${project.id} and l.id = any(${rows.map(({ activityId }) => activityId)}::bigint[])), '{}') as activities`;
  const regions = new Set(known!.regions.filter((id) => rule.regionIds.length === 0 || rule.regionIds.includes(id)));
  const activities = new Set(known!.activities);
  const problems = rows.flatMap(({ regionId, activityId }, at): Problem[] => [
    ...(regions.has(regionId) ? [] : [{ path: `rows.${at}.regionId`, code: "NOT_FOUND" as const, params: { object: regionId } }]),
    ...(activities.has(activityId) ? [] : [{ path: `rows.${at}.activityId`, code: "NOT_FOUND" as const, params: { object: activityId } }]),
  ]);
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  const given = sql.json(rows.map((row, place) => ({ ...row, place })));
  const source = sql`(select distinct on ("regionId", "activityId", "weekStart") * from jsonb_to_recordset(${given})
    as r("regionId" bigint, "activityId" bigint, "weekStart" date, target int, place int) order by "regionId", "activityId", "weekStart", place desc) n`;
  const named = () => sql<Stored[]>`
    select t.region_id as "regionId", t.activity_id as "activityId", t.week_start as "weekStart", t.target, t.rule_id as "ruleId" from org_target t join ${source} on t.region_id = n."regionId" and t.activity_id = n."activityId" and t.week_start = n."weekStart"
    where t.project_id = ${project.id} order by t.region_id, t.activity_id, t.week_start`;
  const before = await named();
  const stored = new Map(before.map((row) => [placeKey(row), row.target]));
  refuseStaleValues(
    (input.rows ?? []).map((row, at) => ({
      path: `rows.${at}.target`,
      present: stored.get(placeKey(row)) ?? null,
      base: row.base,
      wanted: row.target,
    })),
    { rows: before },
  );
  await sql`
    delete from org_target t using ${source} where n.target is null and t.project_id = ${project.id} and t.region_id = n."regionId"
      and t.activity_id = n."activityId" and t.week_start = n."weekStart"`;
  await sql`
    insert into org_target (project_id, region_id, activity_id, week_start, target, rule_id)
    select ${project.id}::bigint, n."regionId", n."activityId", n."weekStart", n.target, ${rule.id}::bigint from ${source} where n.target is not null
    on conflict (project_id, region_id, activity_id, week_start) do update set target = excluded.target, rule_id = excluded.rule_id`;
  // Typed or spread, given twice or taken away: targets are compared as they are stored.
  refuseUnchanged({ targets: [...before] }, { targets: [...(await named())] });
  ctx.audit(`plan_rule ${rule.id}`, null, { targets: rows.slice(0, 100), count: rows.length });
  return { saved: rows.length };
}

type Place = Pick<Row, "regionId" | "activityId" | "weekStart">;
type Stored = Place & { target: number; ruleId: number };
const placeKey = ({ regionId, activityId, weekStart }: Place): string => `${regionId} ${activityId} ${weekStart}`;

function spreadRows({ regionId, activityId, total, from, to }: SaveTargets): Row[] {
  const weeks = weeksBetween(from!, to!);
  const max = Math.min(weeksMax, targetsMax);
  if (weeks.length > max)
    throw new AppError("VALUE_RANGE", { min: 1, max }, [{ path: "to", code: "VALUE_RANGE", params: { min: 1, max } }]);
  const parts = spreadEvenly(total!, weeks.length);
  return weeks.map((week, at) => ({ regionId: regionId!, activityId: activityId!, weekStart: week, target: parts[at]! }));
}

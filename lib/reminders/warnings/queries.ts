import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { fillMessage, type PlanWarning } from "./logic.ts";

/** Enabled warnings of the project as a part of another statement, null when there is none: a write asks for them together with what it reads anyway. */
export function enabledWarnings({ sql, project }: Pick<Ctx, "sql" | "project">) {
  return sql`(
    select json_agg(json_build_object('id', w.id, 'flowId', w.flow_id, 'level', w.level, 'operator', w.operator, 'days', w.days, 'message', w.message,
      'a', json_build_object('slot', a.slot, 'field', w.field_a), 'b', json_build_object('slot', b.slot, 'field', w.field_b)) order by w.sort_no, w.id)
    from warning_config w join activity_library a on a.id = w.anchor_activity_id join activity_library b on b.id = w.alert_activity_id
    where w.project_id = ${project.id} and w.status = 'ENABLED')`;
}

/** Activities of the enabled warnings that name one of these. */
export function comparedActivities({ sql, project }: Pick<Ctx, "sql" | "project">, activityIds: readonly number[]) {
  const ids = sql`${[...activityIds]}::bigint[]`;
  return sql`
    select unnest(array[anchor_activity_id, alert_activity_id]) from warning_config
    where project_id = ${project.id} and status = 'ENABLED' and (anchor_activity_id = any(${ids}) or alert_activity_id = any(${ids}))`;
}

/** Enabled warnings of the project in their order. */
export async function listWarnings(ctx: Pick<Ctx, "sql" | "project">): Promise<PlanWarning[]> {
  const [row] = await ctx.sql<{ warnings: PlanWarning[] | null }[]>`select ${enabledWarnings(ctx)} as warnings`;
  return row?.warnings ?? [];
}

/** The texts of hits with their placeholders filled in. */
export async function describeHits(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  hits: readonly { duId: number; warning: PlanWarning; days: number }[],
): Promise<string[]> {
  if (hits.length === 0) return [];
  const slots = [...new Set(hits.flatMap(({ warning }) => [warning.a.slot, warning.b.slot]))];
  const duIds = [...new Set(hits.map(({ duId }) => duId))];
  const [activities, dus] = await Promise.all([
    sql<{ slot: number; name: string }[]>`
      select slot, name from activity_library where project_id = ${project.id} and slot = any(${slots}::smallint[])`,
    sql<{ id: number; code: string }[]>`select id, code from du where project_id = ${project.id} and id = any(${duIds}::bigint[])`,
  ]);
  const names = new Map(activities.map(({ slot, name }) => [slot, name]));
  const codes = new Map(dus.map(({ id, code }) => [id, code]));
  return hits.map(({ duId, warning, days }) =>
    fillMessage(warning.message, {
      du: codes.get(duId) ?? "",
      a: names.get(warning.a.slot) ?? "",
      b: names.get(warning.b.slot) ?? "",
      days,
    }),
  );
}

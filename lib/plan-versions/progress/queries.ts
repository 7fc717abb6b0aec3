import "server-only";
import type { z } from "zod";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import { accumulate, begunSteps, type DayCounts } from "./logic.ts";
import type { ReadProgress } from "./schema.ts";

/** A line of the chart: how many activities were to be (or are) finished by the end of each step; what is finished ends with the step of today. */
export type ProgressLine = {
  versionId: number | null;
  kind: "planned" | "actual";
  code: string | null;
  name: string | null;
  values: number[];
};
export type Progress = { steps: string[]; lines: ProgressLine[]; today: string };

/** Cumulative plan ends of versions and of the plan as it is now, and the actual ends of today. @throws NOT_FOUND */
export async function readProgress(ctx: Ctx, { versionIds, activityId, grain }: z.output<typeof ReadProgress>): Promise<Progress> {
  const { sql, project } = ctx;
  const versions = await sql<{ id: number; code: string; name: string }[]>`
    select id, code, name from plan_version where project_id = ${project.id} and id = any(${versionIds}::bigint[]) order by created_at, id`;
  const known = new Set(versions.map(({ id }) => id));
  const unknown = versionIds.find((id) => !known.has(id));
  if (unknown !== undefined) throw new AppError("NOT_FOUND", { object: unknown });
  const slot = activityId === undefined ? null : await slotOf(ctx, activityId);
  // One activity is read by its subscript, which takes a tenth of unpacking all of them.
  const days = (column: "plan_end" | "actual_end") =>
    slot === null
      ? sql`unnest(t.${sql(column)}, t.state) u(day, state)`
      : sql`lateral (select t.${sql(column)}[${slot}::int] as day, t.state[${slot}::int] as state) u`;
  const within = ctx.scope.all("version.view")
    ? sql`true`
    : sql`t.du_id in (select du.id from du where ${ctx.scope.where("version.view")})`;
  const rows = await sql<{ line: number; day: number; count: number }[]>`
    select t.version_id::int as line, u.day, count(*)::int as count from plan_version_row t, ${days("plan_end")}
    where t.version_id = any(${versionIds}::bigint[]) and t.project_id = ${project.id} and u.state & 7 = 1 and u.day > 0 and ${within} group by 1, 2
    union all
    select -1, u.day, count(*)::int from du_plan t join du d on d.id = t.du_id and d.deleted_at is null, ${days("plan_end")}
    where t.project_id = ${project.id} and u.state & 7 = 1 and u.day > 0 and ${within} group by 1, 2
    union all
    select -2, u.day, count(*)::int from du_plan t join du d on d.id = t.du_id and d.deleted_at is null, ${days("actual_end")}
    where t.project_id = ${project.id} and u.state & 7 = 1 and u.day > 0 and ${within} group by 1, 2`;
  const counts = new Map<number, Map<number, number>>();
  for (const { line, day, count } of rows) {
    const found = counts.get(line) ?? new Map<number, number>();
    counts.set(line, found.set(day, count));
  }
  const of = (line: number): DayCounts => counts.get(line) ?? new Map();
  const heads: Omit<ProgressLine, "values">[] = [
    ...versions.map(({ id, code, name }) => ({ versionId: id, kind: "planned" as const, code, name })),
    { versionId: null, kind: "planned", code: null, name: null },
    { versionId: null, kind: "actual", code: null, name: null },
  ];
  const { steps, sums } = accumulate([...versions.map(({ id }) => of(id)), of(-1), of(-2)], grain);
  const begun = begunSteps(steps, grain, dayNumber(ctx.today));
  return {
    steps: steps.map((step) => isoDay(step) as string),
    lines: heads.map((head, at) => ({ ...head, values: (sums[at] as number[]).slice(0, head.kind === "actual" ? begun : undefined) })),
    today: ctx.today,
  };
}

async function slotOf(ctx: Ctx, activityId: number): Promise<number> {
  const found = (await listLibraryActivities(ctx)).find(({ id }) => id === activityId);
  if (!found) throw new AppError("NOT_FOUND", { object: activityId });
  return found.slot;
}

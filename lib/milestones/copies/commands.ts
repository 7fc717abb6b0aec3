import "server-only";
import { holds } from "#lib/access/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { listTargets, type TargetProject } from "#lib/templates/sharing/queries.ts";
import { enabledMilestonesMax } from "../limits.ts";
import { takenLabels } from "../logic.ts";
import { type MilestoneHead, readHeads } from "../queries.ts";
import type { CopyMilestones } from "./schema.ts";

/** What became of each project. */
export type Copied = { done: { projectNumber: string; milestones: number }[]; refused: { projectNumber: string; code: ErrorCode }[] };

/**
 * Copies all milestones of the project into others, behind those they have, with their rows for delivery types; what names a temporary milestone or a flow
 * of this project stays behind. A project takes all or none.
 * @throws NO_DATA when there is no milestone
 */
export async function copyMilestones(ctx: Ctx, { toProjectNumbers }: CopyMilestones): Promise<Copied> {
  const { sql, project } = ctx;
  const own = await readHeads(ctx);
  if (own.length === 0) throw new AppError("NO_DATA");
  const known = new Map((await listTargets(ctx, toProjectNumbers)).map((target) => [target.number, target]));
  const targets = [...known.values()].map(({ id }) => id).sort((a, b) => a - b);
  await sql`select 1 from project where id = any(${targets}::bigint[]) order by id for no key update`;
  const theirs = await sql<(MilestoneHead & { projectId: number })[]>`
    select project_id as "projectId", id, number, name_zh as "nameZh", name_en as "nameEn", name_ja as "nameJa", enabled from milestone
    where project_id = any(${targets}::bigint[])`;
  const refused: Copied["refused"] = [];
  const open = toProjectNumbers.flatMap((projectNumber) => {
    const target = known.get(projectNumber);
    const code = refusalOf(
      target,
      project.id,
      own,
      theirs.filter(({ projectId }) => projectId === target?.id),
    );
    if (code) refused.push({ projectNumber, code });
    return target && !code ? [target] : [];
  });
  const made = await sql<{ projectId: number }[]>`
    with added as (
      insert into milestone (project_id, number, name_zh, name_en, name_ja, flag, color, sort, enabled)
      select t.id, m.number, m.name_zh, m.name_en, m.name_ja, m.flag, m.color,
        coalesce((select max(o.sort) from milestone o where o.project_id = t.id), 0) + row_number() over (partition by t.id order by m.sort, m.id), m.enabled
      from milestone m cross join unnest(${open.map(({ id }) => id)}::bigint[]) t(id) where m.project_id = ${project.id}
      returning id, project_id, number
    ), infos as (
      insert into milestone_info (project_id, milestone_id, delivery_type, target, weight, date_field)
      select a.project_id, a.id, i.delivery_type, i.target, i.weight, i.date_field
      from added a join milestone m on m.project_id = ${project.id} and m.number = a.number
      join milestone_info i on i.milestone_id = m.id where i.target = 'activity'
    )
    select project_id as "projectId" from added`;
  const done = open.map(({ id, number }) => ({
    projectNumber: number,
    milestones: made.filter(({ projectId }) => projectId === id).length,
  }));
  ctx.audit("milestones", null, { done, refused }, "copied");
  return { done, refused };
}

function refusalOf(
  target: TargetProject | undefined,
  here: number,
  own: readonly MilestoneHead[],
  theirs: readonly MilestoneHead[],
): ErrorCode | null {
  if (!target) return "NOT_MEMBER";
  if (target.id === here) return "NAME_EXISTS";
  if (target.crossing) return "CROSS_BORDER_CONFIRM";
  if (target.status === "closed") return "PROJECT_CLOSED";
  if (!holds(target.membership, "milestone.config")) return "NO_PERMISSION";
  if (own.some((milestone) => takenLabels(milestone, theirs).length > 0)) return "NAME_EXISTS";
  const enabled = [...own, ...theirs].filter((milestone) => milestone.enabled).length;
  return enabled > enabledMilestonesMax ? "MILESTONE_LIMIT" : null;
}

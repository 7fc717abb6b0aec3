import "server-only";
import { holderNames } from "#lib/attributes/config-refs/logic.ts";
import { listHolders } from "#lib/attributes/config-refs/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseStaleOrder } from "#lib/core/stale.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { takenLabels } from "./logic.ts";
import { getMilestone, type MilestoneHead, readHeads } from "./queries.ts";
import { MILESTONE_LIMIT } from "./rules.ts";
import type { MilestoneIds, SaveMilestone, SortMilestones } from "./schema.ts";

/**
 * Stores a new milestone behind the others, or changes one.
 * @throws NOT_FOUND, NOTHING_MODIFIED, STALE, CODE_EXISTS and NAME_EXISTS at the field, MILESTONE_LIMIT
 */
export async function saveMilestone(ctx: Ctx, { milestone, infos }: SaveMilestone): Promise<{ id: number; rowVersion: number }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const heads = await readHeads(ctx);
  const before = milestone.id === undefined ? null : (heads.find(({ id }) => id === milestone.id) ?? null);
  if (milestone.id !== undefined && !before) throw new AppError("NOT_FOUND", { object: milestone.id });
  if (before && before.rowVersion !== milestone.rowVersion) throw new AppError("STALE", {}, [], await getMilestone(ctx, before));
  const stored = before && (await getMilestone(ctx, before));
  const others = heads.filter((head) => head !== before);
  const values = {
    number: milestone.number,
    nameZh: milestone.nameZh,
    nameEn: milestone.nameEn,
    nameJa: milestone.nameJa || null,
    flag: milestone.flag,
    color: milestone.color,
    enabled: milestone.enabled,
  };
  const taken = takenLabels(values, others).map(
    (label): Problem => ({ path: `milestone.${label}`, code: label === "number" ? "CODE_EXISTS" : "NAME_EXISTS" }),
  );
  if (taken.length > 0) throw new AppError(taken[0]!.code, {}, taken);
  checkRules([MILESTONE_LIMIT], { enabled: values.enabled, othersEnabled: countEnabled(others) }, "milestone.enabled");
  await demandTempMilestones(ctx, infos);
  const [written] = before
    ? await sql<{ id: number }[]>`
        update milestone set number = ${values.number}, name_zh = ${values.nameZh}, name_en = ${values.nameEn}, name_ja = ${values.nameJa},
          flag = ${values.flag}, color = ${values.color}, enabled = ${values.enabled}, row_version = row_version + 1 where id = ${before.id} returning id`
    : await sql<{ id: number }[]>`
        insert into milestone (project_id, number, name_zh, name_en, name_ja, flag, color, sort, enabled)
        values (${project.id}, ${values.number}, ${values.nameZh}, ${values.nameEn}, ${values.nameJa}, ${values.flag}, ${values.color},
          ${Math.max(0, ...heads.map(({ sort }) => sort)) + 1}, ${values.enabled}) returning id`;
  const id = written!.id;
  await sql`delete from milestone_info where milestone_id = ${id}`;
  await sql`
    insert into milestone_info (project_id, milestone_id, delivery_type, target, temp_milestone_id, weight, date_field)
    select ${project.id}, ${id}, r."deliveryType", r.target, r."tempMilestoneId", r.weight, r."dateField" from jsonb_to_recordset(${sql.json(infos)})
      as r("deliveryType" text, target text, "tempMilestoneId" bigint, weight numeric, "dateField" text)`;
  if (stored) refuseUnchanged(stored, { ...values, infos: (await getMilestone(ctx, stored)).infos });
  ctx.audit(`milestone ${id}`, before, { ...values, infos });
  return { id, rowVersion: (before?.rowVersion ?? 0) + 1 };
}

const countEnabled = (heads: readonly MilestoneHead[]): number => heads.filter(({ enabled }) => enabled).length;

/** Refuses a temporary milestone the project does not have; those it has stay until the transaction ends. */
async function demandTempMilestones({ sql, project }: Ctx, infos: SaveMilestone["infos"]): Promise<void> {
  const asked = infos.flatMap(({ tempMilestoneId }) => (tempMilestoneId === null ? [] : [tempMilestoneId]));
  if (asked.length === 0) return;
  const rows = await sql<{ id: number }[]>`
    select id from temp_milestone where project_id = ${project.id} and id = any(${asked}::bigint[]) order by id for share`;
  const known = new Set(rows.map(({ id }) => id));
  const problems = infos.flatMap(({ tempMilestoneId }, index): Problem[] =>
    tempMilestoneId === null || known.has(tempMilestoneId)
      ? []
      : [{ path: `infos.${index}.tempMilestoneId`, code: "NOT_FOUND", params: { object: tempMilestoneId } }],
  );
  if (problems[0]) throw new AppError("NOT_FOUND", problems[0].params, problems);
}

/**
 * Deletes milestones that no flow has an activity for, all or none.
 * @throws NOT_FOUND, IN_USE with the flows of each
 */
export async function deleteMilestones(ctx: Ctx, { ids }: MilestoneIds): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const found = (await readHeads(ctx)).filter(({ id }) => ids.includes(id));
  demandAll(ids, found);
  const [flows, holders] = await Promise.all([
    sql<{ id: number; name: string }[]>`
      select g.milestone_id as id, f.name from milestone_mapping g join activity_flow f on f.id = g.flow_id
      where g.project_id = ${project.id} and g.milestone_id = any(${ids}::bigint[]) order by f.name collate natural_order`,
    listHolders(ctx, "MILESTONE", ids),
  ]);
  const used = found.flatMap(({ id, number }) => {
    const names = [...flows.filter((flow) => flow.id === id), ...holders.filter(({ targetId }) => targetId === id)].map(({ name }) => name);
    return names.length > 0 ? [{ id, by: `${number} (${holderNames(names)})` }] : [];
  });
  if (used.length > 0)
    throw new AppError(
      "IN_USE",
      { by: used.map(({ by }) => by).join("; ") },
      used.map(({ id, by }) => ({ path: `ids.${ids.indexOf(id)}`, code: "IN_USE", params: { by } })),
    );
  await sql`delete from milestone where project_id = ${project.id} and id = any(${ids}::bigint[])`;
  for (const milestone of found) ctx.audit(`milestone ${milestone.id}`, milestone, null);
  return { deleted: found.length };
}

/**
 * Brings milestones into the order of the ids; those not named follow in the order they had, as do those made meanwhile.
 * @throws NOT_FOUND, STALE when a milestone seen is gone or stands elsewhere than in the order seen
 */
export async function sortMilestones(ctx: Ctx, { ids, before }: SortMilestones): Promise<{ sorted: number }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const heads = await readHeads(ctx);
  const present = heads.map(({ id }) => id);
  refuseStaleOrder(present, before, ids);
  demandAll(ids, heads);
  await sql`
    update milestone m set sort = r.sort from (
      select id, row_number() over (order by array_position(${ids}::bigint[], id) nulls last, sort, id) as sort from milestone where project_id = ${project.id}
    ) r where r.id = m.id and m.sort <> r.sort`;
  ctx.audit("milestones", { order: present }, { order: ids }, "sorted");
  return { sorted: ids.length };
}

function demandAll(ids: readonly number[], found: readonly { id: number }[]): void {
  const missing = ids.filter((id) => !found.some((one) => one.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
}

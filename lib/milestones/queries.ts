import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { type DateField, enabledMilestonesMax, type InfoTarget, type MilestoneColor, type MilestoneFlag } from "./limits.ts";
import type { MilestoneNames } from "./logic.ts";
import type { ListMilestones } from "./schema.ts";

/** A milestone without what hangs on it. */
export type MilestoneHead = MilestoneNames & {
  id: number;
  number: string;
  flag: MilestoneFlag;
  color: MilestoneColor;
  sort: number;
  enabled: boolean;
  rowVersion: number;
};

/** What a milestone means for the DUs of a delivery type; null: for all others. */
export type MilestoneInfo = {
  deliveryType: string | null;
  target: InfoTarget;
  tempMilestoneId: number | null;
  tempMilestone: string | null;
  weight: number | null;
  dateField: DateField;
};

/** A flow and the activity in it that a milestone stands for. */
export type MilestoneTarget = { flowId: number; flow: string; activityId: number; activity: string };

/** A milestone with all that says what it stands for; `usage` is the number of flows that have an activity for it. */
export type Milestone = MilestoneHead & { infos: MilestoneInfo[]; mapping: MilestoneTarget[]; usage: number };

const headSql = `m.id, m.number, m.name_zh as "nameZh", m.name_en as "nameEn", m.name_ja as "nameJa", m.flag, m.color, m.sort, m.enabled, m.row_version as "rowVersion"`;

/** Milestones of the project in their order, locked for a change where asked. */
export async function readHeads({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<MilestoneHead[]> {
  return [
    ...(await sql<MilestoneHead[]>`
      select ${sql.unsafe(headSql)} from milestone m where m.project_id = ${project.id} order by m.sort, m.id`),
  ];
}

async function readMilestones({ sql, project }: Ctx, { enabled, searchKey }: ListMilestones, id?: number): Promise<Milestone[]> {
  const text = searchKey?.toLowerCase() ?? "";
  const rows = await sql<Omit<Milestone, "usage">[]>`
    select ${sql.unsafe(headSql)},
      coalesce((
        select json_agg(json_build_object('deliveryType', i.delivery_type, 'target', i.target, 'tempMilestoneId', i.temp_milestone_id, 'tempMilestone', t.name,
          'weight', i.weight, 'dateField', i.date_field) order by i.delivery_type nulls first, i.id)
        from milestone_info i left join temp_milestone t on t.id = i.temp_milestone_id where i.milestone_id = m.id), '[]') as infos,
      coalesce((
        select json_agg(json_build_object('flowId', f.id, 'flow', f.name, 'activityId', a.id, 'activity', coalesce(n.name, a.name)) order by f.name collate natural_order, f.id)
        from milestone_mapping g join activity_flow f on f.id = g.flow_id join activity_library a on a.id = g.activity_id
        left join flow_activity n on n.flow_id = g.flow_id and n.activity_id = g.activity_id where g.milestone_id = m.id), '[]') as mapping
    from milestone m
    where m.project_id = ${project.id} and ${id === undefined ? sql`true` : sql`m.id = ${id}`} and ${enabled === undefined ? sql`true` : sql`m.enabled = ${enabled}`}
      and (${text} = '' or position(${text} in lower(concat_ws(' ', m.number, m.name_zh, m.name_en, m.name_ja))) > 0)
    order by m.sort, m.id`;
  return rows.map((row) => ({ ...row, usage: row.mapping.length }));
}

/** Milestones of the project in their order with how many of the allowed ones are enabled. */
export async function listMilestones(ctx: Ctx, input: ListMilestones): Promise<{ records: Milestone[]; enabled: number; max: number }> {
  const { sql, project } = ctx;
  const [records, [count]] = await Promise.all([
    readMilestones(ctx, input),
    sql<{ enabled: number }[]>`select count(*)::int as enabled from milestone where project_id = ${project.id} and enabled`,
  ]);
  return { records, enabled: count!.enabled, max: enabledMilestonesMax };
}

/** One milestone. @throws NOT_FOUND */
export async function getMilestone(ctx: Ctx, { id }: { id: number }): Promise<Milestone> {
  const [found] = await readMilestones(ctx, {}, id);
  if (!found) throw new AppError("NOT_FOUND", { object: id });
  return found;
}

/** Delivery types that DUs or flows of the project name, for choosing one. */
export async function listDeliveryTypes({ sql, project }: Ctx): Promise<string[]> {
  const rows = await sql<{ type: string }[]>`
    select distinct type from (
      select delivery_type as type from du where project_id = ${project.id} and deleted_at is null
      union all select unnest(delivery_types) from activity_flow where project_id = ${project.id}
    ) given where type <> '' order by 1 limit 200`;
  return rows.map(({ type }) => type);
}

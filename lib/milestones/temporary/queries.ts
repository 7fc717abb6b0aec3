import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import { findEditors } from "#lib/owners/assignment/queries.ts";
import type { TempStatus } from "./limits.ts";

/** A temporary milestone. */
export type TempMilestone = {
  id: number;
  name: string;
  productCode: string | null;
  product: string | null;
  deliverable: string | null;
  status: TempStatus;
  rowVersion: number;
  createdAt: Date;
};
/** With what depends on it: linked DUs, and enabled milestones whose rows name it. */
export type TempMilestoneUse = TempMilestone & { dus: number; milestones: number };
export type TempMilestoneRow = TempMilestoneUse & { createdByName: string };

const columns = `t.id, t.name, t.product_code as "productCode", t.product, t.deliverable, t.status, t.row_version as "rowVersion", t.created_at as "createdAt"`;
const uses = (sql: Ctx["sql"], dus: PendingQuery<Row[]>) => sql`
  (select count(*)::int from temp_milestone_du l join du on du.id = l.du_id and ${dus} where l.temp_milestone_id = t.id) as dus,
  (select count(distinct m.id)::int from milestone_info i join milestone m on m.id = i.milestone_id and m.enabled where i.temp_milestone_id = t.id) as milestones`;

/** The temporary milestones with these ids and what depends on them, locked for a change in id order. */
export async function lockTempMilestones({ sql, project }: Ctx, ids: readonly number[]): Promise<TempMilestoneUse[]> {
  await sql`select 1 from temp_milestone where project_id = ${project.id} and id = any(${[...ids]}::bigint[]) order by id for update`;
  return [
    ...(await sql<TempMilestoneUse[]>`
      select ${sql.unsafe(columns)}, ${uses(sql, sql`du.deleted_at is null`)} from temp_milestone t where t.project_id = ${project.id} and t.id = any(${[...ids]}::bigint[]) order by t.id`),
  ];
}

const orders: Record<string, string> = {
  name: "t.name collate natural_order",
  productCode: "t.product_code collate natural_order",
  product: "t.product collate natural_order",
  deliverable: "t.deliverable collate natural_order",
  status: "t.status",
  dus: "dus",
  createdAt: "t.created_at",
};

const ordered = (given: Record<string, string>, { sort }: ListInput, last: string[]): string =>
  [...(sort ?? []).map(({ field, dir }) => `${given[field]} ${dir} nulls last`), ...last].join(", ");

/** A page of the project's temporary milestones. */
export async function listTempMilestones(ctx: Ctx, input: ListInput): Promise<Page<TempMilestoneRow>> {
  const { sql, project } = ctx;
  const { page, size } = input;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, sql`t.project_id = ${project.id}`);
  const [rows, [count]] = await Promise.all([
    sql<TempMilestoneRow[]>`
      select ${sql.unsafe(columns)}, ${uses(sql, ctx.scope.where("rollout.view"))}, u.name as "createdByName" from temp_milestone t join app_user u on u.id = t.created_by
      where ${where} order by ${sql.unsafe(ordered(orders, input, ["t.name collate natural_order", "t.id"]))} limit ${size} offset ${(page - 1) * size}`,
    sql<{ total: number }[]>`select count(*)::int as total from temp_milestone t where ${where}`,
  ]);
  return { records: [...rows], total: count!.total, page, size };
}

function condition({ sql }: Ctx, { field, values }: Filter) {
  if (field === "status") return sql`t.status = any(${values.map(String)}::text[])`;
  return sql`position(lower(${String(values[0] ?? "")}) in lower(concat_ws(' ', t.name, t.product_code, t.product, t.deliverable))) > 0`;
}

/** A DU linked to a temporary milestone with its dates there. */
export type TempDuRow = { id: number; duId: number; code: string; name: string; planDate: string | null; actualDate: string | null };

const duOrders: Record<string, string> = {
  code: "du.code collate natural_order",
  name: "du.name collate natural_order",
  planDate: "l.plan_date",
  actualDate: "l.actual_date",
};

/** A page of the linked DUs the caller sees; without a filter on the milestone those of all. */
export async function listTempDus(ctx: Ctx, input: ListInput): Promise<Page<TempDuRow>> {
  const { sql, project } = ctx;
  const { page, size } = input;
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${duCondition(ctx, filter)}`,
    sql`l.project_id = ${project.id} and ${ctx.scope.where("rollout.view")}`,
  );
  const [rows, [count]] = await Promise.all([
    sql<TempDuRow[]>`
      select l.temp_milestone_id as id, du.id as "duId", du.code, du.name, l.plan_date as "planDate", l.actual_date as "actualDate"
      from temp_milestone_du l join du on du.id = l.du_id where ${where}
      order by ${sql.unsafe(ordered(duOrders, input, ["du.code collate natural_order", "du.id", "l.temp_milestone_id"]))} limit ${size} offset ${(page - 1) * size}`,
    sql<{ total: number }[]>`select count(*)::int as total from temp_milestone_du l join du on du.id = l.du_id where ${where}`,
  ]);
  return { records: [...rows], total: count!.total, page, size };
}

// One entry is looked for anywhere in code or name, several are exact codes.
function duCondition({ sql }: Ctx, { field, values }: Filter) {
  if (field === "tempMilestoneId") return sql`l.temp_milestone_id = any(${values.map(Number).filter(Number.isSafeInteger)}::bigint[])`;
  const entries = values.flatMap((value) => searchEntries(String(value ?? "")));
  if (entries.length > 1) return sql`du.code = any(${entries}::text[])`;
  const text = (entries[0] ?? "").toLowerCase();
  return sql`(position(${text} in lower(du.code)) > 0 or position(${text} in lower(du.name)) > 0)`;
}

/** Those of the DUs that a right of the caller reaches. */
async function findReached(ctx: Ctx, right: "rollout.edit" | "rollout.actualEdit", duIds: readonly number[]): Promise<number[]> {
  const rows = await ctx.sql<{ id: number }[]>`
    select du.id from du where ${ctx.scope.where(right)} and du.id = any(${[...duIds]}::bigint[])`;
  return rows.map(({ id }) => id);
}

/** Those of the DUs whose plan the caller's right reaches, and whether data control leaves it to him. */
export async function readPlanned(ctx: Ctx, duIds: readonly number[]): Promise<Map<number, boolean>> {
  const reached = await findReached(ctx, "rollout.edit", duIds);
  const editors = await findEditors(ctx, reached);
  return new Map(reached.map((id) => [id, editors.get(id)?.plan === true]));
}

/** Those of the DUs on which the caller may enter actual dates. */
export async function readActuals(ctx: Ctx, duIds: readonly number[]): Promise<Set<number>> {
  return new Set(await findReached(ctx, "rollout.actualEdit", duIds));
}

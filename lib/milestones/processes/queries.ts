import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { ProcessStatus } from "./limits.ts";
import type { ProcessStep } from "./schema.ts";

/** A temporary process with how many orders it made, and how many of them are open. */
export type TempProcess = {
  id: number;
  name: string;
  flowId: number | null;
  flow: string | null;
  steps: ProcessStep[];
  status: ProcessStatus;
  rowVersion: number;
  orders: number;
  openOrders: number;
};

/** @param dus condition on `du`: those whose orders count */
const columns = (
  sql: Ctx["sql"],
  dus: PendingQuery<Row[]>,
) => sql`p.id, p.name, p.flow_id as "flowId", f.name as flow, p.steps, p.status, p.row_version as "rowVersion",
  (select count(*)::int from work_order o join du on du.id = o.du_id where o.temp_process_id = p.id and ${dus}) as orders,
  (select count(*)::int from work_order o join du on du.id = o.du_id where o.temp_process_id = p.id and o.status not in ('completed', 'cancelled') and ${dus}) as "openOrders"`;
const tables = "temp_process p left join activity_flow f on f.id = p.flow_id";

/** The temporary processes with these ids, locked for a change in id order. */
export async function lockProcesses({ sql, project }: Ctx, ids: readonly number[]): Promise<TempProcess[]> {
  await sql`select 1 from temp_process where project_id = ${project.id} and id = any(${[...ids]}::bigint[]) order by id for update`;
  return [
    ...(await sql<TempProcess[]>`
      select ${columns(sql, sql`true`)} from ${sql.unsafe(tables)} where p.project_id = ${project.id} and p.id = any(${[...ids]}::bigint[]) order by p.id`),
  ];
}

/** Names of the work orders of all other processes, in small letters. */
export async function readOrderNames({ sql, project }: Ctx, without: number | null): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select lower(s ->> 'workOrderName') as name from temp_process p, jsonb_array_elements(p.steps) s where p.project_id = ${project.id} and p.id <> ${without ?? 0}`;
  return new Set(rows.map(({ name }) => name));
}

const orders: Record<string, string> = {
  name: "p.name collate natural_order",
  flow: "f.name collate natural_order",
  status: "p.status",
  orders: "orders",
};

/** A page of the project's temporary processes. */
export async function listProcesses(ctx: Ctx, input: ListInput): Promise<Page<TempProcess>> {
  const { sql, project } = ctx;
  const { page, size } = input;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, sql`p.project_id = ${project.id}`);
  const order = (input.sort ?? [])
    .map(({ field, dir }) => `${orders[field]} ${dir} nulls last`)
    .concat("p.name collate natural_order", "p.id")
    .join(", ");
  const [rows, [count]] = await Promise.all([
    sql<TempProcess[]>`
      select ${columns(sql, ctx.scope.all("rollout.view") ? sql`true` : ctx.scope.where("rollout.view"))} from ${sql.unsafe(tables)} where ${where} order by ${sql.unsafe(order)} limit ${size} offset ${(page - 1) * size}`,
    sql<{ total: number }[]>`select count(*)::int as total from ${sql.unsafe(tables)} where ${where}`,
  ]);
  return { records: [...rows], total: count!.total, page, size };
}

function condition({ sql }: Ctx, { field, values }: Filter) {
  if (field === "status") return sql`p.status = any(${values.map(String)}::text[])`;
  return sql`position(lower(${String(values[0] ?? "")}) in lower(p.name || ' ' || coalesce(f.name, '') || ' ' || p.steps::text)) > 0`;
}

/** A DU that is to get work orders: its region, its flow, and names of its open temporary orders in small letters. */
export type OrderDu = { id: number; code: string; regionId: number | null; flowId: number | null; open: string[] };

/** Those of the DUs that workOrder.dispatch of the caller reaches, locked in id order so that no order is made twice. */
export async function lockOrderDus(ctx: Ctx, duIds: readonly number[]): Promise<Map<number, OrderDu>> {
  const { sql } = ctx;
  const ids = [...duIds];
  await sql`select 1 from du where ${ctx.scope.where("workOrder.dispatch")} and du.id = any(${ids}::bigint[]) order by du.id for no key update of du`;
  const rows = await sql<OrderDu[]>`
    select du.id, du.code, du.region_id as "regionId", b.flow_id as "flowId", array(
      select lower(o.name) from work_order o where o.du_id = du.id and o.temp and o.status not in ('completed', 'cancelled')) as open
    from du left join du_flow b on b.du_id = du.id and b.unbound_at is null
    where ${ctx.scope.where("workOrder.dispatch")} and du.id = any(${ids}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Flows a process may be for, by name. */
export async function listProcessFlows({ sql, project }: Ctx): Promise<{ id: number; name: string }[]> {
  return [
    ...(await sql<{ id: number; name: string }[]>`
      select id, name from activity_flow where project_id = ${project.id} and draft_of is null and version > 0 order by name collate natural_order, id`),
  ];
}

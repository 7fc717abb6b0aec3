import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { ActivityKind } from "./limits.ts";

export type LibraryActivity = {
  id: number;
  slot: number;
  code: string;
  name: string;
  kind: ActivityKind;
  automatic: boolean;
  disabled: boolean;
  /** Flows, drafts included, that hold the activity. */
  flowCount: number;
  rowVersion: number;
};

const orders: Record<string, string> = {
  slot: "a.slot",
  code: "a.code collate natural_order",
  name: "a.name collate natural_order",
  kind: "a.kind",
  flowCount: "flow_count",
};

/** The activities of the project's library, in slot order unless another is asked. */
export async function listActivities(ctx: Ctx, input: ListInput): Promise<Page<LibraryActivity>> {
  const { sql } = ctx;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, sql`a.project_id = ${ctx.project.id}`);
  const order = (input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir}`).concat("a.slot");
  const rows = await sql<
    (Omit<LibraryActivity, "flowCount" | "rowVersion"> & { flow_count: number; row_version: number; total: number })[]
  >`
    select a.id, a.slot, a.code, a.name, a.kind, a.automatic, a.disabled_at is not null as disabled, a.row_version,
      (select count(*)::int from flow_activity n join activity_flow f on f.id = n.flow_id where n.activity_id = a.id and f.draft_of is null) as flow_count,
      count(*) over ()::int as total
    from activity_library a where ${where} order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const total = rows[0]?.total ?? (input.page > 1 ? await countActivities(ctx, where) : 0);
  const records = rows.map(({ flow_count, row_version, total: _total, ...row }) => ({
    ...row,
    flowCount: flow_count,
    rowVersion: row_version,
  }));
  return { records, total, page: input.page, size: input.size };
}

async function countActivities({ sql }: Ctx, where: ReturnType<typeof condition>): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select count(*)::int as total from activity_library a where ${where}`;
  return row!.total;
}

function condition({ sql }: Ctx, { field, type, values }: Filter) {
  if (field === "enabled") return values[0] === false ? sql`a.disabled_at is not null` : sql`a.disabled_at is null`;
  if (field === "kind") return sql`a.kind = any(${values.map(String)}::text[])`;
  const column = field === "code" ? sql`a.code` : sql`a.name`;
  return type === "like" ? sql`position(lower(${String(values[0] ?? "")}) in lower(${column})) > 0` : sql`true`;
}

/** The library activity a flow's node stands for. */
export type LinkedActivity = { id: number; slot: number; code: string; name: string; kind: ActivityKind; disabled: boolean };

/** Library activities of the project by id; ids of other projects are not in the answer. */
export async function readActivities({ sql, project }: Ctx, ids: readonly number[]): Promise<Map<number, LinkedActivity>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<LinkedActivity[]>`
    select id, slot, code, name, kind, disabled_at is not null as disabled from activity_library
    where project_id = ${project.id} and id = any(${[...ids]}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

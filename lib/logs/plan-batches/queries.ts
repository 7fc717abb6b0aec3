import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { LogField } from "#lib/logs/logic.ts";
import { compileLog, reachedDus } from "#lib/logs/queries.ts";
import { type ActivityColumnKey, type DuColumn, type DuColumnKey, duColumns, noteFields } from "#lib/rollout-plan/columns/limits.ts";
import { isChoice } from "#lib/rollout-plan/columns/logic.ts";
import { columnTitles, listPlanAttributes } from "#lib/rollout-plan/columns/queries.ts";
import { columnOf } from "#lib/rollout-plan/dus/logic.ts";

import type { PlanSource } from "#lib/rollout-plan/plan-log/limits.ts";
import { planFields } from "#lib/rollout-plan/plan-rows/limits.ts";
import type { ListBatches } from "./schema.ts";

/** One batch of the plan log with the DUs and cells in it that were asked for. Chunks of one task carry the same `task`. */
export type LogBatch = {
  batchId: number;
  seq: number;
  at: Date;
  actorId: number | null;
  actor: string | null;
  source: PlanSource;
  reason: string | null;
  undoOf: number | null;
  task: string | null;
  dus: number;
  cells: number;
};

/**
 * Batches of the plan log, newest first, behind a change number.
 * @returns at most `size` batches; `more` says whether older ones fit
 */
export async function listBatches(ctx: Ctx, input: ListBatches): Promise<{ records: LogBatch[]; more: boolean }> {
  const { sql, project } = ctx;
  const where = await compileLog(ctx, input.filters);
  // A caller who sees every DU and asks for whole batches needs no row of them counted.
  const found =
    where.whole && ctx.scope.all("rollout.view")
      ? sql`cross join lateral (select b.du_count as dus, b.cell_count as cells) n`
      : sql`cross join lateral (
          select count(*)::int as dus, coalesce(sum(${where.count}), 0)::int as cells
          from plan_log l join du on du.id = l.du_id where l.batch_id = b.id and ${reachedDus(ctx)} and ${where.rows}) n`;
  const rows = await sql<LogBatch[]>`
    select b.id as "batchId", b.seq, b.at, b.actor_id as "actorId", (select name from app_user u where u.id = b.actor_id) as actor, b.source, b.reason,
      b.undo_of as "undoOf",
      case when b.origin ->> 'kind' = 'task' then md5(b.origin::text || '/' || coalesce(b.actor_id, 0)) end as task, n.dus, n.cells
    from plan_batch b ${found}
    where b.project_id = ${project.id} and ${where.batches} and n.dus > 0 ${input.beforeSeq === undefined ? sql`` : sql`and b.seq < ${input.beforeSeq}`}
    order by b.seq desc limit ${input.size + 1}`;
  return { records: rows.slice(0, input.size), more: rows.length > input.size };
}

/** Fields of the plan log in the caller's language: plan cells, notes, DU columns, attributes. Values that are ids or fixed words come with their names. */
export async function listLogFields(ctx: Ctx): Promise<LogField[]> {
  const titles = columnTitles(ctx);
  const columns = Object.entries(duColumns) as [DuColumnKey, DuColumn][];
  const own = (loadMessages(ctx.locale).logs as unknown as { fields: Record<string, string> }).fields;
  const [attributes, names] = await Promise.all([listPlanAttributes(ctx), readReferences(ctx)]);
  return [
    ...planFields.map((key) => ({ key, title: own[key] ?? titles.activity(key as ActivityColumnKey) })),
    ...noteFields.map((key) => ({ key: `note.${key}`, title: titles.activity(key) })),
    ...columns.flatMap(([key, { edit, logged, choices }]) => {
      const field = edit ?? logged;
      if (!field) return [];
      return [
        {
          key: `du.${columnOf(field)}`,
          title: titles.du(key),
          ...(choices ? { values: Object.fromEntries(choices.map((value) => [value, titles.choice(key, value)])) } : {}),
          ...(names[key] ? { values: names[key] } : {}),
        },
      ];
    }),
    ...attributes.map(({ id, name, enums, type }) => ({
      key: `a${id}`,
      title: name,
      ...(isChoice(type) ? { values: Object.fromEntries(enums.map(({ id: value, value: text }) => [String(value), text])) } : {}),
    })),
  ];
}

/** Names behind the columns that hold an id. */
async function readReferences({ sql, project, scope }: Ctx): Promise<Record<string, Record<string, string>>> {
  const rows = await sql<{ column: string; id: number; name: string }[]>`
    select 'region' as column, id, name from delivery_region where project_id = ${project.id}
    union all select 'cluster', id, name from cluster where project_id = ${project.id}
    union all select 'subcontractor', id, name from subcontractor where project_id = ${project.id} and ${scope.company(sql`id`)}`;
  const names: Record<string, Record<string, string>> = { cluster: {}, region: {}, subcontractor: {} };
  for (const { column, id, name } of rows) Object.assign(names[column] as object, { [id]: name });
  return names;
}

/** People who changed the plan, by name. */
export async function listLogActors({ sql, project }: Ctx): Promise<{ id: number; name: string }[]> {
  return [
    ...(await sql<{ id: number; name: string }[]>`
      select u.id, u.name from app_user u where u.id in (select actor_id from plan_batch where project_id = ${project.id}) order by u.name collate natural_order, u.id`),
  ];
}

/** Code of a DU the caller sees, for an address that names its id. Null when there is none. */
export async function findDuCode(ctx: Ctx, duId: number): Promise<string | null> {
  const [row] = await ctx.sql<{ code: string }[]>`select du.code from du where du.id = ${duId} and ${reachedDus(ctx)}`;
  return row?.code ?? null;
}

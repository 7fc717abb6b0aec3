import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { PlanSource } from "./limits.ts";
import type { LogEntry } from "./logic.ts";

/** A batch of the log. */
export type PlanBatch = {
  id: number;
  seq: number;
  at: Date;
  actorId: number | null;
  source: PlanSource;
  reason: string | null;
  origin: Record<string, unknown> | null;
  undoOf: number | null;
  duCount: number;
  cellCount: number;
};

const columns = `b.id, b.seq, b.at, b.actor_id as "actorId", b.source, b.reason, b.origin, b.undo_of as "undoOf", b.du_count as "duCount", b.cell_count as "cellCount"`;

/** A batch with its rows; the batches of one task, which commits in chunks, are taken together. Empty when the project has no such batch. */
export async function listBatchEntries(
  ctx: Pick<Ctx, "sql" | "project">,
  batchId: number,
): Promise<{ batches: PlanBatch[]; entries: LogEntry[] }> {
  const { sql, project } = ctx;
  const batches = await sql<PlanBatch[]>`
    select ${sql.unsafe(columns)} from plan_batch g
    join plan_batch b on b.project_id = g.project_id and (b.id = g.id or (g.origin ->> 'kind' = 'task' and b.origin = g.origin and b.actor_id is not distinct from g.actor_id))
    where g.id = ${batchId} and g.project_id = ${project.id} order by b.seq`;
  if (batches.length === 0) return { batches: [], entries: [] };
  const entries = await sql<LogEntry[]>`
    select l.du_id as "duId", coalesce(l.flow_id, 0) as "flowId", l.cells, l.old, l.new, l.attrs
    from plan_log l join plan_batch b on b.id = l.batch_id
    where l.batch_id = any(${batches.map(({ id }) => id)}::bigint[]) order by b.seq desc, l.du_id`;
  return { batches: [...batches], entries: [...entries] };
}

/** One change of one cell. */
export type CellChange = {
  batchId: number;
  seq: number;
  at: Date;
  actorId: number | null;
  actor: string | null;
  source: PlanSource;
  reason: string | null;
  undoOf: number | null;
  old: unknown;
  new: unknown;
};

/**
 * Changes of one cell of a DU, newest first.
 * @param place packed cell number, or the key of an attribute, DU field or note
 */
export async function listCellChanges(
  ctx: Pick<Ctx, "sql" | "project">,
  duId: number,
  place: { cell: number } | { key: string },
): Promise<CellChange[]> {
  const { sql, project } = ctx;
  const value =
    "cell" in place
      ? sql`to_jsonb(l.old[array_position(l.cells, ${place.cell}::smallint)]) as old, to_jsonb(l.new[array_position(l.cells, ${place.cell}::smallint)]) as new`
      : sql`l.attrs -> ${place.key} -> 0 as old, l.attrs -> ${place.key} -> 1 as new`;
  const touched = "cell" in place ? sql`${place.cell}::smallint = any(l.cells)` : sql`l.attrs ? ${place.key}`;
  return [
    ...(await sql<CellChange[]>`
      select b.id as "batchId", b.seq, b.at, b.actor_id as "actorId", u.name as actor, b.source, b.reason, b.undo_of as "undoOf", ${value}
      from plan_log l join plan_batch b on b.id = l.batch_id left join app_user u on u.id = b.actor_id
      where l.du_id = ${duId} and l.project_id = ${project.id} and ${touched} order by b.seq desc limit 1000`),
  ];
}

/** One logged row with its author, for the values a DU had before. */
export type LoggedRow = Pick<LogEntry, "duId" | "cells" | "old" | "attrs"> & { at: Date; by: string | null };

/**
 * Changes of DUs after a change number of each, oldest first: the old value of the first change of a cell is the one it had at that number.
 * @param seqs change number by DU
 */
export async function listChangesSince(ctx: Pick<Ctx, "sql" | "project">, seqs: ReadonlyMap<number, number>): Promise<LoggedRow[]> {
  if (seqs.size === 0) return [];
  const rows = await ctx.sql<(LoggedRow & { seq: number })[]>`
    select l.du_id as "duId", l.cells, l.old, l.attrs, b.seq, b.at, u.name as by
    from plan_batch b join plan_log l on l.batch_id = b.id left join app_user u on u.id = b.actor_id
    where b.project_id = ${ctx.project.id} and b.seq > ${Math.min(...seqs.values())} and l.du_id = any(${[...seqs.keys()]}::bigint[])
    order by b.seq`;
  return rows.filter((row) => row.seq > (seqs.get(row.duId) as number));
}

/** The oldest change number the log still holds, or null when it holds none. */
export async function findOldestSeq(ctx: Pick<Ctx, "sql" | "project">): Promise<number | null> {
  const [row] = await ctx.sql<{ seq: number | null }[]>`select min(seq) as seq from plan_batch where project_id = ${ctx.project.id}`;
  return row?.seq ?? null;
}

/** What a task has written by now, over all its attempts: the last of its batches, undoing which takes back all of them, and what they hold; a DU counts in each. */
export async function readTaskWork(
  ctx: Pick<Ctx, "sql" | "project">,
  originKey: string,
): Promise<{ batchId: number | null; dus: number; cells: number }> {
  const { sql, project } = ctx;
  const [work] = await sql<{ batchId: number | null; dus: number; cells: number }[]>`
    select (array_agg(id order by seq desc))[1] as "batchId", coalesce(sum(du_count), 0)::int as dus, coalesce(sum(cell_count), 0)::int as cells
    from plan_batch where project_id = ${project.id} and origin = ${sql.json({ kind: "task", id: originKey })}`;
  return work!;
}

/** The last batch a task has written; undoing it takes back all of them. */
export async function findTaskBatch(ctx: Pick<Ctx, "sql" | "project">, originKey: string): Promise<number | null> {
  return (await readTaskWork(ctx, originKey)).batchId;
}

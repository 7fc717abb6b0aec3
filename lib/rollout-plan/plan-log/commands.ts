import "server-only";
import { arraysText, isSame, rowBreak } from "#lib/core/arrays-text.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { planNotice } from "#lib/core/events.ts";
import type { PlanSource } from "./limits.ts";
import type { Change, LogEntry } from "./logic.ts";

export type BatchOptions = {
  source: PlanSource;
  reason?: string | null | undefined;
  /** What made the change: task, rule run, version ... */
  origin?: Record<string, unknown> | null | undefined;
  undoOf?: number | undefined;
  /** A person started it (default true). */
  byPerson?: boolean | undefined;
};

const lineBreak = "\n";
const nothing: readonly number[] = [];

/**
 * Adds one batch to the log: takes the next change number of the project, whose row stays locked until commit, so that change numbers follow the order of commits.
 * Call it as the last write of the transaction; open screens hear of it at commit.
 */
export async function addBatch(
  ctx: Ctx,
  entries: readonly LogEntry[],
  options: BatchOptions,
): Promise<{ batchId: number; seq: number; cells: number }> {
  const cells = entries.reduce((sum, entry) => sum + entry.cells.length + Object.keys(entry.attrs ?? {}).length, 0);
  const [batch] = await ctx.sql<{ id: number; seq: number }[]>`${batchInsert(ctx, entries, options, { cells, alike: areAlike(entries) })}`;
  if (!batch) throw new Error("the batch was not written");
  return { batchId: batch.id, seq: batch.seq, cells };
}

/**
 * Tells the connection the statement by which `addBatch` will add a batch, by sending it without entries, which writes nothing: a connection asks twice for
 * the values of a statement it does not know, the first time when all that was sent before is written.
 */
export function announceBatch(ctx: Ctx, entries: readonly LogEntry[], options: BatchOptions): void {
  ctx.sql`${batchInsert(ctx, [], options, { cells: 0, alike: areAlike(entries) })}`.execute().catch(() => {});
}

/** Mostly the same cells of all DUs were changed: they are said once. */
function areAlike(entries: readonly LogEntry[]): boolean {
  const [first] = entries;
  return first !== undefined && entries.every(({ cells }) => isSame(cells, first.cells));
}

function batchInsert(ctx: Ctx, entries: readonly LogEntry[], options: BatchOptions, { cells, alike }: { cells: number; alike: boolean }) {
  const { sql, project } = ctx;
  // What was empty before is told by its size alone.
  const old = entries.map((entry) => (entry.old.every((value) => value === 0) ? nothing : entry.old));
  const arrays = (lists: readonly (readonly number[])[], empty: "" | "{}") =>
    sql`string_to_array(${arraysText(lists, empty)}, ${rowBreak}, '')`;
  const [changed, now] = [entries.map((entry) => entry.cells), entries.map((entry) => entry.new)];
  const cellsOf = alike ? sql`${arraysText([changed[0] ?? nothing], "{}")}::smallint[]` : sql`n.cells::smallint[]`;
  // JSON holds no line break of its own.
  const attrs = entries.map((entry) => (entry.attrs ? JSON.stringify(entry.attrs) : "")).join(lineBreak);
  const actorId = (options.byPerson ?? true) ? ctx.user.id : null;
  return sql`
    with s as (
      insert into plan_seq as p (project_id, seq) select ${project.id}, 1 where ${entries.length}::int > 0
      on conflict (project_id) do update set seq = p.seq + 1 returning seq
    ), b as (
      insert into plan_batch (project_id, seq, at, actor_id, source, reason, origin, undo_of, du_count, cell_count)
      select ${project.id}, s.seq, ${ctx.now}, ${actorId}, ${options.source}, ${options.reason?.trim() || null},
        ${options.origin ? sql.json(options.origin as never) : null}, ${options.undoOf ?? null}, ${entries.length}, ${cells}
      from s returning id, seq
    ), l as (
      insert into plan_log (du_id, batch_id, project_id, at, flow_id, cells, old, new, attrs)
      select n.du_id, b.id, ${project.id}, ${ctx.now}, nullif(n.flow_id, 0), ${cellsOf}, coalesce(n.old::int[], array_fill(0, array[n.size])), n.new::int[], n.attrs::jsonb
      from b, unnest(string_to_array(${entries.map((entry) => entry.duId).join(",")}, ',')::bigint[], string_to_array(${entries.map((entry) => entry.flowId).join(",")}, ',')::bigint[],
        string_to_array(${entries.map((entry) => entry.cells.length).join(",")}, ',')::int[], ${arrays(alike ? [] : changed, "{}")}, ${arrays(old, "")}, ${arrays(now, "{}")},
        string_to_array(${attrs}, ${lineBreak}, '')) as n(du_id, flow_id, size, cells, old, new, attrs)
    ), a as (${ctx.auditFrom(sql`select 'plan batch ' || id as object, jsonb_build_object('batchId', id) as after from b`)})
    select id, seq, ${planNotice(sql, { projectId: project.id, seq: sql`seq`, duIds: entries.map((entry) => entry.duId), actorId })} from b`;
}

/**
 * Logs changes of DU fields that were written elsewhere (new DUs, imports of DUs and sites) as one batch and raises the change number.
 * @param changes per DU what changed, by log key: `du.name`, `a12`
 */
export async function logDuChanges(
  ctx: Ctx,
  changes: readonly { duId: number; flowId?: number | null; attrs: Record<string, Change> }[],
  options: BatchOptions,
): Promise<{ batchId: number; seq: number } | null> {
  if (changes.length === 0) return null;
  return addBatch(
    ctx,
    changes.map(({ duId, flowId, attrs }) => ({ duId, flowId: flowId ?? 0, cells: [], old: [], new: [], attrs })),
    options,
  );
}

/**
 * Takes the next change number of the project for what changes who may edit a plan, not the plan: open screens read their rows again.
 * @param duIds the DUs it concerns, null for more than can be named
 */
export async function raisePlanSeq(
  { sql, project, user }: Pick<Ctx, "sql" | "project" | "user">,
  duIds: readonly number[] | null,
): Promise<void> {
  await sql`
    with s as (
      insert into plan_seq as p (project_id, seq) values (${project.id}, 1) on conflict (project_id) do update set seq = p.seq + 1 returning seq
    )
    select ${planNotice(sql, { projectId: project.id, seq: sql`seq`, duIds, actorId: user.id })} from s`;
}

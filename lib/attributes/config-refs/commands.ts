import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { enqueueTask } from "#lib/core/task.ts";
import { type HolderKind, recheckJobs, type TargetKind } from "./limits.ts";
import type { ConfigRef } from "./logic.ts";
import type { RecheckParams } from "./schema.ts";

/**
 * Says what an object of the project names from now on; belongs into the transaction that saves the object.
 * @param refs may name a thing several times; none takes the object out of the index
 */
export async function replaceRefs(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  kind: HolderKind,
  holderId: number,
  refs: readonly ConfigRef[],
): Promise<void> {
  const given = sql.json(refs.map(({ kind, id, usage }) => ({ kind, id, usage })));
  await sql`
    delete from config_ref c where c.project_id = ${project.id} and c.holder_kind = ${kind} and c.holder_id = ${holderId} and not exists (
      select 1 from jsonb_to_recordset(${given}) as n(kind text, id bigint, usage text)
      where n.kind = c.target_kind and n.id = c.target_id and n.usage = c.usage)`;
  if (refs.length === 0) return;
  await sql`
    insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
    select distinct ${project.id}::bigint, ${kind}, ${holderId}::bigint, n.kind, n.id, n.usage
    from jsonb_to_recordset(${given}) as n(kind text, id bigint, usage text) order by 4, 5, 6
    on conflict do nothing`;
}

/** Takes deleted objects out of the index. */
export async function dropRefs(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  kind: HolderKind,
  holderIds: readonly number[],
): Promise<void> {
  await sql`
    delete from config_ref where project_id = ${project.id} and holder_kind = ${kind} and holder_id = any(${[...holderIds]}::bigint[])`;
}

/** As `replaceRefs` for many objects of a kind, in two statements. */
export async function replaceRefsOfMany(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  kind: HolderKind,
  holderIds: readonly number[],
  refs: readonly (ConfigRef & { holderId: number })[],
): Promise<void> {
  await dropRefs({ sql, project }, kind, holderIds);
  const given = sql.json(refs.map(({ holderId, kind: target, id, usage }) => ({ holderId, kind: target, id, usage })));
  await sql`
    insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
    select distinct ${project.id}::bigint, ${kind}, n."holderId", n.kind, n.id, n.usage
    from jsonb_to_recordset(${given}) as n("holderId" bigint, kind text, id bigint, usage text)`;
}

/**
 * Queues a task for each kind of object that names one of the things, so that what no longer fits is taken out of force; belongs into the transaction that
 * changes the things. Kinds without a task are judged where they are used.
 * @returns ids of the tasks
 */
export async function queueRechecks(ctx: Ctx, targetKind: TargetKind, targetIds: readonly number[]): Promise<string[]> {
  if (targetIds.length === 0) return [];
  const { sql, project, locale } = ctx;
  const holders = await sql<{ kind: HolderKind; ids: number[] }[]>`
    select holder_kind as kind, array_agg(distinct holder_id order by holder_id) as ids from config_ref
    where project_id = ${project.id} and target_kind = ${targetKind} and target_id = any(${[...targetIds]}::bigint[]) group by 1 order by 1`;
  const { title } = (loadMessages(locale).attributes as unknown as { recheck: { title: string } }).recheck;
  const tasks: string[] = [];
  for (const { kind, ids } of holders) {
    const job = recheckJobs[kind];
    if (!job) continue;
    const params: RecheckParams = { holderIds: ids, targetKind, targetIds: [...targetIds] };
    tasks.push(await enqueueTask(ctx, { kind: job, direction: "process", title, params }));
  }
  return tasks;
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { VersionKind, VersionScope, VersionSource } from "./limits.ts";
import { demandFreeName } from "./queries.ts";

/** A version that is being filled. */
export type OpenVersion = { id: number; code: string; kind: "baseline" | "published" };
/** A version that was history from its first moment on. */
export type KeptVersion = { id: number; code: string };

export type NewVersion = {
  kind: OpenVersion["kind"];
  name: string;
  remark?: string | null | undefined;
  source: VersionSource;
  /** The background task that fills it; a later attempt finds it by that. */
  taskId?: string | undefined;
};

const prefixes = { baseline: "B", published: "P", historical: "H" } as const;

/**
 * Makes a version without rows, in force for what it will hold; the one of the same task is given back. The caller holds the project, so that codes follow each other.
 * @throws NAME_EXISTS
 */
export async function openVersion({ sql, project, user, now }: Ctx, given: NewVersion): Promise<OpenVersion> {
  const { kind, name, remark = null, source, taskId = null } = given;
  if (taskId !== null) {
    const [known] = await sql<OpenVersion[]>`
      select id, code, kind from plan_version where project_id = ${project.id} and task_id = ${taskId} and kind = ${kind}`;
    if (known) return known;
  }
  await demandFreeName({ sql, project }, kind, name);
  const { id, code } = await insertVersion({ sql, project, user, now }, { kind, name, remark, source, taskId });
  return { id, code, kind };
}

/**
 * Keeps the plan rows of DUs as they stand now as a historical version, before something deletes from them. The caller holds the project.
 * @param name null: its code
 */
export async function keepHistory(
  ctx: Ctx,
  { duIds, name, remark, source }: { duIds: readonly number[]; name: string | null; remark: string | null; source: VersionSource },
): Promise<KeptVersion> {
  const version = await insertVersion(ctx, { kind: "historical", name, remark, source, taskId: null });
  await addVersionRows(ctx, [version.id], duIds);
  return version;
}

async function insertVersion(
  { sql, project, user, now }: Pick<Ctx, "sql" | "project" | "user" | "now">,
  given: { kind: VersionKind; name: string | null; remark: string | null; source: VersionSource; taskId: string | null },
): Promise<KeptVersion> {
  const { kind, name, remark, source, taskId } = given;
  const prefix = prefixes[kind];
  const [made] = await sql<KeptVersion[]>`
    insert into plan_version (project_id, plan_id, kind, name, code, scope, in_force, slot_count, source, remark, task_id, created_by, created_at)
    select ${project.id}, p.id, ${kind}, coalesce(${name}, n.code), n.code, 'selection', ${kind !== "historical"},
      (select coalesce(max(slot), 0) from activity_library where project_id = ${project.id}), ${source}, ${remark || null}, ${taskId}, ${user.id}, ${now}
    from rollout_plan p, (
      select ${prefix} || '-' || lpad(m.number::text, greatest(4, length(m.number::text)), '0') as code from (
        select coalesce(max(substring(code from 3)::int), 0) + 1 as number from plan_version where project_id = ${project.id} and code like ${`${prefix}-%`}
      ) m
    ) n
    where p.project_id = ${project.id}
    returning id, code`;
  return made as KeptVersion;
}

/** Copies the plan rows of DUs, as they stand now, into versions: one statement, whatever their number. */
export async function addVersionRows({ sql, project }: Ctx, versionIds: readonly number[], duIds: readonly number[]): Promise<void> {
  const ids = [...duIds];
  await sql`
    insert into plan_version_row (version_id, project_id, du_id, du_code, du_name, flow_id, plan_start, plan_end, actual_start, actual_end,
      baseline_start, baseline_end, state, plan_owner, actual_owner)
    select v.id, p.project_id, p.du_id, du.code, du.name, f.flow_id, p.plan_start, p.plan_end, p.actual_start, p.actual_end,
      p.baseline_start, p.baseline_end, p.state, p.plan_owner, p.actual_owner
    from unnest(${[...versionIds]}::bigint[]) v(id)
    cross join (du_plan p join du on du.id = p.du_id left join du_flow f on f.du_id = p.du_id and f.unbound_at is null)
    where p.project_id = ${project.id} and p.du_id = any(${ids}::bigint[])`;
  await sql`
    update plan_version v set du_count = v.du_count + c.dus, activity_count = v.activity_count + c.activities
    from (select count(*)::int as dus, coalesce(sum(applicable_count), 0)::int as activities from du_plan
      where project_id = ${project.id} and du_id = any(${ids}::bigint[])) c
    where v.id = any(${[...versionIds]}::bigint[])`;
}

/**
 * Ends the filling of a version. One of the whole project replaces every earlier one of its kind; one of chosen DUs those whose DUs are all in it.
 * A version that another task still fills is left to it. The caller holds the project.
 * A published version of the whole project makes the next version of the plan.
 */
export async function settleVersion({ sql, project, user, now }: Ctx, { id, kind }: OpenVersion, scope: VersionScope): Promise<void> {
  const replaced =
    scope === "project"
      ? sql`true`
      : sql`o.scope = 'selection' and o.du_count <= (select du_count from plan_version where id = ${id}) and not exists (
          select 1 from plan_version_row r where r.version_id = o.id
            and not exists (select 1 from plan_version_row n where n.version_id = ${id} and n.du_id = r.du_id))`;
  // A task has filled its version once its rows are all counted, which its last chunk does when it commits.
  const isFilled = sql`not exists (
    select 1 from task t where t.id = o.task_id and t.status in ('queued', 'running') and t.done_count + t.failed_count < t.total_count)`;
  await sql`
    update plan_version o set former_kind = o.kind, kind = 'historical', in_force = false, row_version = o.row_version + 1
    where o.project_id = ${project.id} and o.kind = ${kind} and o.id <> ${id} and ${isFilled} and ${replaced}`;
  if (scope === "selection") return;
  await sql`update plan_version set scope = 'project' where id = ${id}`;
  if (kind === "published")
    await sql`
      update rollout_plan set version = version + 1, updated_by = ${user.id}, updated_at = ${now} where project_id = ${project.id}`;
}

/** Takes back a version that got no rows; tells whether it did. */
export async function dropVersion({ sql, project }: Ctx, { id }: OpenVersion): Promise<boolean> {
  const gone = await sql`delete from plan_version where id = ${id} and project_id = ${project.id} and du_count = 0`;
  return gone.count > 0;
}

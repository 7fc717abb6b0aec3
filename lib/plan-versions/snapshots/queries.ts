import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { VersionKind, VersionScope } from "./limits.ts";

/** Refuses a name that a version of the same kind bears or bore. */
export async function demandFreeName(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  kind: "baseline" | "published",
  name: string,
): Promise<void> {
  const [taken] = await sql`
    select 1 from plan_version where project_id = ${project.id} and coalesce(former_kind, kind) = ${kind} and lower(name) = lower(${name})`;
  if (taken) throw new AppError("NAME_EXISTS", {}, [{ path: "name", code: "NAME_EXISTS" }]);
}

/** Whether every DU of the project that follows a flow is among the chosen ones. */
export async function coversProject({ sql, project }: Pick<Ctx, "sql" | "project">, duIds: readonly number[]): Promise<boolean> {
  const [missed] = await sql`
    select 1 from du_flow f join du on du.id = f.du_id and du.deleted_at is null
    where f.project_id = ${project.id} and f.unbound_at is null and f.du_id <> all(${[...duIds]}::bigint[]) limit 1`;
  return !missed;
}

/** The versions a task has filled so far: the published one and the baseline. */
export async function findTaskVersions(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  taskId: string,
): Promise<{ version: FilledVersion | null; baseline: FilledVersion | null }> {
  const made = await sql<(FilledVersion & { kind: VersionKind })[]>`
    select id, code, coalesce(former_kind, kind) as kind from plan_version where project_id = ${project.id} and task_id = ${taskId}`;
  const of = (kind: VersionKind) => {
    const found = made.find((version) => version.kind === kind);
    return found ? { id: found.id, code: found.code } : null;
  };
  return { version: of("published"), baseline: of("baseline") };
}

/** The versions a task has filled so far, and which of the named DUs are not in the published one. */
export async function listVersionDus(
  ctx: Pick<Ctx, "sql" | "project">,
  taskId: string,
  duIds: readonly number[],
): Promise<{ versions: Awaited<ReturnType<typeof findTaskVersions>>; missing: number[] }> {
  const versions = await findTaskVersions(ctx, taskId);
  const rows = await ctx.sql<{ id: number }[]>`
    select id from unnest(${[...duIds]}::bigint[]) with ordinality d(id, n)
    where not exists (select 1 from plan_version_row r where r.version_id = ${versions.version?.id ?? 0} and r.du_id = d.id) order by n`;
  return { versions, missing: rows.map(({ id }) => id) };
}

/** A version as a result names it. */
export type FilledVersion = { id: number; code: string };

/** What is said of a version wherever it is used. */
export type VersionHead = { id: number; code: string; name: string; kind: VersionKind; scope: VersionScope; createdAt: Date };

/** A version of the project. @throws NOT_FOUND */
export async function getVersion({ sql, project }: Pick<Ctx, "sql" | "project">, id: number): Promise<VersionHead> {
  const [row] = await sql<VersionHead[]>`
    select id, code, name, kind, scope, created_at as "createdAt" from plan_version where id = ${id} and project_id = ${project.id}`;
  if (!row) throw new AppError("NOT_FOUND", { object: id });
  return row;
}

type Fragment = PendingQuery<Row[]>;

/** DUs and activities of a version as far as the caller sees them, as two columns; the version keeps the counts of all. @param duIds only these of it */
export function versionCounts({ sql, scope }: Pick<Ctx, "sql" | "scope">, versionId: Fragment, duIds?: Fragment): Fragment {
  const of = (count: Fragment) => sql`(
    select ${count} from plan_version_row r join du on du.id = r.du_id cross join lateral (select count(*) as held from unnest(r.state) s where s & 7 = 1) n
    where r.version_id = ${versionId} and ${duIds ? sql`r.du_id = any(${duIds})` : sql`true`} and ${scope.where("rollout.view")})`;
  return sql`${of(sql`count(*)::int`)} as "duCount", ${of(sql`coalesce(sum(n.held), 0)::int`)} as "activityCount"`;
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";

/** Refuses a name that a version of the same kind bears or bore. */
export async function demandFreeName({ sql, project }: Ctx, kind: "baseline" | "published", name: string): Promise<void> {
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

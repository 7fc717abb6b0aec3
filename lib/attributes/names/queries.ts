import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { type NamedKind, namedKinds } from "./limits.ts";
import type { CheckName } from "./schema.ts";

/** Whether a configuration name is still free in the project. @throws NOT_FOUND for a kind there is not */
export async function checkNameUnique({ sql, project }: Ctx, { kind, name, id }: CheckName): Promise<{ unique: boolean }> {
  if (!Object.hasOwn(namedKinds, kind)) throw new AppError("NOT_FOUND", { object: kind });
  const { table, name: column, live } = namedKinds[kind as NamedKind];
  const [taken] = await sql`
    select 1 from ${sql(table)} where project_id = ${project.id} and ${sql.unsafe(live)} and lower(${sql(column)}) = lower(${name}) and id is distinct from ${id ?? null} limit 1`;
  return { unique: !taken };
}

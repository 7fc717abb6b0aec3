import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { type HolderKind, holderTables, type TargetKind, type Usage } from "./limits.ts";

/** An object that names a thing. */
export type RefHolder = { targetId: number; kind: HolderKind; id: number; name: string; usage: Usage };

/** The objects that name any of the given things, by thing and name: one statement for the index, one for the names. */
export async function listHolders(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  target: TargetKind,
  targetIds: readonly number[],
): Promise<RefHolder[]> {
  if (targetIds.length === 0) return [];
  const refs = await sql<Omit<RefHolder, "name">[]>`
    select target_id as "targetId", holder_kind as kind, holder_id as id, usage from config_ref
    where project_id = ${project.id} and target_kind = ${target} and target_id = any(${[...targetIds]}::bigint[])`;
  if (refs.length === 0) return [];
  const parts = [...Map.groupBy(refs, ({ kind }) => kind)].map(([kind, rows]) => {
    const { table, name } = holderTables[kind];
    return sql`select ${kind}::text as kind, id, ${sql(name)}::text as name from ${sql(table)} where project_id = ${project.id}
      and id = any(${rows.map(({ id }) => id)}::bigint[])`;
  });
  const names = await sql<{ kind: HolderKind; id: number; name: string }[]>`
    ${parts.reduce((left, right) => sql`${left} union all ${right}`)}`;
  const named = new Map(names.map(({ kind, id, name }) => [`${kind} ${id}`, name]));
  return refs
    .flatMap((ref) => {
      const name = named.get(`${ref.kind} ${ref.id}`);
      return name === undefined ? [] : [{ ...ref, name }];
    })
    .sort((a, b) => a.targetId - b.targetId || a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name) || a.id - b.id);
}

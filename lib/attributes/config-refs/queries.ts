import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { type HolderKind, holderTables, type TargetKind, type Usage } from "./limits.ts";

/** An object that names a thing. */
export type RefHolder = { targetId: number; kind: HolderKind; id: number; name: string; usage: Usage };

/** The objects that name any of the given things, by thing and name: one statement for the index, one for the names. */
export async function listHolders(
  { sql, project, locale }: Pick<Ctx, "sql" | "project" | "locale">,
  target: TargetKind,
  targetIds: readonly number[],
): Promise<RefHolder[]> {
  if (targetIds.length === 0) return [];
  const refs = await sql<Omit<RefHolder, "name">[]>`
    select target_id as "targetId", holder_kind as kind, holder_id as id, usage from config_ref
    where project_id = ${project.id} and target_kind = ${target} and target_id = any(${[...targetIds]}::bigint[])`;
  if (refs.length === 0) return [];
  const screens = loadMessages(locale).screens as Record<string, string>;
  const parts = [...Map.groupBy(refs, ({ kind }) => kind)].map(([kind, rows]) => {
    const holder = holderTables[kind];
    const [id, name] =
      "screen" in holder ? ([sql`project_id`, sql`${screens[holder.screen]!}`] as const) : ([sql`id`, sql(holder.name)] as const);
    return sql`select ${kind}::text as kind, ${id} as id, ${name}::text as name from ${sql(holder.table)} where project_id = ${project.id}
      and ${id} = any(${rows.map((row) => row.id)}::bigint[])`;
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

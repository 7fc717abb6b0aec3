import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";

/** Names of people by id. */
export async function readNames(ctx: Pick<Ctx, "sql">, userIds: readonly number[]): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await ctx.sql<{ id: number; name: string }[]>`select id, name from app_user where id = any(${[...userIds]}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row.name]));
}

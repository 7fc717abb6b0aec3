import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";

/** Ids by code of the named DUs whose activities the caller may lock. */
export async function findLockableDus({ sql, scope }: Pick<Ctx, "sql" | "scope">, codes: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ id: number; code: string }[]>`
    select du.id, du.code from du where ${scope.where("integration.config")} and du.code = any(${[...new Set(codes)]}::text[])`;
  return new Map(rows.map(({ id, code }) => [code, id]));
}

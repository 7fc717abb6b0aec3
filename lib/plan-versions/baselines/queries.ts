import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";

/**
 * DUs with a flow among those whose baseline the caller may save: all, or the named ones.
 * @throws DU_NOT_FOUND for a named one out of reach
 */
export async function listBoundDus({ sql, scope }: Ctx, asked: readonly number[] | undefined): Promise<number[]> {
  const named = asked ? sql`du.id = any(${[...asked]}::bigint[])` : sql`true`;
  const rows = await sql<{ id: number; bound: boolean }[]>`
    select du.id, f.id is not null as bound from du left join du_flow f on f.du_id = du.id and f.unbound_at is null
    where ${scope.where("plan.baseline")} and ${named} order by du.id`;
  if (asked && rows.length < asked.length) {
    const known = new Set(rows.map(({ id }) => id));
    throw new AppError("DU_NOT_FOUND", { code: asked.find((id) => !known.has(id)) ?? 0 });
  }
  return rows.filter(({ bound }) => bound).map(({ id }) => id);
}

import "server-only";
import { type Pool, transaction } from "#db/client.ts";
import type { Ctx, CtxProject } from "./ctx.ts";
import { asSystem } from "./system-ctx.ts";

/**
 * One transaction of the product itself, with what waits for its commit.
 * @param address what the audit log calls the work
 */
export async function asNobody<T>(pool: Pool, project: CtxProject, now: Date, address: string, fn: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { result, settle } = await transaction(pool, (sql) => asSystem(sql, project, { now, address }, fn));
  await settle();
  return result;
}

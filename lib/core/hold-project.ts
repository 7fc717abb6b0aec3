import "server-only";
import type { Ctx } from "./ctx.ts";

/** Holds the project's row until the transaction ends: who writes what must be judged over the whole project waits for the one before. References to it stay free. */
export async function holdProject({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<void> {
  await sql`select 1 from project where id = ${project.id} for no key update`;
}

/**
 * Waits for who gives numbers of the same kind in the project, until the transaction ends. Numbers are given last, with plan rows locked already: whoever holds
 * the project and waits for such rows is not waited for.
 * @param kind the table whose rows are numbered
 */
export async function holdNumbers({ sql, project }: Pick<Ctx, "sql" | "project">, kind: "work_order" | "na_request"): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${project.id}`}, 0))`;
}

import "server-only";
import type { Ctx } from "./ctx.ts";

/** Holds the project's row until the transaction ends: who writes what must be judged over the whole project waits for the one before. References to it stay free. */
export async function holdProject({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<void> {
  await sql`select 1 from project where id = ${project.id} for no key update`;
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { type Currency, currencies, type RateKind } from "./limits.ts";

/** The currency of the project's amounts; revision 0 while none was chosen. */
export type ProjectCurrency = { code: Currency; rowVersion: number };

/** The project's currency: the first of them until another one is chosen. */
export async function getCurrency({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<ProjectCurrency> {
  const [row] = await sql<
    ProjectCurrency[]
  >`select code, row_version as "rowVersion" from project_currency where project_id = ${project.id}`;
  return row ?? { code: currencies[0], rowVersion: 0 };
}

/** From which rate on a cluster counts as completed; without a kind none is set. */
export type ClusterRate = { kind: RateKind | null; value: number | null; rowVersion: number };

/** The rate of completed clusters. */
export async function getRate({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<ClusterRate> {
  const [row] = await sql<
    ClusterRate[]
  >`select kind, value::float8, row_version as "rowVersion" from cluster_rate where project_id = ${project.id}`;
  return row ?? { kind: null, value: null, rowVersion: 0 };
}

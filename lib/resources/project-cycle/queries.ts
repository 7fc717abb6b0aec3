import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";

/** A phase of the project. */
export type Phase = { id: number; code: string; name: string; startDate: string; endDate: string };
/** The phases under one project number, by their begin. */
export type Cycle = { id: number; projectNumber: string; rowVersion: number; phases: Phase[] };

/** The cycles of the project by their numbers. */
export async function listCycles({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<Cycle[]> {
  return [
    ...(await sql<Cycle[]>`
      select c.id, c.project_number as "projectNumber", c.row_version as "rowVersion", coalesce((
        select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'startDate', p.start_date, 'endDate', p.end_date)
          order by p.start_date, p.end_date, p.code collate natural_order) from project_phase p where p.cycle_id = c.id), '[]') as phases
      from project_cycle c where c.project_id = ${project.id} order by c.project_number collate natural_order`),
  ];
}

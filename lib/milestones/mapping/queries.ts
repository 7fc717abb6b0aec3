import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { type MilestoneHead, readHeads } from "../queries.ts";
import type { MappingRow } from "./logic.ts";

/** A flow with the activities that may stand for a milestone. */
export type MappingFlow = { id: number; name: string; disabled: boolean; activities: { id: number; name: string }[] };

/** The matrix: milestones, flows that DUs may follow, and the filled cells. */
export type Mapping = { milestones: MilestoneHead[]; flows: MappingFlow[]; rows: MappingRow[] };

/** Flows that are or were released, with their activities, by name. */
export async function readMappingFlows({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<MappingFlow[]> {
  return [
    ...(await sql<MappingFlow[]>`
      select f.id, f.name, f.status = 'disabled' as disabled,
        coalesce(json_agg(json_build_object('id', n.activity_id, 'name', n.name) order by n.seq) filter (where n.activity_id is not null), '[]') as activities
      from activity_flow f left join flow_activity n on n.flow_id = f.id
      where f.project_id = ${project.id} and f.draft_of is null and f.version > 0 group by f.id order by f.name collate natural_order, f.id`),
  ];
}

/** The filled cells of the project. */
export async function readMapping({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<MappingRow[]> {
  return [
    ...(await sql<MappingRow[]>`
      select milestone_id as "milestoneId", flow_id as "flowId", activity_id as "activityId" from milestone_mapping where project_id = ${project.id} order by id`),
  ];
}

/** The whole matrix. */
export async function listMapping(ctx: Ctx): Promise<Mapping> {
  const [milestones, flows, rows] = await Promise.all([readHeads(ctx), readMappingFlows(ctx), readMapping(ctx)]);
  return { milestones, flows, rows };
}

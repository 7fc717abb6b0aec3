import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { readFlowGraph } from "../queries.ts";
import type { ListRetentionMappings, RetentionPair, SuggestRetention } from "./schema.ts";

/** A mapping with its pairs in the order of the new flow. */
export type RetentionMappingRow = {
  id: number;
  name: string;
  fromFlowId: number;
  fromFlowName: string;
  toFlowId: number;
  toFlowName: string;
  isDefault: boolean;
  rowVersion: number;
  updatedByName: string;
  updatedAt: Date;
  rows: RetentionPair[];
};

/** The retention mappings of the project, by the names of their flows; the default of two flows first. */
export async function listRetentionMappings(
  ctx: Ctx,
  { fromFlowId, toFlowId }: z.output<typeof ListRetentionMappings>,
): Promise<{ records: RetentionMappingRow[] }> {
  const { sql } = ctx;
  return {
    records: await readMappings(
      ctx,
      sql`${fromFlowId ? sql`m.from_flow_id = ${fromFlowId}` : sql`true`} and ${toFlowId ? sql`m.to_flow_id = ${toFlowId}` : sql`true`}`,
    ),
  };
}

/** One mapping. @throws NOT_FOUND outside the project */
export async function getRetentionMapping(ctx: Ctx, id: number): Promise<RetentionMappingRow> {
  const [mapping] = await readMappings(ctx, ctx.sql`m.id = ${id}`);
  if (!mapping) throw new AppError("NOT_FOUND", { object: id });
  return mapping;
}

async function readMappings({ sql, project }: Ctx, where: ReturnType<Ctx["scope"]["where"]>): Promise<RetentionMappingRow[]> {
  return [
    ...(await sql<RetentionMappingRow[]>`
      select m.id, m.name, m.from_flow_id as "fromFlowId", f.name as "fromFlowName", m.to_flow_id as "toFlowId", g.name as "toFlowName", m.is_default as "isDefault",
        m.row_version as "rowVersion", u.name as "updatedByName", m.updated_at as "updatedAt", coalesce((
          select json_agg(json_build_object('fromActivityId', r.from_activity_id, 'toActivityId', r.to_activity_id, 'plan', r.keep_plan, 'actual', r.keep_actual,
            'owner', r.keep_owner, 'baseline', r.keep_baseline, 'deliverables', r.keep_deliverables, 'attributes', r.keep_attributes) order by n.seq, a.slot)
          from retention_mapping_row r join activity_library a on a.id = r.to_activity_id
          left join flow_activity n on n.flow_id = m.to_flow_id and n.activity_id = r.to_activity_id where r.mapping_id = m.id), '[]') as rows
      from retention_mapping m join activity_flow f on f.id = m.from_flow_id join activity_flow g on g.id = m.to_flow_id join app_user u on u.id = m.updated_by
      where m.project_id = ${project.id} and ${where}
      order by f.name collate natural_order, g.name collate natural_order, m.is_default desc, m.name collate natural_order, m.id`),
  ];
}

/** Pairs of the activities both flows have, each taking over everything. @throws NOT_FOUND */
export async function suggestRetention(
  ctx: Ctx,
  { fromFlowId, toFlowId }: z.output<typeof SuggestRetention>,
): Promise<{ rows: RetentionPair[] }> {
  const { from, to } = await readFlowActivities(ctx, fromFlowId, toFlowId);
  const shared = [...to].filter((id) => from.has(id));
  return {
    rows: shared.map((id) => ({
      fromActivityId: id,
      toActivityId: id,
      plan: true,
      actual: true,
      owner: true,
      baseline: true,
      deliverables: true,
      attributes: true,
    })),
  };
}

/** Library activities of two flows that DUs may follow, in their order. @throws NOT_FOUND for a draft or a flow of another project */
export async function readFlowActivities(ctx: Ctx, fromFlowId: number, toFlowId: number): Promise<{ from: Set<number>; to: Set<number> }> {
  const graphs = await readFlowGraph(ctx, [fromFlowId, toFlowId]);
  const activities = (id: number) => {
    const graph = graphs.get(id);
    if (!graph || graph.status === "draft") throw new AppError("NOT_FOUND", { object: id });
    return new Set(graph.nodes.flatMap(({ activityId }) => activityId ?? []));
  };
  return { from: activities(fromFlowId), to: activities(toFlowId) };
}

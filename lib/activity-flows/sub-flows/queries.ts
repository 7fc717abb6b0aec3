import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { SubFlowStatus } from "./limits.ts";

export type SubFlowStep = { id: number; name: string; weight: number; needDeliverable: boolean };
export type SubFlowRow = {
  id: number;
  name: string;
  status: SubFlowStatus;
  steps: SubFlowStep[];
  /** Activities with the sub-flow, by flow; a working copy counts as its flow. */
  usedBy: { flowId: number; flowName: string; activities: string[] }[];
  rowVersion: number;
};

/** The sub-flows of the project with their steps and where they are used, by name. */
export async function listSubFlows({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<{ subFlows: SubFlowRow[] }> {
  const rows = await sql<SubFlowRow[]>`
    select s.id, s.name, s.status, s.row_version as "rowVersion",
      (select json_agg(json_build_object('id', t.id, 'name', t.name, 'weight', t.weight, 'needDeliverable', t.need_deliverable) order by t.seq, t.id)
        from sub_flow_step t where t.sub_flow_id = s.id) as steps,
      coalesce((select json_agg(json_build_object('flowId', u.flow_id, 'flowName', u.flow_name, 'activities', u.activities) order by lower(u.flow_name))
        from (
          select r.id as flow_id, r.name as flow_name, json_agg(distinct n.name order by n.name) as activities
          from flow_activity n join activity_flow f on f.id = n.flow_id join activity_flow r on r.id = coalesce(f.draft_of, f.id)
          where n.sub_flow_id = s.id group by r.id
        ) u), '[]') as "usedBy"
    from sub_flow s where s.project_id = ${project.id} order by s.name collate natural_order, s.id`;
  return { subFlows: [...rows] };
}

/** States of sub-flows of the project; ids of other projects are not in the answer. */
export async function readSubFlowStates(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  ids: readonly number[],
): Promise<Map<number, SubFlowStatus>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: number; status: SubFlowStatus }[]>`
    select id, status from sub_flow where project_id = ${project.id} and id = any(${[...new Set(ids)]}::bigint[]) for share`;
  return new Map(rows.map(({ id, status }) => [id, status]));
}

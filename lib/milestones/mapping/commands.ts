import "server-only";
import { replaceRefsOfMany } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseStaleValues } from "#lib/core/stale.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { type MilestoneHead, readHeads } from "../queries.ts";
import { activitiesByCell, cellKey, type MappingCell, type MappingRow, repeatedTargets, writeCells } from "./logic.ts";
import { type MappingFlow, readMapping, readMappingFlows } from "./queries.ts";
import type { SaveMapping } from "./schema.ts";

/**
 * Writes cells of the matrix, all or none; the others stay.
 * @throws STALE at each cell that others have changed since it was read, NOT_FOUND, NOTHING_MODIFIED, NO_ACTIVITY, TARGET_REPEATED, ALL_TARGETS_EMPTY
 */
export async function saveMapping(ctx: Ctx, { rows: cells }: SaveMapping): Promise<{ rows: MappingRow[] }> {
  const { sql, project } = ctx;
  // Flows before the project, as their own editors lock them: their activities stay as they are until the cells are written.
  await sql`
    select 1 from activity_flow where project_id = ${project.id} and id = any(${cells.map(({ flowId }) => flowId)}::bigint[]) order by id for share`;
  await holdProject(ctx);
  const [milestones, flows, before] = [await readHeads(ctx), await readMappingFlows(ctx), await readMapping(ctx)];
  const stored = activitiesByCell(before);
  refuseStaleValues(
    cells.map((cell, index) => ({
      path: `rows.${index}.activityId`,
      present: stored.get(cellKey(cell)) ?? null,
      base: cell.base,
      wanted: cell.activityId,
    })),
    { rows: before },
  );
  const after = writeCells(before, cells);
  const problems = faults({ milestones, flows, cells, after });
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params ?? {}, problems);
  refuseUnchanged(targets(before), targets(cells));
  const given = sql.json(cells);
  await sql`
    delete from milestone_mapping g using jsonb_to_recordset(${given}) as r("milestoneId" bigint, "flowId" bigint)
    where g.project_id = ${project.id} and g.milestone_id = r."milestoneId" and g.flow_id = r."flowId"`;
  await sql`
    insert into milestone_mapping (project_id, milestone_id, flow_id, activity_id)
    select ${project.id}, r."milestoneId", r."flowId", r."activityId" from jsonb_to_recordset(${given})
      as r("milestoneId" bigint, "flowId" bigint, "activityId" bigint) where r."activityId" is not null`;
  const milestoneIds = new Set(cells.map(({ milestoneId }) => milestoneId));
  const named = after.filter(({ milestoneId }) => milestoneIds.has(milestoneId));
  await replaceRefsOfMany(
    ctx,
    "MILESTONE",
    [...milestoneIds],
    named.flatMap(({ milestoneId: holderId, flowId, activityId }) => [
      { holderId, kind: "ACTIVITY" as const, id: activityId, usage: "TARGET" as const },
      { holderId, kind: "FLOW" as const, id: flowId, usage: "TARGET" as const },
    ]),
  );
  const touched = new Set(cells.map(cellKey));
  ctx.audit(
    "milestone mapping",
    before.filter((row) => touched.has(cellKey(row))),
    cells,
  );
  return { rows: await readMapping(ctx) };
}

const targets = (cells: readonly MappingCell[]) => Object.fromEntries(cells.map((cell) => [cellKey(cell), cell.activityId]));

type Facts = {
  milestones: readonly MilestoneHead[];
  flows: readonly MappingFlow[];
  cells: SaveMapping["rows"];
  after: readonly MappingRow[];
};

/** What is wrong with the cells: things that are not there first, then what the matrix would break. */
function faults({ milestones, flows, cells, after }: Facts): Problem[] {
  const names = new Map(milestones.map((milestone) => [milestone.id, milestone.number]));
  const known = new Map(flows.map((flow) => [flow.id, new Set(flow.activities.map(({ id }) => id))]));
  const missing = cells.flatMap(({ milestoneId, flowId, activityId }, index): Problem[] => {
    const at = (field: string) => `rows.${index}.${field}`;
    if (!names.has(milestoneId)) return [{ path: at("milestoneId"), code: "NOT_FOUND", params: { object: milestoneId } }];
    if (!known.has(flowId)) return [{ path: at("flowId"), code: "NOT_FOUND", params: { object: flowId } }];
    return activityId === null || known.get(flowId)?.has(activityId) ? [] : [{ path: at("activityId"), code: "NO_ACTIVITY" }];
  });
  if (missing.length > 0) return missing;
  const repeated = Map.groupBy(repeatedTargets(after), ({ flowId, activityId }) => `${flowId} ${activityId}`);
  // What is out of use may be emptied: that is the way to delete it.
  const enabled = new Set(milestones.filter((milestone) => milestone.enabled).map(({ id }) => id));
  const empty = new Set(cells.map(({ milestoneId }) => milestoneId).filter((id) => enabled.has(id)));
  for (const { milestoneId } of after) empty.delete(milestoneId);
  const flowNames = new Map(flows.map(({ id, name }) => [id, name]));
  const twice = cells.flatMap(({ flowId, activityId }, index): Problem[] => {
    const group = repeated.get(`${flowId} ${activityId}`);
    if (!group) return [];
    const where = `${flowNames.get(flowId) ?? ""}: ${group.map(({ milestoneId }) => names.get(milestoneId)).join(", ")}`;
    return [{ path: `rows.${index}.activityId`, code: "TARGET_REPEATED", params: { where } }];
  });
  const bare = [...empty].map((milestoneId): Problem => {
    const index = cells.findIndex((cell) => cell.milestoneId === milestoneId);
    return { path: `rows.${index}.activityId`, code: "ALL_TARGETS_EMPTY", params: { milestone: names.get(milestoneId) ?? "" } };
  });
  return [...twice, ...bare];
}

import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { FindSubSteps } from "./schema.ts";

/** A step of an activity of a DU; `doneOn` is an ISO day. */
export type DuStep = {
  id: number;
  name: string;
  weight: number;
  needDeliverable: boolean;
  doneOn: string | null;
  doneByName: string | null;
};
/** What a DU's activity with a sub-flow is, as read now. */
export type SubStepPlace = { slot: number; duCode: string; activity: string; subFlowId: number; subFlow: string };

/**
 * Where the steps of an activity of a DU come from: the sub-flow its flow puts there.
 * @throws DU_NOT_FOUND, NO_ACTIVITY when the DU's flow has no such activity, NOT_FOUND when that has no sub-flow
 */
export async function readStepPlace(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  reach: ReturnType<Ctx["scope"]["where"]>,
  { duId, activityId }: { duId: number; activityId: number },
): Promise<SubStepPlace> {
  const [row] = await sql<
    { code: string; slot: number | null; activity: string | null; subFlowId: number | null; subFlow: string | null }[]
  >`
    select du.code, a.slot, a.name as activity, s.id as "subFlowId", s.name as "subFlow" from du
    left join du_flow b on b.du_id = du.id and b.unbound_at is null
    left join flow_activity n on n.flow_id = b.flow_id and n.activity_id = ${activityId}
    left join activity_library a on a.id = n.activity_id and a.project_id = ${project.id}
    left join sub_flow s on s.id = n.sub_flow_id
    where du.id = ${duId} and ${reach}`;
  if (!row) throw new AppError("DU_NOT_FOUND", { code: duId });
  if (row.slot === null) throw new AppError("NO_ACTIVITY");
  if (row.subFlowId === null) throw new AppError("NOT_FOUND", { object: row.activity! });
  return { slot: row.slot, duCode: row.code, activity: row.activity!, subFlowId: row.subFlowId, subFlow: row.subFlow! };
}

/** The steps of a place in their order, with the days they were done on. */
export async function readSteps({ sql }: Pick<Ctx, "sql">, duId: number, { slot, subFlowId }: SubStepPlace): Promise<DuStep[]> {
  return [
    ...(await sql<DuStep[]>`
      select t.id, t.name, t.weight, t.need_deliverable as "needDeliverable", d.done_on as "doneOn", u.name as "doneByName"
      from sub_flow_step t left join du_sub_step d on d.step_id = t.id and d.du_id = ${duId} and d.slot = ${slot}
      left join app_user u on u.id = d.done_by
      where t.sub_flow_id = ${subFlowId} order by t.seq, t.id`),
  ];
}

/** The checklist of an activity with a sub-flow. */
export async function getSubSteps(
  ctx: Ctx,
  input: z.output<typeof FindSubSteps>,
): Promise<Pick<SubStepPlace, "duCode" | "activity" | "subFlow"> & { steps: DuStep[] }> {
  const place = await readStepPlace(ctx, ctx.scope.where("rollout.view"), input);
  const { duCode, activity, subFlow } = place;
  return { duCode, activity, subFlow, steps: await readSteps(ctx, input.duId, place) };
}

import type { Sql } from "#db/client.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../support/call.ts";
import { type MadeActivity, type MadeDu, makeActivities, makeDus, makeFlow } from "../../support/plan-factories.ts";

/** A DU that has begun and ended, is late, is planned, has no date, is NA or not in the flow, on one activity of a view. Tests live on 2026-10-14. */
export const stages = {
  done: { plan_end: "2026-10-01", actual_end: "2026-10-05" },
  late: { plan_end: "2026-10-13" },
  today: { plan_end: "2026-10-14" },
  soon: { plan_end: "2026-10-20" },
  open: {},
  na: { state: 3, plan_end: "2026-10-01" },
  outside: { state: 0 },
} as const;
export type Stage = keyof typeof stages;

/** Activities Install and Accept in a flow, and a way to make DUs whose activities stand where a test wants them. */
export async function makeViewProject(sql: Sql, projectId: number, ownerId: number) {
  const activities = await makeActivities(sql, projectId, ["Survey", "Install", "Accept"]);
  const flow = { id: await makeFlow(sql, projectId, ownerId, activities), activities };
  return {
    activities,
    install: (activities[1] as MadeActivity).id,
    accept: (activities[2] as MadeActivity).id,
    dus: (given: readonly (MadeDu & { install?: Stage; accept?: Stage; town?: string; batch?: string })[]) =>
      make(sql, projectId, flow, given),
  };
}

async function make(
  sql: Sql,
  projectId: number,
  flow: { id: number; activities: readonly MadeActivity[] },
  given: readonly (MadeDu & { install?: Stage; accept?: Stage; town?: string; batch?: string })[],
): Promise<number[]> {
  const ids = await makeDus(
    sql,
    projectId,
    given.map(({ install = "open", accept = "open", town: _town, batch: _batch, ...du }) => ({
      ...du,
      plan: { 2: stages[install], 3: stages[accept] },
    })),
    flow,
  );
  for (const [at, { town, batch }] of given.entries()) {
    if (town) await sql`update customer_site set town = ${town} where id = (select site_id from du where id = ${ids[at] as number})`;
    if (batch) await sql`update du set delivery_batch_no = ${batch} where id = ${ids[at] as number}`;
  }
  return ids;
}

/** Calls of a suite on its project. */
export const viewCalls =
  (number: () => string, user: () => CtxUser) =>
  (address: string, input: object = {}, as?: CtxUser) =>
    callAs(as ?? user(), address, input, { project: number() });

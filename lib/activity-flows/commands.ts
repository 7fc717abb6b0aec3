import "server-only";
import { and, eq, isNull, ne } from "drizzle-orm";
import type { z } from "zod";
import { activityFlow } from "#db/schema/activity-flows.ts";
import { holderNames } from "#lib/attributes/config-refs/logic.ts";
import { listHolders } from "#lib/attributes/config-refs/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { recheckFlowRules } from "./flow-rules/commands.ts";
import { readRules } from "./flow-rules/queries.ts";
import { copyGraph, type FlowHead, lockDraft, lockFlow } from "./graph/commands.ts";
import type { FlowStatus } from "./limits.ts";
import { NAME_EXISTS, WRONG_STATUS } from "./rules.ts";
import type { ChangeFlowStatus, DeleteFlows, DiscardFlow, EditFlow, SaveFlow } from "./schema.ts";

/** Makes an empty draft, or changes name, description and delivery types of a draft or working copy. */
export async function saveFlow(ctx: Ctx, input: z.output<typeof SaveFlow>): Promise<{ id: number; version: number; rowVersion: number }> {
  const { name, deliveryTypes } = input;
  const description = input.description || null;
  if (input.id === undefined) {
    await guardName(ctx, name);
    const id = await insertFlow(ctx, { name, description, deliveryTypes });
    ctx.audit(`activity_flow ${id}`, null, { name, description, deliveryTypes });
    return { id, version: 0, rowVersion: 1 };
  }
  const flow = await lockDraft(ctx, input.id, input.rowVersion);
  refuseUnchanged(flow, { name, description, deliveryTypes });
  await guardName(ctx, name, flow.draftOf ?? flow.id);
  const rowVersion = flow.rowVersion + 1;
  await ctx.tx
    .update(activityFlow)
    .set({ name, description, deliveryTypes, rowVersion, updatedBy: ctx.user.id, updatedAt: ctx.now })
    .where(eq(activityFlow.id, flow.id));
  ctx.audit(
    `activity_flow ${flow.id}`,
    { name: flow.name, description: flow.description, deliveryTypes: flow.deliveryTypes },
    { name, description, deliveryTypes },
  );
  return { id: flow.id, version: flow.version, rowVersion };
}

/** Opens the working copy of a released flow, or gives the one that is open already: nothing changes for DUs until it is released. */
export async function editFlow(ctx: Ctx, { id }: z.output<typeof EditFlow>): Promise<{ id: number; rowVersion: number; opened: boolean }> {
  const flow = await lockFlow(ctx, id);
  if (flow.status !== "released") throw new AppError("WRONG_STATUS", { status: flow.status });
  const [open] = await ctx.tx.select().from(activityFlow).where(eq(activityFlow.draftOf, flow.id));
  if (open) {
    ctx.audit(`activity_flow ${flow.id}`, null, { workingCopy: open.id }, "opened");
    return { id: open.id, rowVersion: open.rowVersion, opened: false };
  }
  const { name, description, deliveryTypes, ownerId, version } = flow;
  const copy = await insertFlow(ctx, { name, description, deliveryTypes, ownerId, version, draftOf: flow.id });
  await copyGraph(ctx, flow.id, copy, "workingCopy");
  ctx.audit(`activity_flow ${flow.id}`, null, { workingCopy: copy });
  return { id: copy, rowVersion: 1, opened: true };
}

/** Throws a working copy away; the released flow stays as it is. */
export async function discardWorkingCopy(ctx: Ctx, { id, rowVersion }: z.output<typeof DiscardFlow>): Promise<{ flowId: number }> {
  const copy = await lockDraft(ctx, id, rowVersion);
  if (copy.draftOf === null) throw new AppError("WRONG_STATUS", { status: copy.status });
  await ctx.tx.delete(activityFlow).where(eq(activityFlow.id, copy.id));
  ctx.audit(`activity_flow ${copy.draftOf}`, { workingCopy: copy.id }, { workingCopy: null });
  return { flowId: copy.draftOf };
}

/** Removes drafts that were never released, all of them or none. */
export async function deleteFlows(ctx: Ctx, { ids }: z.output<typeof DeleteFlows>): Promise<{ deleted: number }> {
  const flows = await ctx.sql<Pick<FlowHead, "id" | "name" | "status" | "version" | "draftOf">[]>`
    select id, name, status, version, draft_of as "draftOf" from activity_flow
    where project_id = ${ctx.project.id} and id = any(${ids}::bigint[]) order by id for update`;
  if (flows.length !== new Set(ids).size) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  checkRules([WRONG_STATUS], { flows });
  const holders = await listHolders(ctx, "FLOW", ids);
  if (holders.length > 0) throw new AppError("IN_USE", { by: holderNames(holders.map(({ name }) => name)) });
  await ctx.sql`delete from activity_flow where project_id = ${ctx.project.id} and id = any(${ids}::bigint[])`;
  for (const flow of flows) ctx.audit(`activity_flow ${flow.id}`, { name: flow.name, status: flow.status }, null);
  return { deleted: flows.length };
}

/** Takes a released flow out of use: DUs keep it, none can be bound to it any more, and rules that would do so are out of force. */
export async function disableFlow(
  ctx: Ctx,
  input: z.output<typeof ChangeFlowStatus>,
): Promise<{ id: number; version: number; rowVersion: number }> {
  const holders = await listHolders(ctx, "FLOW", [input.id]);
  const rules = holders.flatMap(({ kind, id }) => (kind === "FLOW_RULE" ? id : []));
  // Rules before their flow, as everywhere.
  await readRules(ctx, { ids: rules, lock: true });
  const moved = await moveFlow(ctx, input, "released", "disabled");
  await recheckFlowRules(ctx, `flow ${moved.id} ${moved.rowVersion}`, rules);
  return moved;
}

/** Puts a disabled flow back into use. */
export function enableFlow(
  ctx: Ctx,
  input: z.output<typeof ChangeFlowStatus>,
): Promise<{ id: number; version: number; rowVersion: number }> {
  return moveFlow(ctx, input, "disabled", "released");
}

async function moveFlow(ctx: Ctx, { id, rowVersion }: z.output<typeof ChangeFlowStatus>, from: FlowStatus, to: FlowStatus) {
  const flow = await lockFlow(ctx, id, rowVersion);
  if (flow.status !== from || flow.draftOf !== null) throw new AppError("WRONG_STATUS", { status: flow.status });
  await ctx.tx
    .update(activityFlow)
    .set({ status: to, rowVersion: flow.rowVersion + 1, updatedBy: ctx.user.id, updatedAt: ctx.now })
    .where(eq(activityFlow.id, flow.id));
  ctx.audit(`activity_flow ${flow.id}`, { status: from }, { status: to });
  return { id: flow.id, version: flow.version, rowVersion: flow.rowVersion + 1 };
}

/** @param self flow whose own name does not count */
async function guardName(ctx: Ctx, name: string, self = 0): Promise<void> {
  const others = await ctx.tx
    .select({ name: activityFlow.name })
    .from(activityFlow)
    .where(and(eq(activityFlow.projectId, ctx.project.id), isNull(activityFlow.draftOf), ne(activityFlow.id, self)));
  checkRules([NAME_EXISTS], { name, others: others.map((other) => other.name) }, "name");
}

type NewFlow = Pick<FlowHead, "name" | "description" | "deliveryTypes"> & Partial<Pick<FlowHead, "ownerId" | "version" | "draftOf">>;

async function insertFlow(ctx: Ctx, flow: NewFlow): Promise<number> {
  const by = { createdBy: ctx.user.id, createdAt: ctx.now, updatedBy: ctx.user.id, updatedAt: ctx.now };
  const [row] = await ctx.tx
    .insert(activityFlow)
    .values({ projectId: ctx.project.id, ownerId: ctx.user.id, ...flow, ...by })
    .returning({ id: activityFlow.id });
  return row!.id;
}

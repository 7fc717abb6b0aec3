import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { fillBoundDus } from "#lib/owners/owner-runs/commands.ts";
import { keepHistory } from "#lib/plan-versions/snapshots/commands.ts";
import { type DuPatch, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { type PlanBlock, rowIndex } from "#lib/rollout-plan/plan-rows/logic.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { writeOrders } from "#lib/work-orders/orders/commands.ts";
import { orderReasonMax } from "#lib/work-orders/orders/limits.ts";
import type { OrderStatus } from "#lib/work-orders/orders/logic.ts";
import { removeFlowOrders } from "#lib/work-orders/temporary/commands.ts";
import { tellOfChange } from "../approvers/commands.ts";
import { changeCode } from "../approvers/logic.ts";
import { listApprovers, listFirstApprovers } from "../approvers/queries.ts";
import type { RefusedDu } from "../binding/commands.ts";
import { findDuCodes } from "../binding/queries.ts";
import type { RetentionPair } from "../retention-mappings/schema.ts";
import type { ChangeEvent, ChangeKind, ChangeStatus } from "./limits.ts";
import { type Impact, type KeptSlots, measureImpact, moveAttributes, rebuildRow, usablePairs } from "./logic.ts";
import {
  type CheckedDu,
  judgeChange,
  judgeDus,
  judgeUnbind,
  readKeptSlots,
  readSideValues,
  readTargets,
  type TargetFlow,
  withoutPerson,
} from "./queries.ts";
import { changeRules } from "./rules.ts";
import type { SubmitDuChange, UnbindDus } from "./schema.ts";

/** Why rows at the slots of DUs go: the code of the change, null for a direct unbind, and the reason that was given. */
type SlotWhy = { code: string | null; reason: string | null };
/** A slot of a DU whose plan dates stay where they are. */
type StayingSlot = { duId: number; slot: number };
type SlotTreatment = (ctx: Ctx, duIds: readonly number[], why: SlotWhy, staying: readonly StayingSlot[]) => Promise<unknown>;

/**
 * What becomes of every table with rows by DU and slot, or by DU and activity, when a DU gets another flow or none: "kept" as history, "written" with the plan
 * rows so that their log holds what was there, or as the function does. An area adds the lines of its tables with them.
 */
export const slotTables: Record<string, SlotTreatment | "kept" | "written"> = {
  work_order: removeOrders,
  work_order_event: "kept",
  na_request: ({ sql, project, now }, duIds) => sql`
    update na_request set status = 'failed', code = 'NO_ACTIVITY', done_at = ${now}
    where project_id = ${project.id} and du_id = any(${[...duIds]}::bigint[]) and status in ('approving', 'processing')`,
  plan_freeze: ({ sql, project, user, now }, duIds, { code }) => sql`
    update plan_freeze set unfrozen_at = ${now}, unfrozen_by = ${user.id}, unfreeze_reason = ${code}
    where project_id = ${project.id} and du_id = any(${[...duIds]}::bigint[]) and unfrozen_at is null`,
  plan_change_item: "kept",
  plan_feedback: "kept",
  du_activity_note: "written",
  du_sub_step: ({ sql, project }, duIds) => sql`
    delete from du_sub_step where project_id = ${project.id} and du_id = any(${[...duIds]}::bigint[])`,
  special_plan: removeJointDates,
  // A word of a recipient, which means a DU or an activity whatever flow the DU has.
  feedback_mapping: "kept",
};

async function removeOrders(ctx: Ctx, duIds: readonly number[], { code, reason }: SlotWhy): Promise<void> {
  const { sql, project } = ctx;
  const orders = await sql<{ duId: number; slot: number; status: OrderStatus }[]>`
    select du_id as "duId", slot, status from work_order where project_id = ${project.id} and du_id = any(${[...duIds]}::bigint[]) and slot is not null`;
  const steps = orders.map(({ duId, slot, status }) => ({ duId, slot, event: "remove" as const, from: status, to: "none" as const }));
  const why = [code, reason].filter(Boolean).join(": ").slice(0, orderReasonMax);
  await writeOrders(ctx, steps, { reason: why || null, batchId: null });
  await removeFlowOrders(ctx, duIds, why || null);
}

// A joint date is the plan end of two DUs: it goes with that of either.
async function removeJointDates(
  { sql, project }: Ctx,
  duIds: readonly number[],
  _why: SlotWhy,
  staying: readonly StayingSlot[],
): Promise<void> {
  await sql`
    delete from special_plan s using activity_library a, unnest(${[...duIds]}::bigint[]) d(id)
    where s.project_id = ${project.id} and (s.du_a_id = d.id or s.du_b_id = d.id) and a.id = s.activity_id
      and not exists (select from jsonb_to_recordset(${sql.json([...staying])}) as k("duId" bigint, slot int) where k."duId" = d.id and k.slot = a.slot)`;
}

/** A DU that gets another flow, or none. */
type Exchange = { duId: number; target: TargetFlow | null; pairs: readonly KeptSlots[] };
type ExchangeWhy = SlotWhy & { origin: Record<string, unknown> };

/**
 * Gives DUs whose rows stand locked in a block another flow or none: keeps them as a historical version, builds their rows anew and closes their bindings.
 * The caller holds the project and the new flows and has asked the guards.
 */
async function exchangeFlows(
  ctx: Ctx,
  block: PlanBlock,
  exchanges: readonly Exchange[],
  { origin, ...why }: ExchangeWhy,
): Promise<{ versionId: number; batchId: number | null; impacts: Map<number, Impact> }> {
  const { sql, project, user, now } = ctx;
  const duIds = exchanges.map(({ duId }) => duId);
  const rows = rowIndex(block);
  const version = await keepHistory(ctx, { duIds, name: why.code, remark: why.reason, source: "flow_change" });
  const side = await readSideValues(ctx, duIds);
  const notes = await readNotes(ctx, duIds);
  const usableOf = new Map(
    exchanges.map(({ duId, target, pairs }) => [duId, usablePairs(block, rows.get(duId)!, pairs, target?.activities ?? [])]),
  );
  const staying = [...usableOf].flatMap(([duId, usable]) =>
    usable.flatMap(({ from, to, plan }): StayingSlot[] => (plan && from === to ? [{ duId, slot: to }] : [])),
  );
  for (const treat of Object.values(slotTables)) if (typeof treat === "function") await treat(ctx, duIds, why, staying);
  const impacts = new Map<number, Impact>();
  const patches = exchanges.map(({ duId, target }): DuPatch => {
    const row = rows.get(duId)!;
    const values = side.get(duId)!;
    const usable = usableOf.get(duId)!;
    impacts.set(duId, measureImpact(block, row, usable, values));
    rebuildRow(block, row, target?.activities ?? [], usable);
    block.releaseStates[row] = 0;
    return { duId, duVersion: values.version, ext: moveAttributes(values.ext, usable), notes: notes.get(duId) ?? [] };
  });
  const { batchId } = await writePlanRows(ctx, block, {
    source: "flow",
    reason: why.reason,
    origin: { ...origin, versionId: version.id },
    patches,
  });
  await sql`update du_flow set unbound_at = ${now} where du_id = any(${duIds}::bigint[]) and unbound_at is null`;
  const bound = exchanges.flatMap(({ duId, target }) => (target ? { duId, flowId: target.id, version: target.version } : []));
  await sql`
    insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_by, bound_at)
    select ${project.id}, b."duId", b."flowId", b.version, 'manual', ${user.id}, ${now}
    from jsonb_to_recordset(${sql.json(bound)}) as b("duId" bigint, "flowId" bigint, version int) order by b."duId"`;
  await fillBoundDus(
    ctx,
    bound.map(({ duId }) => duId),
  );
  return { versionId: version.id, batchId, impacts };
}

/** The notes of DUs as removals that the plan log keeps. */
async function readNotes({ sql }: Ctx, duIds: readonly number[]): Promise<Map<number, NonNullable<DuPatch["notes"]>>> {
  const rows = await sql<
    { duId: number; slot: number; delayReason: string | null; score: number | null; scoreRemark: string | null; closedAt: Date | null }[]
  >`
    select du_id as "duId", slot, delay_reason as "delayReason", score, score_remark as "scoreRemark", closed_at as "closedAt"
    from du_activity_note where du_id = any(${[...duIds]}::bigint[]) order by du_id, slot`;
  const notes = new Map<number, NonNullable<DuPatch["notes"]>>();
  for (const { duId, slot, ...note } of rows) {
    const changes: Record<string, [unknown, unknown]> = {};
    for (const [field, value] of Object.entries(note)) if (value !== null) changes[field] = [value, null];
    notes.set(duId, [...(notes.get(duId) ?? []), { slot, note: null, changes }]);
  }
  return notes;
}

/**
 * Unbinds DUs on which no work was done: their plan rows are emptied, the binding is closed and stays as history.
 * DUs with facts and DUs out of reach are left out and listed; refused as a whole only when none is left.
 */
export async function unbindDus(ctx: Ctx, { duIds }: z.output<typeof UnbindDus>): Promise<{ unbound: number; refused: RefusedDu[] }> {
  await holdProject(ctx);
  const reached = await findDuCodes(ctx, duIds, "duFlow.bind");
  const block = await readPlanRows(ctx, [...reached.keys()], { lock: true });
  const refused: RefusedDu[] = duIds
    .filter((duId) => !block.duIds.includes(duId))
    .map((duId) => ({ duId, code: "DU_NOT_FOUND", params: { code: reached.get(duId) ?? duId } }));
  const judged = await judgeUnbind(ctx, block);
  const unbound: number[] = [];
  for (const duId of block.duIds) {
    const [problem] = judged.get(duId)!.problems;
    if (problem) refused.push({ duId, code: problem.code, params: { ...problem.params, code: reached.get(duId)! } });
    else unbound.push(duId);
  }
  if (unbound.length === 0) {
    const problems: Problem[] = refused.map(({ duId, code, params }) => ({ path: `duIds.${duIds.indexOf(duId)}`, code, params }));
    throw new AppError(problems[0]!.code, problems[0]!.params, problems);
  }
  const { batchId, versionId } = await exchangeFlows(
    ctx,
    block,
    unbound.map((duId) => ({ duId, target: null, pairs: [] })),
    { code: null, reason: null, origin: { kind: "unbind" } },
  );
  ctx.audit("du_flow", { bound: unbound }, { unbound: unbound.length, batchId, versionId });
  return { unbound: unbound.length, refused };
}

/** What became of a change that was submitted. */
export type Submitted = { id: number; number: number; status: ChangeStatus; done: number; refused: RefusedDu[] };

/**
 * Submits a change of the flow of DUs, or its removal: it waits for its approver where actual dates or frozen promises would be lost, else it is carried out at once.
 * Refused as a whole, with all problems, when a guard of any DU is broken.
 */
export async function submitDuChange(ctx: Ctx, input: z.output<typeof SubmitDuChange>): Promise<Submitted> {
  const { dus, mapping } = await judgeChange(ctx, input, true);
  const problems = dus.flatMap((du, at) =>
    du.problems.map((problem) => ({ ...problem, path: `items.${at}${problem.path ? `.${problem.path}` : ""}` })),
  );
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params ?? {}, problems);
  const asks = dus.some((du) => du.needsApproval);
  const asked = asks ? await demandApprovers(ctx, input) : { approverId: null, tlApproverId: null };
  const { id, number } = await insertChange(ctx, input, { dus, mapping, asks, ...asked });
  ctx.audit(`du_change ${id}`, null, {
    code: changeCode(number),
    kind: input.kind,
    items: input.items,
    mapping: mapping?.name ?? null,
    reason: input.reason,
    ...asked,
  });
  const [change] = await readOpenChanges(ctx, [id]);
  if (!asks) {
    const { done, refused, status } = await applyChange(ctx, change!);
    return { id, number, status, done, refused };
  }
  const first = asked.tlApproverId !== null;
  await tellOfChange(ctx, change!.told, [{ userId: (asked.tlApproverId ?? asked.approverId)!, notice: first ? "askedFirst" : "asked" }]);
  return { id, number, status: "approving", done: 0, refused: [] };
}

/** The people a change is addressed to. @throws APPROVER_REQUIRED without one, INVALID_TARGET for somebody who may not decide it */
async function demandApprovers(
  ctx: Ctx,
  { approverId = null, tlApproverId = null }: z.output<typeof SubmitDuChange>,
): Promise<{ approverId: number; tlApproverId: number | null }> {
  const [approvers, first] = await Promise.all([listApprovers(ctx), tlApproverId === null ? [] : listFirstApprovers(ctx)]);
  const able = withoutPerson(approvers, ctx.user.id);
  if (able.length === 0 || approverId === null)
    throw new AppError("APPROVER_REQUIRED", {}, [{ path: "approverId", code: "APPROVER_REQUIRED" }]);
  if (!able.some(({ id }) => id === approverId)) throw new AppError("INVALID_TARGET", {}, [{ path: "approverId", code: "INVALID_TARGET" }]);
  if (tlApproverId !== null && (tlApproverId === ctx.user.id || !first.some(({ id }) => id === tlApproverId)))
    throw new AppError("INVALID_TARGET", {}, [{ path: "tlApproverId", code: "INVALID_TARGET" }]);
  return { approverId, tlApproverId };
}

async function insertChange(
  ctx: Ctx,
  { kind, reason }: z.output<typeof SubmitDuChange>,
  how: {
    dus: readonly CheckedDu[];
    mapping: { id: number; name: string; pairs: RetentionPair[] } | null;
    asks: boolean;
    approverId: number | null;
    tlApproverId: number | null;
  },
): Promise<{ id: number; number: number }> {
  const { sql, project, user, now } = ctx;
  const { dus, mapping, asks, approverId, tlApproverId } = how;
  const [made] = await sql<{ id: number; number: number }[]>`
    insert into du_change (project_id, number, kind, delivery_type, reason, mapping_id, mapping_name, pairs, needs_approval, status, submitter_id, submitted_at,
      approver_id, tl_approver_id)
    select ${project.id}, coalesce(max(number), 0) + 1, ${kind},
      (select min(du.delivery_type) from du where du.id = any(${dus.map(({ duId }) => duId)}::bigint[]) having count(distinct coalesce(du.delivery_type, '')) = 1),
      ${reason}, ${mapping?.id ?? null}, ${mapping?.name ?? null}, ${sql.json(mapping?.pairs ?? [])}, ${asks}, ${asks ? "approving" : "applying"}, ${user.id}, ${now},
      ${approverId}, ${tlApproverId}
    from du_change where project_id = ${project.id} returning id, number`;
  const items = dus.map(({ duId, oldFlowId, newFlowId, impact }) => ({ duId, oldFlowId, newFlowId, impact }));
  await sql`
    insert into du_change_item (change_id, project_id, du_id, old_flow_id, new_flow_id, result, impact)
    select ${made!.id}, ${project.id}, i."duId", i."oldFlowId", i."newFlowId", 'pending', i.impact
    from jsonb_to_recordset(${sql.json(items as never)}) as i("duId" bigint, "oldFlowId" bigint, "newFlowId" bigint, impact jsonb)`;
  await noteEvent(ctx, made!.id, { event: "submit", toUserId: tlApproverId ?? approverId, comment: reason });
  return made!;
}

/** Adds a step to the history of a change. */
export async function noteEvent(
  { sql, project, user, now }: Ctx,
  changeId: number,
  { event, toUserId = null, comment = null }: { event: ChangeEvent; toUserId?: number | null; comment?: string | null },
): Promise<void> {
  await sql`
    insert into du_change_event (project_id, change_id, event, actor_id, to_user_id, comment, at)
    values (${project.id}, ${changeId}, ${event}, ${user.id}, ${toUserId}, ${comment}, ${now})`;
}

/** A change as it is decided and carried out. */
export type OpenChange = {
  id: number;
  number: number;
  kind: ChangeKind;
  status: ChangeStatus;
  reason: string;
  pairs: RetentionPair[];
  submitterId: number;
  approverId: number | null;
  tlApproverId: number | null;
  tlApprovedAt: Date | null;
  items: { duId: number; oldFlowId: number; newFlowId: number | null }[];
  /** As mails tell of it. */
  told: Parameters<typeof tellOfChange>[1];
};

/** Changes by id, in the order of their ids; those of other projects are missing. */
export async function readOpenChanges({ sql, project }: Ctx, ids: readonly number[]): Promise<OpenChange[]> {
  const rows = await sql<(Omit<OpenChange, "told"> & { submitterName: string; dus: OpenChange["told"]["dus"] })[]>`
    select c.id, c.number, c.kind, c.status, c.reason, c.pairs, c.submitter_id as "submitterId", u.name as "submitterName", c.approver_id as "approverId",
      c.tl_approver_id as "tlApproverId", c.tl_approved_at as "tlApprovedAt", i.items, i.dus
    from du_change c join app_user u on u.id = c.submitter_id
    cross join lateral (
      select json_agg(json_build_object('duId', du.id, 'oldFlowId', i.old_flow_id, 'newFlowId', i.new_flow_id) order by du.id) as items,
        json_agg(json_build_object('id', du.id, 'code', du.code, 'oldFlow', o.name, 'newFlow', f.name) order by du.code collate natural_order) as dus
      from du_change_item i join du on du.id = i.du_id join activity_flow o on o.id = i.old_flow_id left join activity_flow f on f.id = i.new_flow_id
      where i.change_id = c.id
    ) i
    where c.project_id = ${project.id} and c.id = any(${[...ids]}::bigint[]) order by c.id`;
  return rows.map(({ submitterName, dus, ...change }) => ({
    ...change,
    told: { id: change.id, number: change.number, kind: change.kind, reason: change.reason, submitterName, dus },
  }));
}

/**
 * Carries a change out: asks the guards again, takes refused DUs out, and gives the others their new flow. The caller holds the flows and the project;
 * the rows are locked here in id order.
 */
export async function applyChange(ctx: Ctx, change: OpenChange): Promise<{ done: number; refused: RefusedDu[]; status: ChangeStatus }> {
  const { sql, now } = ctx;
  const { id, number, reason, items } = change;
  const duIds = items.map(({ duId }) => duId);
  const targets = await readTargets(
    ctx,
    items.flatMap(({ newFlowId }) => newFlowId ?? []),
    true,
  );
  const block = await readPlanRows(ctx, duIds, { lock: true });
  const targetOf = (newFlowId: number | null) => (newFlowId === null ? null : targets.get(newFlowId)!);
  const asked = items.map(({ duId, oldFlowId, newFlowId }) => ({
    duId,
    target: targetOf(newFlowId),
    expectedFlowId: oldFlowId,
    misfit: null,
  }));
  const judged = await judgeDus(ctx, block, asked, { rules: changeRules, changeId: id });
  const codeOf = (duId: number): ErrorCode | null => (judged.has(duId) ? (judged.get(duId)!.problems[0]?.code ?? null) : "DU_NOT_FOUND");
  const kept = await readKeptSlots(ctx, change.pairs);
  const free = items.filter(({ duId }) => codeOf(duId) === null);
  const exchanged =
    free.length === 0
      ? null
      : await exchangeFlows(
          ctx,
          block,
          free.map(({ duId, newFlowId }) => ({ duId, target: targetOf(newFlowId), pairs: kept })),
          { code: changeCode(number), reason, origin: { kind: "duChange", id, number } },
        );
  const results = items.map(({ duId }) => ({ duId, code: codeOf(duId), impact: exchanged?.impacts.get(duId) ?? null }));
  await sql`
    update du_change_item i set result = case when r.code is null then 'done' else 'refused' end, code = r.code, impact = coalesce(nullif(r.impact, 'null'), i.impact)
    from jsonb_to_recordset(${sql.json(results as never)}) as r("duId" bigint, code text, impact jsonb) where i.change_id = ${id} and i.du_id = r."duId"`;
  const status = free.length === items.length ? "done" : "partly_done";
  await sql`
    update du_change set status = ${status}, version_id = ${exchanged?.versionId ?? null}, decided_at = coalesce(decided_at, ${now}), row_version = row_version + 1 where id = ${id}`;
  await noteEvent(ctx, id, { event: "apply" });
  const refused = results.flatMap(({ duId, code }): RefusedDu[] =>
    code === null ? [] : [{ duId, code, params: judged.get(duId)?.problems[0]?.params ?? {} }],
  );
  ctx.audit(
    `du_change ${id}`,
    { status: change.status },
    {
      status,
      done: free.length,
      refused: refused.map(({ duId, code }) => ({ duId, code })),
      batchId: exchanged?.batchId ?? null,
      versionId: exchanged?.versionId ?? null,
    },
  );
  await tellOfChange(ctx, change.told, [{ userId: change.submitterId, notice: refused.length === 0 ? "done" : "partlyDone" }]);
  return { done: free.length, refused, status };
}

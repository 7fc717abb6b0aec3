import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { brokenRules, type Rule } from "#lib/core/rule.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { type PlanBlock, rowIndex } from "#lib/rollout-plan/plan-rows/logic.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { countFlowOrders } from "#lib/work-orders/temporary/queries.ts";
import { type Approver, findHolders, listApprovers, listFirstApprovers } from "../approvers/queries.ts";
import { type BoundActivity, type PlanFacts, planFacts } from "../binding/logic.ts";
import { findDuCodes } from "../binding/queries.ts";
import { readFlowGraph } from "../queries.ts";
import { getRetentionMapping } from "../retention-mappings/queries.ts";
import type { RetentionPair } from "../retention-mappings/schema.ts";
import { type ChangeEvent, type ChangeKind, type ChangeStatus, listedDusMax } from "./limits.ts";
import { type Impact, type KeptSlots, measureImpact, needsApproval, type SideValues, usablePairs } from "./logic.ts";
import { type ChangeFacts, changeRules, unbindRules } from "./rules.ts";
import type { CheckDuChange, FindDuChange, UnbindDus } from "./schema.ts";

/** Gives the code of what forbids to change the flow, for each DU where something does. */
export type GuardReader = (ctx: Ctx, duIds: readonly number[]) => Promise<Map<number, ErrorCode>>;

/**
 * Guards of other areas that no state bit mirrors: billing and invoices, published delivery configurations, transfers, WBS and numerators.
 * An area adds its reader together with its tables.
 */
export const guardReaders: readonly GuardReader[] = [];

/** A flow DUs may get. */
export type TargetFlow = { id: number; name: string; version: number; released: boolean; activities: readonly BoundActivity[] };

/** Flows by id; those that are no flow of the project are missing. @param hold keeps them as they are until the transaction ends */
export async function readTargets(ctx: Ctx, flowIds: readonly number[], hold: boolean): Promise<Map<number, TargetFlow>> {
  const { sql, project } = ctx;
  const ids = [...new Set(flowIds)];
  if (ids.length === 0) return new Map();
  const flows = await sql<{ id: number; name: string; version: number; status: string }[]>`
    select id, name, version, status from activity_flow where project_id = ${project.id} and draft_of is null and id = any(${ids}::bigint[]) order by id
    ${hold ? sql`for share` : sql``}`;
  const graphs = await readFlowGraph(ctx, ids);
  return new Map(
    flows.map(({ status, ...flow }) => [flow.id, { ...flow, released: status === "released", activities: graphs.get(flow.id)!.nodes }]),
  );
}

/** What stands at the slots of DUs outside their plan rows, with the revision of each DU. */
export async function readSideValues(ctx: Ctx, duIds: readonly number[]): Promise<Map<number, SideValues & { version: number }>> {
  const { sql, project } = ctx;
  const temporary = await countFlowOrders(ctx, duIds);
  const rows = await sql<(Omit<SideValues, "temporaryOrders"> & { id: number; version: number })[]>`
    select du.id, du.row_version as version, du.ext, coalesce((select array_agg(n.slot order by n.slot) from du_activity_note n where n.du_id = du.id), '{}') as notes,
      coalesce((select array_agg(o.slot order by o.slot) from work_order o where o.du_id = du.id and o.slot is not null), '{}') as orders
    from du where du.project_id = ${project.id} and du.id = any(${[...duIds]}::bigint[])`;
  return new Map(rows.map(({ id, ...values }) => [id, { ...values, temporaryOrders: temporary.get(id) ?? 0 }]));
}

/** The pairs of a mapping by slot. */
export async function readKeptSlots({ sql, project }: Ctx, pairs: readonly RetentionPair[]): Promise<KeptSlots[]> {
  if (pairs.length === 0) return [];
  const ids = [...new Set(pairs.flatMap(({ fromActivityId, toActivityId }) => [fromActivityId, toActivityId]))];
  const rows = await sql<{ id: number; slot: number }[]>`
    select id, slot from activity_library where project_id = ${project.id} and id = any(${ids}::bigint[])`;
  const slots = new Map(rows.map(({ id, slot }) => [id, slot]));
  return pairs.map(({ fromActivityId, toActivityId, ...kinds }) => ({
    ...kinds,
    from: slots.get(fromActivityId) ?? 0,
    to: slots.get(toActivityId) ?? 0,
  }));
}

/** DUs in an open change, but the named one. */
async function findInProgress({ sql }: Ctx, duIds: readonly number[], changeId: number | null): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select du_id as id from du_change_item where result = 'pending' and du_id = any(${[...duIds]}::bigint[]) and change_id <> ${changeId ?? 0}`;
  return new Set(rows.map(({ id }) => id));
}

/** What is asked of one DU. */
export type AskedDu = { duId: number; target: TargetFlow | null; expectedFlowId: number | null; misfit: string | null };

/** Problems of DUs whose rows are in a block, by DU; other areas' guards included. */
export async function judgeDus(
  ctx: Ctx,
  block: PlanBlock,
  asked: readonly AskedDu[],
  { rules, changeId }: { rules: readonly Rule<ChangeFacts>[]; changeId: number | null },
): Promise<Map<number, { facts: PlanFacts; problems: Problem[] }>> {
  const rows = rowIndex(block);
  const inProgress = await findInProgress(ctx, block.duIds, changeId);
  const temporary = await countFlowOrders(ctx, block.duIds);
  const foreign = await Promise.all(guardReaders.map((read) => read(ctx, block.duIds)));
  const judged = new Map<number, { facts: PlanFacts; problems: Problem[] }>();
  for (const { duId, ...how } of asked) {
    const row = rows.get(duId);
    if (row === undefined) continue;
    const facts = planFacts(block, row);
    facts.workOrders += temporary.get(duId) ?? 0;
    const problems = brokenRules(rules, { ...facts, ...how, inProgress: inProgress.has(duId) });
    for (const found of foreign) if (found.has(duId)) problems.push({ path: "", code: found.get(duId)!, params: {} });
    judged.set(duId, { facts, problems });
  }
  return judged;
}

/** One DU of a change as it was checked. */
export type CheckedDu = {
  duId: number;
  code: string;
  oldFlowId: number | null;
  newFlowId: number | null;
  problems: Problem[];
  impact: Impact | null;
  needsApproval: boolean;
};
/** A change as it was checked; `kept` is what its mapping keeps. */
export type CheckedChange = {
  dus: CheckedDu[];
  block: PlanBlock;
  targets: Map<number, TargetFlow>;
  mapping: { id: number; name: string; pairs: RetentionPair[] } | null;
};

/**
 * Checks every DU of a change: its guards, and what would be deleted and kept.
 * @param hold flows, the project and the plan rows stay as they are until the transaction ends, locked in the order every writer follows
 */
export async function judgeChange(
  ctx: Ctx,
  { kind, items, mappingId }: z.output<typeof CheckDuChange>,
  hold: boolean,
): Promise<CheckedChange> {
  const targets = await readTargets(
    ctx,
    items.flatMap(({ newFlowId }) => newFlowId ?? []),
    hold,
  );
  if (hold) await holdProject(ctx);
  const codes = await findDuCodes(
    ctx,
    items.map(({ duId }) => duId),
    "duChange.submit",
  );
  const found = mappingId == null ? null : await getRetentionMapping(ctx, mappingId);
  const block = await readPlanRows(ctx, [...codes.keys()], { lock: hold });
  const rows = rowIndex(block);
  const misfitOf = (duId: number, newFlowId: number | null) => {
    const fits = found === null || (found.toFlowId === newFlowId && found.fromFlowId === block.flowIds[rows.get(duId) ?? -1]);
    return fits ? null : found.name;
  };
  const asked = items.map(({ duId, newFlowId = null }) => ({
    duId,
    target: newFlowId === null ? null : (targets.get(newFlowId) ?? null),
    expectedFlowId: null,
    misfit: misfitOf(duId, newFlowId),
  }));
  const judged = await judgeDus(ctx, block, asked, { rules: changeRules, changeId: null });
  const kept = await readKeptSlots(ctx, found?.rows ?? []);
  const side = await readSideValues(ctx, block.duIds);
  const dus = items.map(({ duId, newFlowId = null }, at): CheckedDu => {
    const row = rows.get(duId);
    const code = codes.get(duId);
    const missing = { duId, code: code ?? String(duId), oldFlowId: null, newFlowId, impact: null, needsApproval: false };
    if (row === undefined || code === undefined)
      return { ...missing, problems: [{ path: "", code: "DU_NOT_FOUND", params: { code: code ?? duId } }] };
    if (kind === "change" && asked[at]!.target === null)
      return { ...missing, problems: [{ path: "newFlowId", code: "NOT_FOUND", params: { object: newFlowId! } }] };
    const pairs = usablePairs(block, row, kept, asked[at]!.target?.activities ?? []);
    const impact = measureImpact(block, row, pairs, side.get(duId)!);
    return {
      duId,
      code,
      oldFlowId: block.flowIds[row] || null,
      newFlowId,
      problems: judged.get(duId)!.problems.map((problem) => ({ ...problem, params: { ...problem.params, du: code } })),
      impact,
      needsApproval: needsApproval(impact),
    };
  });
  return { dus, block, targets, mapping: found && { id: found.id, name: found.name, pairs: found.rows } };
}

/** What a change would do, and who could approve it. */
export type ChangeCheck = { dus: CheckedDu[]; needsApproval: boolean; approvers: Approver[] };

/** Checks a change without storing anything. DUs out of the caller's reach are refused like ones that are not there. */
export async function checkDuChange(ctx: Ctx, input: z.output<typeof CheckDuChange>): Promise<ChangeCheck> {
  const { dus } = await judgeChange(ctx, input, false);
  const asks = dus.some((du) => du.needsApproval);
  return { dus, needsApproval: asks, approvers: asks ? withoutPerson(await listApprovers(ctx), ctx.user.id) : [] };
}

/** Each person once, as a holder before as a delegate, without the named ones. */
export function withoutPerson(approvers: readonly Approver[], ...userIds: (number | null)[]): Approver[] {
  const seen = new Set(userIds);
  return approvers.filter(({ id }) => !seen.has(id) && seen.add(id));
}

export type UnbindCheck = { duId: number; code: string; facts: PlanFacts; problems: Problem[] };

/** What unbinding would delete per DU, and what forbids it. DUs out of the caller's reach are missing. */
export async function checkUnbind(ctx: Ctx, { duIds }: z.output<typeof UnbindDus>): Promise<{ dus: UnbindCheck[] }> {
  const codes = await findDuCodes(ctx, duIds, "duFlow.bind");
  const block = await readPlanRows(ctx, [...codes.keys()]);
  const judged = await judgeUnbind(ctx, block);
  return { dus: block.duIds.map((duId) => ({ duId, code: codes.get(duId)!, ...judged.get(duId)! })) };
}

/** Facts and problems of DUs that are to lose their flow at once. */
export function judgeUnbind(ctx: Ctx, block: PlanBlock): Promise<Map<number, { facts: PlanFacts; problems: Problem[] }>> {
  const asked = block.duIds.map((duId) => ({ duId, target: null, expectedFlowId: null, misfit: null }));
  return judgeDus(ctx, block, asked, { rules: unbindRules, changeId: null });
}

/** A change in the list. */
export type DuChangeRow = {
  id: number;
  number: number;
  kind: ChangeKind;
  status: ChangeStatus;
  deliveryType: string | null;
  reason: string;
  needsApproval: boolean;
  duCount: number;
  /** The first of its DUs. */
  duCodes: string[];
  newFlows: string[];
  submitterName: string;
  approverName: string | null;
  tlApproverName: string | null;
  tlApprovedAt: Date | null;
  submittedAt: Date;
  decidedByName: string | null;
  decidedAt: Date | null;
  comment: string | null;
  rowVersion: number;
  /** It is the caller's turn to decide. */
  mayDecide: boolean;
  /** The caller may pass the approval on. */
  mayTransfer: boolean;
  mayWithdraw: boolean;
};

const orders: Record<string, string> = { number: "c.number", submittedAt: "c.submitted_at", status: "c.status" };

/** Changes of DUs the caller sees, newest first. */
export async function listDuChanges(ctx: Ctx, input: ListInput): Promise<Page<DuChangeRow>> {
  const { sql, project, scope } = ctx;
  const { page, size } = input;
  const standing = await readStanding(ctx);
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${condition(ctx, filter, standing)}`,
    sql`c.project_id = ${project.id} and exists (select 1 from du_change_item i join du on du.id = i.du_id where i.change_id = c.id and ${scope.where("duChange.view")})`,
  );
  const order = (input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir}`).concat("c.number desc");
  const rows = await readChanges(
    ctx,
    where,
    sql`order by ${sql.unsafe(order.join(", "))} limit ${size} offset ${(page - 1) * size}`,
    standing,
  );
  const [count] = await sql<{ total: number }[]>`select count(*)::int as total from du_change c where ${where}`;
  return { records: rows, total: count!.total, page, size };
}

/** Who the caller is to changes: whom he stands for as an approver, and whether he may end what others left behind. */
type Standing = { standsFor: number[]; approverIds: number[]; firstIds: number[]; bindsAll: boolean };

async function readStanding(ctx: Ctx): Promise<Standing> {
  const [approvers, first] = await Promise.all([listApprovers(ctx), listFirstApprovers(ctx)]);
  const own = approvers.filter(({ id }) => id === ctx.user.id);
  return {
    standsFor: own.map(({ id, delegateOf }) => delegateOf?.id ?? id),
    approverIds: approvers.map(({ id }) => id),
    firstIds: first.map(({ id }) => id),
    bindsAll: ctx.scope.all("duFlow.bind"),
  };
}

type Where = ReturnType<Ctx["scope"]["where"]>;

const isFinal = ({ sql }: Ctx): Where => sql`(c.tl_approver_id is null or c.tl_approved_at is not null)`;
const isApprover = ({ sql, user }: Ctx, { standsFor, approverIds }: Standing): Where =>
  sql`(c.submitter_id <> ${user.id} and (c.approver_id = any(${standsFor}::bigint[]) or (c.approver_id = ${user.id} and ${approverIds.includes(user.id)})))`;
const isAsked = (ctx: Ctx, standing: Standing): Where =>
  ctx.sql`(c.status = 'approving' and ((${isFinal(ctx)} and ${isApprover(ctx, standing)})
    or (not ${isFinal(ctx)} and c.tl_approver_id = ${ctx.user.id} and ${standing.firstIds.includes(ctx.user.id)})))`;

async function readChanges(ctx: Ctx, where: Where, tail: Where, standing: Standing): Promise<DuChangeRow[]> {
  const { sql, user } = ctx;
  const rows = await sql<(DuChangeRow & { submitterId: number; askedId: number | null; first: boolean })[]>`
    select c.id, c.number, c.kind, c.status, c.delivery_type as "deliveryType", c.reason, c.needs_approval as "needsApproval", n.dus as "duCount", n.codes as "duCodes",
      n.flows as "newFlows", s.name as "submitterName", a.name as "approverName", t.name as "tlApproverName", c.tl_approved_at as "tlApprovedAt",
      c.submitted_at as "submittedAt", d.name as "decidedByName", c.decided_at as "decidedAt", c.comment, c.row_version as "rowVersion",
      ${isAsked(ctx, standing)} as "mayDecide", (c.status = 'approving' and ${isApprover(ctx, standing)}) as "mayTransfer", c.submitter_id = ${user.id} as "mayWithdraw",
      c.submitter_id as "submitterId", case when ${isFinal(ctx)} then c.approver_id else c.tl_approver_id end as "askedId", not ${isFinal(ctx)} as first
    from du_change c join app_user s on s.id = c.submitter_id left join app_user a on a.id = c.approver_id left join app_user t on t.id = c.tl_approver_id
    left join app_user d on d.id = c.decided_by
    cross join lateral (
      select count(*)::int as dus, (array_agg(du.code order by du.code collate natural_order))[1:${listedDusMax}] as codes,
        coalesce(array_agg(distinct f.name) filter (where f.id is not null), '{}') as flows
      from du_change_item i join du on du.id = i.du_id left join activity_flow f on f.id = i.new_flow_id
      where i.change_id = c.id and ${ctx.scope.where("duChange.view")}
    ) n
    where ${where} ${tail}`;
  const open = rows.filter(({ status }) => status === "approving");
  const submitters = await findHolders(
    ctx,
    "duChange.submit",
    open.map(({ submitterId }) => submitterId),
  );
  return rows.map(({ submitterId, askedId, first, ...row }) => ({
    ...row,
    mayWithdraw:
      row.status === "approving" &&
      (row.mayWithdraw ||
        (standing.bindsAll &&
          (!submitters.has(submitterId) || !(first ? standing.firstIds : standing.approverIds).includes(askedId ?? 0)))),
  }));
}

function condition(ctx: Ctx, { field, values }: Filter, standing: Standing): Where {
  const { sql } = ctx;
  const texts = values.map(String);
  switch (field) {
    case "status":
      return sql`c.status = any(${texts}::text[])`;
    case "kind":
      return sql`c.kind = any(${texts}::text[])`;
    case "deliveryType":
      return sql`exists (select 1 from du_change_item i join du on du.id = i.du_id where i.change_id = c.id and du.delivery_type = any(${texts}::text[]))`;
    case "flowId": {
      const ids = values.map(Number).filter(Number.isSafeInteger);
      return sql`exists (select 1 from du_change_item i where i.change_id = c.id and (i.old_flow_id = any(${ids}::bigint[]) or i.new_flow_id = any(${ids}::bigint[])))`;
    }
    case "mine":
      return values[0] === false ? sql`not ${isAsked(ctx, standing)}` : isAsked(ctx, standing);
    default: {
      const text = texts[0] ?? "";
      const inText = (column: string) => sql`position(lower(${text}) in lower(${sql.unsafe(column)})) > 0`;
      return sql`(${inText("'DUC-' || lpad(c.number::text, greatest(4, length(c.number::text)), '0')")} or exists (
        select 1 from du_change_item i join du on du.id = i.du_id
        where i.change_id = c.id and ${ctx.scope.where("duChange.view")} and (${inText("du.code")} or ${inText("du.name")})))`;
    }
  }
}

/** A change with its DUs, what it keeps, and what happened to it. */
export type DuChangeDetail = DuChangeRow & {
  mappingName: string | null;
  pairs: (RetentionPair & { fromName: string; toName: string })[];
  version: { id: number; code: string } | null;
  items: {
    duId: number;
    code: string;
    name: string;
    oldFlow: string;
    newFlow: string | null;
    result: "pending" | "done" | "refused";
    refusal: ErrorCode | null;
    impact: Impact;
  }[];
  events: { event: ChangeEvent; actorName: string; toName: string | null; comment: string | null; at: Date }[];
};

/** One change; of its DUs those the caller sees. @throws NOT_FOUND */
export async function getDuChange(ctx: Ctx, { id }: z.output<typeof FindDuChange>): Promise<DuChangeDetail> {
  const { sql, project } = ctx;
  const items = await readItems(ctx, id, "duChange.view");
  const [row] =
    items.length === 0 ? [] : await readChanges(ctx, sql`c.id = ${id} and c.project_id = ${project.id}`, sql``, await readStanding(ctx));
  if (!row) throw new AppError("NOT_FOUND", { object: id });
  const [more] = await sql<Pick<DuChangeDetail, "mappingName" | "pairs" | "version">[]>`
    select c.mapping_name as "mappingName", case when v.id is null then null else jsonb_build_object('id', v.id, 'code', v.code) end as version,
      coalesce((select jsonb_agg(p || jsonb_build_object('fromName', f.name, 'toName', t.name)) from jsonb_array_elements(c.pairs) p
        join activity_library f on f.id = (p ->> 'fromActivityId')::bigint join activity_library t on t.id = (p ->> 'toActivityId')::bigint), '[]') as pairs
    from du_change c left join plan_version v on v.id = c.version_id and v.project_id = c.project_id where c.id = ${id}`;
  const events = await sql<DuChangeDetail["events"]>`
    select e.event, u.name as "actorName", t.name as "toName", e.comment, e.at from du_change_event e join app_user u on u.id = e.actor_id
    left join app_user t on t.id = e.to_user_id where e.change_id = ${id} order by e.id`;
  return { ...row, ...more!, items, events: [...events] };
}

async function readItems({ sql, project, scope }: Ctx, changeId: number, right: PermissionCode): Promise<DuChangeDetail["items"]> {
  return [
    ...(await sql<DuChangeDetail["items"]>`
      select du.id as "duId", du.code, du.name, o.name as "oldFlow", f.name as "newFlow", i.result, i.code as refusal, i.impact
      from du_change_item i join du on du.id = i.du_id join activity_flow o on o.id = i.old_flow_id left join activity_flow f on f.id = i.new_flow_id
      where i.change_id = ${changeId} and i.project_id = ${project.id} and ${scope.where(right)} order by du.code collate natural_order`),
  ];
}

import "server-only";
import { grantsFor, overrideKey, roleCode } from "#lib/access/logic.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { NaKind, NaStatus } from "./limits.ts";

/** A request with its steps: asked, decided, carried out. */
export type NaRequestRow = {
  id: number;
  number: number;
  flowNo: string | null;
  kind: NaKind;
  status: NaStatus;
  duId: number;
  duCode: string;
  duName: string;
  activityId: number;
  activityName: string;
  reason: string;
  applicantName: string;
  approverName: string | null;
  decidedByName: string | null;
  comment: string | null;
  code: string | null;
  createdAt: Date;
  decidedAt: Date | null;
  doneAt: Date | null;
  /** The caller is to decide it. */
  mayDecide: boolean;
};

/** Requests addressed to the caller: to him, or to every approver but the applicant. */
export const addressed = ({ sql, user }: Pick<Ctx, "sql" | "user">) =>
  sql`(r.approver_id = ${user.id} or (r.approver_id is null and r.applicant_id <> ${user.id}))`;

/** Requests of the DUs whose orders the caller sees, newest first, and those he made or is to decide. */
export async function listRequests(ctx: Ctx, input: ListInput): Promise<Page<NaRequestRow>> {
  const { sql, project, user, scope } = ctx;
  const { page, size } = input;
  const own = sql`(r.applicant_id = ${user.id} or r.approver_id = ${user.id}) and du.project_id = ${project.id} and du.deleted_at is null and ${scope.named}`;
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    sql`r.project_id = ${project.id} and (${scope.where("workOrder.view")} or (${own}))`,
  );
  const columns: Record<string, string> = { number: "r.number", createdAt: "r.created_at", status: "r.status" };
  const order = (input.sort ?? []).map(({ field, dir }) => `${columns[field]} ${dir}`).concat("r.number desc");
  const mayDecide = ctx.can("activity.naApprove");
  const rows = await sql<(NaRequestRow & { total: number })[]>`
    select r.id, r.number, r.flow_no as "flowNo", r.kind, r.status, du.id as "duId", du.code as "duCode", du.name as "duName", a.id as "activityId", a.name as "activityName",
      r.reason, p.name as "applicantName", v.name as "approverName", d.name as "decidedByName", r.comment, r.code, r.created_at as "createdAt", r.decided_at as "decidedAt",
      r.done_at as "doneAt", (${mayDecide} and r.status = 'approving' and ${addressed(ctx)}) as "mayDecide", count(*) over ()::int as total
    from na_request r join du on du.id = r.du_id join activity_library a on a.project_id = r.project_id and a.slot = r.slot
    join app_user p on p.id = r.applicant_id left join app_user v on v.id = r.approver_id left join app_user d on d.id = r.decided_by
    where ${where} order by ${sql.unsafe(order.join(", "))} limit ${size} offset ${(page - 1) * size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page, size };
}

// Conditions on r (the request) and du.
function condition(ctx: Ctx, { field, type, values }: Filter) {
  const { sql, user } = ctx;
  const texts = values.map(String);
  switch (field) {
    case "status":
      return sql`r.status = any(${texts}::text[])`;
    case "kind":
      return sql`r.kind = any(${texts}::text[])`;
    case "mine":
      return ctx.can("activity.naApprove") ? sql`(r.applicant_id = ${user.id} or ${addressed(ctx)})` : sql`r.applicant_id = ${user.id}`;
    default:
      return type === "in"
        ? sql`du.code = any(${texts}::text[])`
        : sql`(position(lower(${texts[0] ?? ""}) in lower(du.code)) > 0 or position(lower(${texts[0] ?? ""}) in lower(du.name)) > 0 or r.flow_no = ${texts[0] ?? ""})`;
  }
}

/** A member who may decide requests. */
export type Approver = { id: number; name: string; account: string };

/** Members who hold activity.naApprove, but the caller. */
export async function listApprovers({ sql, project, user, today }: Ctx): Promise<Approver[]> {
  const [members, overridden] = await Promise.all([
    sql<(Approver & { roles: string[] })[]>`
      select u.id, u.name, u.account, array_agg(m.role) as roles from project_member m join app_user u on u.id = m.user_id
      where m.project_id = ${project.id} and u.active and u.id <> ${user.id} and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
      group by u.id order by u.name, u.id`,
    sql<{ role: string; scope: "Y" | "O" | "" }[]>`
      select role, scope from role_permission where project_id = ${project.id} and code = 'activity.naApprove'`,
  ]);
  const overrides = new Map(overridden.map(({ role, scope }) => [overrideKey(role, "activity.naApprove"), scope]));
  return members.flatMap(({ roles, ...person }) => {
    const held = roles.map(roleCode).filter((role) => role !== null);
    return grantsFor(held, "activity.naApprove", overrides).all ? [person] : [];
  });
}

/** What the flow says of an activity: NA needs approval there, it is a milestone on which DOC_PD may take NA back. [WOR-27] */
export type NodeMarks = { needsApproval: boolean; docPdMayCancel: boolean };

/** Marks of the nodes of flows, by `flowId slot`. */
export async function readNodeMarks({ sql, project }: Ctx, flowIds: readonly number[]): Promise<Map<string, NodeMarks>> {
  const rows = await sql<(NodeMarks & { flowId: number; slot: number })[]>`
    select n.flow_id as "flowId", a.slot, n.na_needs_approval as "needsApproval", n.is_milestone and n.doc_pd_may_cancel_na as "docPdMayCancel"
    from flow_activity n join activity_library a on a.id = n.activity_id and a.project_id = ${project.id}
    where n.flow_id = any(${[...new Set(flowIds)]}::bigint[])`;
  return new Map(rows.map(({ flowId, slot, ...marks }) => [`${flowId} ${slot}`, marks]));
}

/** A request as the background task carries it out. */
export type OpenRequest = {
  id: number;
  duId: number;
  slot: number;
  kind: NaKind;
  reason: string;
  applicantId: number;
  flowNo: string | null;
};

/** Requests that wait to be carried out, or to be decided, among those named. */
export async function readRequests({ sql, project }: Ctx, ids: readonly number[], status: NaStatus): Promise<OpenRequest[]> {
  return [
    ...(await sql<OpenRequest[]>`
      select r.id, r.du_id as "duId", r.slot, r.kind, r.reason, r.applicant_id as "applicantId", r.flow_no as "flowNo" from na_request r
      where r.project_id = ${project.id} and r.id = any(${[...ids]}::bigint[]) and r.status = ${status} order by r.id`),
  ];
}

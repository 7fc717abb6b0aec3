import "server-only";
import type { z } from "zod";
import { findMembership } from "#lib/access/queries.ts";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { makeScope } from "#lib/core/scope.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { isAddress } from "#lib/reminders/outbox/logic.ts";
import { readIsolation, visibleDus } from "#lib/resources/isolation/queries.ts";
import { duColumn, readFlowOrders } from "#lib/rollout-plan/columns/queries.ts";
import { isApplicable } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import { getVersion, versionCounts } from "../snapshots/queries.ts";
import type { DistributionStatus, RecipientKind } from "./limits.ts";
import type { CountRecipients, DistributionFilters, FindRecipients, ListDistributedRows, Recipient } from "./schema.ts";

/** Whether the caller leads distributions, of the DUs his right covers; everybody else sees what was sent to him. */
export const leads = (ctx: Pick<Ctx, "can" | "scope">): boolean => ctx.can("version.distribute") && !ctx.scope.apart;

/** Condition on `d`: the distribution was sent to the caller or to his company. */
export const addressedToCaller = ({ sql, user }: Pick<Ctx, "sql" | "user">) =>
  sql`(d.recipient_user_id = ${user.id} or d.subcontractor_id = ${user.subcontractorId})`;

/** Condition on `du`: what the caller may read of a distributed plan, as leader or as recipient. */
export const readableDus = (ctx: Ctx) => ctx.scope.where(leads(ctx) ? "version.distribute" : "rollout.view");

/** What one recipient would be told: the DUs of his part and how many activities they hold; or why he cannot be one. */
export type RecipientPart = {
  kind: RecipientKind;
  userId: number | null;
  subcontractorId: number | null;
  email: string | null;
  name: string;
  duIds: number[];
  activities: number;
  problem: { code: ErrorCode; params: Record<string, string> } | null;
};

/**
 * The part of a version each recipient would be told: DUs of the filter that he may see.
 * @throws NOT_FOUND
 */
export async function readRecipientParts(ctx: Ctx, { versionId, recipients, filters }: CountRecipients): Promise<RecipientPart[]> {
  await getVersion(ctx, versionId);
  return Promise.all(recipients.map((recipient) => readPart(ctx, versionId, filters, recipient)));
}

async function readPart(ctx: Ctx, versionId: number, filters: DistributionFilters, given: Recipient): Promise<RecipientPart> {
  const { sql, scope } = ctx;
  const person = given.userId === undefined ? null : await readPerson(ctx, given.userId);
  const company = given.subcontractorId === undefined ? null : await readCompany(ctx, given.subcontractorId);
  const part: RecipientPart = {
    kind: given.userId !== undefined ? "user" : given.subcontractorId !== undefined ? "company" : "email",
    userId: given.userId ?? null,
    subcontractorId: given.subcontractorId ?? null,
    email: given.email || null,
    name: person?.name ?? company?.name ?? given.email ?? "",
    duIds: [],
    activities: 0,
    problem: null,
  };
  if (part.kind === "user" && !person) return { ...part, problem: { code: "NOT_MEMBER", params: { account: String(given.userId) } } };
  if (part.kind === "company" && !company)
    return { ...part, problem: { code: "SUBCONTRACTOR_UNKNOWN", params: { value: String(given.subcontractorId) } } };
  if (part.email !== null && !isAddress(part.email))
    return { ...part, problem: { code: "EMAIL_INVALID", params: { address: part.email } } };
  const his = person ? person.sees : company ? visibleDus(sql, company.id, await readIsolation(ctx)) : sql`true`;
  const where = filters.reduce((left, filter) => sql`${left} and ${dusOf(ctx, filter)}`, sql`true`);
  const [row] = await sql<{ duIds: number[]; activities: number }[]>`
    select coalesce(array_agg(r.du_id order by r.du_id), '{}') as "duIds", coalesce(sum(n.held), 0)::int as activities
    from plan_version_row r join du on du.id = r.du_id
    cross join lateral (select count(*) as held from unnest(r.state) s where s & 7 = 1) n
    where r.version_id = ${versionId} and n.held > 0 and ${scope.where("version.distribute")} and ${where} and ${his}`;
  const { duIds, activities } = row!;
  return { ...part, duIds, activities, problem: duIds.length === 0 ? { code: "NO_RECIPIENT", params: {} } : null };
}

async function readPerson(ctx: Ctx, userId: number) {
  const { sql, project, today } = ctx;
  const [[person], membership] = await Promise.all([
    sql<{ name: string }[]>`select name from app_user where id = ${userId} and active`,
    findMembership(sql, userId, project.id, today),
  ]);
  if (!person || membership.roles.length === 0) return null;
  return { name: person.name, sees: makeScope(sql, project.id, userId, membership).where("rollout.view") };
}

async function readCompany({ sql, project, scope }: Ctx, id: number): Promise<{ id: number; name: string } | null> {
  const [row] = await sql<{ id: number; name: string }[]>`
    select id, name from subcontractor where id = ${id} and project_id = ${project.id} and status = 'ACTIVE' and ${scope.company(sql`id`)}`;
  return row ?? null;
}

function dusOf(ctx: Ctx, { field, values }: DistributionFilters[number]) {
  const { sql } = ctx;
  if (field === "regionId") return sql`du.region_id = any(${values}::bigint[])`;
  if (field === "subcontractorId") return sql`${duColumn(ctx, "subcontractor")} = any(${values}::bigint[])`;
  return sql`(position(lower(${values[0]}) in lower(r.du_code)) > 0 or position(lower(${values[0]}) in lower(r.du_name)) > 0)`;
}

/** How much each recipient would be told. */
export async function countRecipients(ctx: Ctx, input: CountRecipients) {
  const parts = await readRecipientParts(ctx, input);
  return parts.map(({ duIds, problem, ...part }) => ({ ...part, dus: duIds.length, code: problem?.code ?? null }));
}

/** Somebody a plan can be sent to. */
export type Candidate = { kind: "user" | "company"; id: number; name: string; account: string | null };

/** Companies and members that fit a text, companies first. */
export async function findRecipients({ sql, project, today }: Ctx, { q, size }: z.output<typeof FindRecipients>): Promise<Candidate[]> {
  return [
    ...(await sql<Candidate[]>`
      (select 'company' as kind, id, name, code as account from subcontractor
        where project_id = ${project.id} and status = 'ACTIVE' and (position(lower(${q}) in lower(name)) > 0 or position(lower(${q}) in lower(code)) > 0)
        order by name, id limit ${size})
      union all
      (select distinct 'user' as kind, u.id, u.name, u.account from project_member m join app_user u on u.id = m.user_id and u.active
        where m.project_id = ${project.id} and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})
          and (position(lower(${q}) in lower(u.name)) > 0 or position(lower(${q}) in lower(u.account)) > 0)
        order by u.name, u.id limit ${size})
      limit ${size}`),
  ];
}

/** A distribution with what came back. [VER-03] */
export type DistributionRow = {
  id: number;
  versionId: number;
  versionCode: string;
  versionName: string;
  recipientKind: RecipientKind;
  recipientName: string;
  duCount: number;
  activityCount: number;
  message: string | null;
  dueDate: string | null;
  status: DistributionStatus;
  sentByName: string;
  sentAt: Date;
  remindedAt: Date | null;
  /** Activities somebody has answered about, and of the answers those without decision, without mapping, and after the due date. */
  answered: number;
  open: number;
  notMapped: number;
  late: number;
  /** Sent to the caller or his company: he may answer. */
  mine: boolean;
};

const orders: Record<string, string> = { sentAt: "d.sent_at", dueDate: "d.due_date", status: "d.status" };

/** Distributions of the project, newest first: all for who sends them, else those sent to the caller or his company. */
export async function listDistributions(ctx: Ctx, input: ListInput): Promise<Page<DistributionRow>> {
  const { sql, project, scope } = ctx;
  const { page, size } = input;
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    leads(ctx) ? sql`d.project_id = ${project.id}` : sql`d.project_id = ${project.id} and ${addressedToCaller(ctx)}`,
  );
  const order = (input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir} nulls last`).concat("d.id desc");
  const rows = await sql<(DistributionRow & { total: number })[]>`
    select p.*, coalesce(f.answered, 0)::int as answered, coalesce(f.open, 0)::int as open, coalesce(f.unmapped, 0)::int as "notMapped", coalesce(f.late, 0)::int as late
    from (
      select d.id, d.version_id as "versionId", v.code as "versionCode", v.name as "versionName",
        case when d.email is not null then 'email' when d.subcontractor_id is not null then 'company' else 'user' end as "recipientKind",
        coalesce(d.email, s.name, u.name) as "recipientName", ${
          scope.apart
            ? versionCounts(ctx, sql`d.version_id`, sql`d.du_ids`)
            : sql`cardinality(d.du_ids) as "duCount", d.activity_count as "activityCount"`
        }, d.message,
        d.due_date as "dueDate", d.status, b.name as "sentByName", d.sent_at as "sentAt", d.reminded_at as "remindedAt",
        coalesce(${addressedToCaller(ctx)}, false) as mine, count(*) over ()::int as total, row_number() over (order by ${sql.unsafe(order.join(", "))}) as place
      from plan_distribution d join plan_version v on v.id = d.version_id join app_user b on b.id = d.sent_by
      left join app_user u on u.id = d.recipient_user_id left join subcontractor s on s.id = d.subcontractor_id
      where ${where} order by place limit ${size} offset ${(page - 1) * size}
    ) p
    left join lateral (
      select count(distinct (lower(f.raw_du), lower(f.raw_activity))) as answered, count(*) filter (where ${decisionOf(sql)} = 'open') as open,
        count(*) filter (where f.mapping = 'not_mapped' and f.decision = 'open') as unmapped, count(*) filter (where f.late) as late
      from plan_feedback f where f.distribution_id = p.id
    ) f on true
    order by p.place`;
  const records = rows.map(({ total: _total, place: _place, ...row }: DistributionRow & { total: number; place?: number }) => row);
  return { records, total: rows[0]?.total ?? 0, page, size };
}

/** The decision on `f` that counts: one whose change of the plan was undone is open again. */
export const decisionOf = (sql: Ctx["sql"]) =>
  sql`(case when f.decision = 'accepted' and exists (select 1 from plan_batch undone where undone.undo_of = f.batch_id) then 'open' else f.decision end)`;

function condition({ sql }: Ctx, { field, values }: Filter) {
  const text = String(values[0] ?? "");
  switch (field) {
    case "id":
      return sql`d.id::text = ${text}`;
    case "versionId":
      return sql`d.version_id::text = ${text}`;
    case "status":
      return sql`d.status = any(${values.map(String)}::text[])`;
    default:
      return sql`(position(lower(${text}) in lower(coalesce(d.email, s.name, u.name))) > 0 or position(lower(${text}) in lower(v.code)) > 0 or position(lower(${text}) in lower(v.name)) > 0)`;
  }
}

/** A distribution as its calls need it. */
export type Distribution = {
  id: number;
  versionId: number;
  status: DistributionStatus;
  dueDate: string | null;
  duIds: number[];
  mine: boolean;
};

/**
 * A distribution the caller sends or was sent, locked where asked.
 * @throws NOT_FOUND for every other one
 */
export async function getDistribution(ctx: Ctx, id: number, options: { lock?: boolean } = {}): Promise<Distribution> {
  const { sql, project } = ctx;
  const [row] = await sql<Distribution[]>`
    select d.id, d.version_id as "versionId", d.status, d.due_date as "dueDate", d.du_ids as "duIds", coalesce(${addressedToCaller(ctx)}, false) as mine
    from plan_distribution d where d.id = ${id} and d.project_id = ${project.id} ${options.lock ? sql`for update` : sql``}`;
  if (!row || (!row.mine && !leads(ctx))) throw new AppError("NOT_FOUND", { object: id });
  return row;
}

/** An activity as it was told. */
export type ToldActivity = {
  activityId: number;
  slot: number;
  code: string;
  name: string;
  planStart: string | null;
  planEnd: string | null;
};
export type ToldDu = { duId: number; duCode: string; duName: string; activities: ToldActivity[] };

type ToldRow = {
  duId: number;
  duCode: string;
  duName: string;
  flowId: number | null;
  state: number[];
  planStart: number[] | null;
  planEnd: number[] | null;
};

/**
 * DUs as a distribution tells of them, with their activities in the order of their flow.
 * @param visible condition on `du` besides being told of
 */
export async function readTold(
  ctx: Ctx,
  { versionId, duIds }: Pick<Distribution, "versionId" | "duIds">,
  part: { limit: number; offset: number; visible?: ReturnType<typeof readableDus> },
): Promise<{ dus: ToldDu[]; total: number }> {
  const { sql } = ctx;
  const [rows, library, flows] = await Promise.all([
    sql<(ToldRow & { total: number })[]>`
      select r.du_id as "duId", r.du_code as "duCode", r.du_name as "duName", r.flow_id as "flowId", r.state, r.plan_start as "planStart", r.plan_end as "planEnd",
        count(*) over ()::int as total
      from plan_version_row r join du on du.id = r.du_id
      where r.version_id = ${versionId} and r.du_id = any(${duIds}::bigint[]) ${part.visible ? sql`and ${part.visible}` : sql``}
      order by r.du_code collate natural_order, r.du_id limit ${part.limit} offset ${part.offset}`,
    listLibraryActivities(ctx),
    readFlowOrders(ctx),
  ]);
  const bySlot = new Map(library.map((activity) => [activity.slot, activity]));
  const dus = rows.map(({ duId, duCode, duName, flowId, state, planStart, planEnd }): ToldDu => {
    const order = [...new Set([...(flows.get(flowId ?? 0)?.slots ?? []), ...bySlot.keys()])];
    const activities = order.flatMap((slot): ToldActivity[] => {
      const activity = bySlot.get(slot);
      if (!activity || !isApplicable(state[slot - 1] ?? 0)) return [];
      const { id: activityId, code, name } = activity;
      return [{ activityId, slot, code, name, planStart: isoDay(planStart?.[slot - 1] ?? 0), planEnd: isoDay(planEnd?.[slot - 1] ?? 0) }];
    });
    return { duId, duCode, duName, activities };
  });
  return { dus, total: rows[0]?.total ?? 0 };
}

/** A page of a distributed plan, DU by DU, as far as the caller may see these DUs today. @throws NOT_FOUND */
export async function listDistributedRows(ctx: Ctx, { id, page, size }: ListDistributedRows): Promise<Page<ToldDu>> {
  const distribution = await getDistribution(ctx, id);
  const { dus, total } = await readTold(ctx, distribution, { limit: size, offset: (page - 1) * size, visible: readableDus(ctx) });
  return { records: dus, total, page, size };
}

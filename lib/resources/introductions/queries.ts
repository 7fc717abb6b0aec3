import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Ctx } from "#lib/core/ctx.ts";
import type { ListInput, Page } from "#lib/core/paging.ts";
import type { IntroductionStatus } from "./limits.ts";

/** People of a company brought by one application. */
export type Introduction = {
  id: number;
  subcontractorId: number;
  subcontractor: string;
  status: IntroductionStatus;
  people: { userId: number; account: string; name: string }[];
  applicantId: number;
  applicant: string;
  approver: string | null;
  reason: string | null;
  createdAt: string;
  decidedAt: string | null;
  rowVersion: number;
};

const selected = ({ sql }: Pick<Ctx, "sql">) => sql`
  i.id, i.subcontractor_id as "subcontractorId", c.name as subcontractor, i.status, i.applicant_id as "applicantId", a.name as applicant, p.name as approver,
  (select json_agg(json_build_object('userId', u.id, 'account', u.account, 'name', u.name) order by u.name) from app_user u where u.id = any(i.user_ids)) as people,
  i.reason, i.created_at as "createdAt", i.decided_at as "decidedAt", i.row_version as "rowVersion"`;

const source = ({ sql, project }: Pick<Ctx, "sql" | "project">) => sql`
  res_introduction i join subcontractor c on c.id = i.subcontractor_id join app_user a on a.id = i.applicant_id
  left join app_user p on p.id = i.approver_id where i.project_id = ${project.id}`;

/** Introductions by id, locked where they are to be decided. */
export async function readIntroductions(ctx: Pick<Ctx, "sql" | "project">, ids: readonly number[]): Promise<Introduction[]> {
  const { sql } = ctx;
  return [
    ...(await sql<
      Introduction[]
    >`select ${selected(ctx)} from ${source(ctx)} and i.id = any(${[...ids]}::bigint[]) order by i.id for no key update of i`),
  ];
}

/** A page of the introductions, the newest first; who brings people of his own company sees those of it. */
export async function listIntroductions(ctx: Ctx, { page, size, filters, sort = [] }: ListInput): Promise<Page<Introduction>> {
  const { sql, user } = ctx;
  const all = ctx.can("subcon.approve", { userIds: [] }) || ctx.can("subcon.introduce", { userIds: [] });
  const reach = all ? sql`true` : sql`i.subcontractor_id = ${user.subcontractorId}`;
  const where = filters.reduce<PendingQuery<Row[]>>(
    (left, { field, values }) =>
      field === "status"
        ? sql`${left} and i.status = any(${values.map(String)}::text[])`
        : sql`${left} and i.subcontractor_id::text = any(${values.map(String)}::text[])`,
    reach,
  );
  const order = sort[0]?.dir === "asc" ? sql`i.id` : sql`i.id desc`;
  const rows = await sql<(Introduction & { total: number })[]>`
    select ${selected(ctx)}, count(*) over ()::int as total from ${source(ctx)} and ${where} order by ${order} limit ${size} offset ${(page - 1) * size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page, size };
}

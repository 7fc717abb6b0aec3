import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { recipientSees } from "#lib/resources/isolation/queries.ts";

/** Somebody who is written to about a distribution; without account he gets its workbook. */
export type Addressee = {
  distributionId: number;
  userId: number | null;
  address: string;
  name: string | null;
  lang: string | null;
  fileId: string | null;
  versionCode: string;
  versionName: string;
  dus: number;
  activities: number;
  message: string | null;
  dueDate: string | null;
  sender: string;
};

/** The people behind distributions: the member, the members of the company, or the address. */
export async function listAddressees(
  { sql, project, today }: Pick<Ctx, "sql" | "project" | "today">,
  ids: readonly number[],
): Promise<Addressee[]> {
  return [
    ...(await sql<Addressee[]>`
      select d.id as "distributionId", p.id as "userId", coalesce(p.email, d.email) as address, p.name, coalesce(p.language, d.lang) as lang, d.file_id as "fileId",
        v.code as "versionCode", v.name as "versionName", case when p.id is null then cardinality(d.du_ids) else n.dus end as dus,
        case when p.id is null then d.activity_count else n.activities end as activities, d.message, d.due_date as "dueDate", s.name as sender
      from plan_distribution d join plan_version v on v.id = d.version_id join app_user s on s.id = d.sent_by
      left join lateral (
        select u.id, u.name, u.email, u.language from app_user u where u.active
          and (u.id = d.recipient_user_id or exists (
            select 1 from resource c where c.project_id = d.project_id and c.subcontractor_id = d.subcontractor_id and c.user_id = u.id and c.status = 'ACTIVE'))
          and exists (select 1 from project_member m where m.project_id = d.project_id and m.user_id = u.id
            and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today}))
      ) p on d.email is null
      left join lateral (
        select count(*)::int as dus, coalesce(sum((select count(*) from unnest(r.state) s where s & 7 = 1)), 0)::int as activities
        from plan_version_row r join du on du.id = r.du_id
        where p.id is not null and r.version_id = d.version_id and r.du_id = any(d.du_ids) and ${recipientSees(sql, sql`p.id`)}
      ) n on true
      where d.project_id = ${project.id} and d.id = any(${[...ids]}::bigint[]) and (p.id is not null or d.email is not null) order by d.id, p.id`),
  ];
}

/** Who has to hear what became of his answers. */
export type Answerer = {
  id: number;
  duId: number | null;
  userId: number | null;
  address: string;
  name: string | null;
  lang: string | null;
  du: string;
  activity: string;
  proposal: string;
};

/** Answers with who gave them: the person, or the address outside whose workbook was brought in. */
export async function listAnswerers({ sql, project }: Pick<Ctx, "sql" | "project">, ids: readonly number[]): Promise<Answerer[]> {
  return [
    ...(await sql<Answerer[]>`
      select f.id, f.du_id as "duId", u.id as "userId", coalesce(d.email, u.email) as address, u.name, coalesce(u.language, d.lang) as lang, f.raw_du as du, f.raw_activity as activity,
        concat_ws(' ', f.proposed_start, f.proposed_end, f.remark) as proposal
      from plan_feedback f join plan_distribution d on d.id = f.distribution_id
      left join app_user u on u.id = f.submitted_by and u.active and d.email is null
      where f.project_id = ${project.id} and f.id = any(${[...ids]}::bigint[]) and coalesce(d.email, u.email) is not null
        and (f.du_id is null or u.id is null or exists (select 1 from du where du.id = f.du_id and ${recipientSees(sql, sql`u.id`)})) order by f.id`),
  ];
}

import "server-only";
import { listManagers } from "#lib/access/members/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { tellResources } from "../notices/commands.ts";
import { refreshPresence } from "../presence/commands.ts";
import { type Introduction, readIntroductions } from "./queries.ts";
import type { DecideIntroduction, Introduce, WithdrawIntroduction } from "./schema.ts";

type Account = {
  id: number;
  account: string;
  kind: string;
  active: boolean;
  dpaEnded: boolean;
  resourceId: number | null;
  status: string | null;
};

/**
 * Refuses a company that may not work in the project.
 * @throws NOT_FOUND, WRONG_STATUS
 */
async function demandCompany({ sql, project }: Ctx, id: number): Promise<{ name: string }> {
  const [company] = await sql<{ name: string; status: string }[]>`
    select name, status from subcontractor where project_id = ${project.id} and id = ${id}`;
  if (!company) throw new AppError("NOT_FOUND", { object: id });
  if (company.status !== "ACTIVE") throw new AppError("WRONG_STATUS", { status: company.status });
  return company;
}

const readAccounts = ({ sql, project, today }: Ctx, accounts: readonly string[]) => sql<Account[]>`
  select u.id, u.account, u.kind, u.active, coalesce(u.dpa_expires_on < ${today}, false) as "dpaEnded", r.id as "resourceId", r.status
  from app_user u left join resource r on r.project_id = ${project.id} and r.user_id = u.id
  where lower(u.account) = any(${accounts.map((account) => account.toLowerCase())}::text[])`;

/**
 * Brings people of a company: they wait in the pool until a manager has approved. [RES-23] [RES-42] [RES-45]
 * @throws DPA_EXPIRED, ACCOUNT_MISSING, IN_POOL, WRONG_STATUS, NO_PERMISSION for another company than one's own
 */
export async function introduce(ctx: Ctx, { subcontractorId, accounts }: Introduce): Promise<{ id: number }> {
  const { sql, project, user, now } = ctx;
  if (!ctx.can("subcon.introduce", { subcontractorId })) throw new AppError("NO_PERMISSION", { right: "subcon.introduce" });
  await holdProject(ctx);
  const company = await demandCompany(ctx, subcontractorId);
  const found = new Map((await readAccounts(ctx, accounts)).map((one) => [one.account.toLowerCase(), one]));
  const problems = accounts.flatMap((account, at): Problem[] => {
    const one = found.get(account.toLowerCase());
    const path = `accounts.${at}`;
    if (!one?.active || one.kind !== "subcontractor") return [{ path, code: "ACCOUNT_MISSING", params: { account } }];
    if (one.status === "ACTIVE" || one.status === "PENDING") return [{ path, code: "IN_POOL", params: { account } }];
    return one.dpaEnded ? [{ path, code: "DPA_EXPIRED", params: { project: project.number } }] : [];
  });
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  const userIds = [...found.values()].map(({ id }) => id);
  const [made] = await sql<{ id: number }[]>`
    insert into res_introduction (project_id, subcontractor_id, user_ids, applicant_id, created_at)
    values (${project.id}, ${subcontractorId}, ${userIds}, ${user.id}, ${now}) returning id`;
  await sql`
    insert into resource (project_id, user_id, type, subcontractor_id, status, last_activity_at, created_by, created_at, updated_by, updated_at)
    select ${project.id}, id, 'SUBCONTRACT', ${subcontractorId}, 'PENDING', ${now}, ${user.id}, ${now}, ${user.id}, ${now} from unnest(${userIds}::bigint[]) as g(id)
    on conflict on constraint resource_user_unique do update set type = 'SUBCONTRACT', subcontractor_id = excluded.subcontractor_id, status = 'PENDING',
      updated_by = excluded.updated_by, updated_at = excluded.updated_at, row_version = resource.row_version + 1`;
  ctx.audit(`introduction ${made!.id}`, null, { subcontractorId, accounts }, "config_changed");
  await tellResources(ctx, await listManagers(ctx), {
    kind: "resource.introduction",
    title: "introductionAsked",
    params: { company: company.name, count: userIds.length, applicant: user.name },
    event: `introduction ${made!.id}`,
  });
  return { id: made!.id };
}

async function demandPending(ctx: Ctx, id: number): Promise<Introduction> {
  const [found] = await readIntroductions(ctx, [id]);
  if (!found) throw new AppError("NOT_FOUND", { object: id });
  if (found.status !== "PENDING") throw new AppError("WRONG_STATUS", { status: found.status });
  return found;
}

/**
 * Approves or refuses an introduction, also one's own, which the log shows. [RES-42]
 * @throws DPA_EXPIRED, NOT_FOUND, WRONG_STATUS
 */
export async function decideIntroduction(ctx: Ctx, { id, pass, reason }: DecideIntroduction): Promise<void> {
  await holdProject(ctx);
  const { sql, project, user, now } = ctx;
  const found = await demandPending(ctx, id);
  if (pass) await demandCompany(ctx, found.subcontractorId);
  const status = pass ? "APPROVED" : "REJECTED";
  await sql`
    update res_introduction set status = ${status}, approver_id = ${user.id}, reason = ${reason ?? null}, decided_at = ${now}, row_version = row_version + 1
    where id = ${id}`;
  const written = await sql<{ id: number }[]>`
    update resource set status = ${pass ? "ACTIVE" : "REJECTED"}, last_activity_at = ${now}, updated_by = ${user.id}, updated_at = ${now}, row_version = row_version + 1
    where project_id = ${project.id} and status = 'PENDING' and user_id = any(${found.people.map(({ userId }) => userId)}::bigint[]) returning id`;
  await refreshPresence(
    ctx,
    written.map((row) => row.id),
  );
  ctx.audit(`introduction ${id}`, { status: "PENDING" }, { status, reason, own: found.applicantId === user.id }, "config_changed");
  await tellResources(ctx, [found.applicantId], {
    kind: "resource.introduction",
    title: pass ? "introductionApproved" : "introductionRejected",
    params: { company: found.subcontractor, count: found.people.length, approver: user.name },
    body: reason,
    event: `introduction ${id} ${status}`,
  });
  ctx.afterCommit(forgetRights);
}

/**
 * Takes one's own introduction back: its people leave the pool; who was in it before is inactive again.
 * @throws NO_PERMISSION for that of another, NOT_FOUND, WRONG_STATUS
 */
export async function withdrawIntroduction(ctx: Ctx, { id }: WithdrawIntroduction): Promise<void> {
  await holdProject(ctx);
  const { sql, project, user, now } = ctx;
  const found = await demandPending(ctx, id);
  if (found.applicantId !== user.id) throw new AppError("NO_PERMISSION", { right: "subcon.introduce" });
  await sql`update res_introduction set status = 'WITHDRAWN', decided_at = ${now}, row_version = row_version + 1 where id = ${id}`;
  const people = sql`project_id = ${project.id} and status = 'PENDING' and user_id = any(${found.people.map(({ userId }) => userId)}::bigint[])`;
  await sql`delete from resource r where ${people} and not exists (select 1 from res_group_member m where m.resource_id = r.id)`;
  await sql`update resource set status = 'INACTIVE', row_version = row_version + 1 where ${people}`;
  ctx.audit(`introduction ${id}`, { status: "PENDING" }, { status: "WITHDRAWN" }, "config_changed");
  ctx.afterCommit(forgetRights);
}

import type { Sql } from "#db/client.ts";
import { hashPassword } from "#lib/core/secrets.ts";

/** Password of every demo account. */
export const demoPassword = "milepost-demo";

/** Demo accounts with the role each shows, people in their own writing and in Latin letters; `scheduler` is the scheduling manager, `etm` a customer-service manager, `admin` the system administrator. */
export const demoAccounts = [
  { account: "pm", name: "林晓岚 Lin Xiaolan", role: "PM", kind: "employee" },
  { account: "pcm", name: "陈志远 Chen Zhiyuan", role: "PCM", kind: "employee" },
  { account: "td", name: "王海涛 Wang Haitao", role: "TD", kind: "employee" },
  { account: "tl", name: "周敏 Zhou Min", role: "TL", kind: "employee" },
  { account: "pd", name: "佐藤 健 Sato Ken", role: "PD", kind: "employee" },
  { account: "dqa", name: "Emma Clarke", role: "DQA", kind: "employee" },
  { account: "scheduler", name: "李国栋 Li Guodong", role: "SCHEDULING_MANAGER", kind: "employee" },
  { account: "subcon", name: "黄雅雯 Huang Yawen", role: "SUBCON", kind: "subcontractor" },
  { account: "customer", name: "高橋 美咲 Takahashi Misaki", role: "CUSTOMER", kind: "customer" },
  { account: "etm", name: "James Hart", role: "CS_MANAGER", kind: "employee" },
  { account: "viewer", name: "吴静 Wu Jing", role: "COMMON_VIEW", kind: "employee" },
  { account: "admin", name: "管理员 Admin 管理者", role: "SYS_ADMIN", kind: "employee" },
] as const;

/**
 * Makes the demo accounts that are missing and gives each its role in the project from a year ago on and a place in its pool.
 * @returns user id by account
 */
export async function seedAccounts(sql: Sql, projectId: number, today: string, now: Date): Promise<Map<string, number>> {
  const hash = await hashPassword(demoPassword);
  const ids = new Map<string, number>();
  for (const { account, name, role, kind } of demoAccounts) {
    const [row] = await sql<{ id: number }[]>`
      insert into app_user (account, name, email, kind, country, password_hash, default_project_id)
      values (${account}, ${name}, ${`${account}@demo.milepost.example`}, ${kind}, 'CN', ${hash}, ${projectId})
      on conflict ((lower(account))) do update set name = excluded.name returning id`;
    ids.set(account, row!.id);
    await sql`
      insert into project_member (project_id, user_id, role, valid_from, granted_at)
      values (${projectId}, ${row!.id}, ${role}, ${today}::date - 365, ${now}) on conflict do nothing`;
  }
  await sql`
    insert into resource (project_id, user_id, type, last_activity_at)
    select ${projectId}, u.id, case u.kind when 'subcontractor' then 'SUBCONTRACT' when 'customer' then 'CUSTOMER' else 'OWN' end, ${now}
    from app_user u where u.id = any(${[...ids.values()]}::bigint[]) on conflict do nothing`;
  return ids;
}

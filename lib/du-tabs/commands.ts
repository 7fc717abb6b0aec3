import "server-only";
import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { getTab } from "./queries.ts";
import { deleteRules, saveRules, type TabUse } from "./rules.ts";
import type { SaveTab, SaveTabUsers, TabIds } from "./schema.ts";

type Stored = { id: number; name: string; keyMode: string; sortNo: number; brazilOnly: boolean; rowVersion: number };

/**
 * Makes a tab or changes one. Its key mode stays while it has rows.
 * @throws NAME_EXISTS, NOTHING_MODIFIED, TAB_HAS_ROWS, STALE, NOT_FOUND
 */
export async function saveTab(ctx: Ctx, input: SaveTab): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  const { id, name, keyMode, sortNo, brazilOnly, rowVersion } = input;
  await holdProject(ctx);
  const [before] = id
    ? await sql<Stored[]>`
        select id, name, key_mode as "keyMode", sort_no as "sortNo", brazil_only as "brazilOnly", row_version as "rowVersion"
        from du_tab where id = ${id} and project_id = ${project.id} and deleted_at is null for update`
    : [];
  if (id && !before) throw new AppError("NOT_FOUND", { object: id });
  if (before && before.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], before);
  const [facts] = await sql<{ taken: boolean; rows: number }[]>`
    select exists (select from du_tab where project_id = ${project.id} and deleted_at is null and lower(name) = lower(${name}) and id <> ${id ?? 0}) as taken,
      (select count(*)::int from du_tab_row where tab_id = ${id ?? 0} and deleted_at is null) as rows`;
  checkRules(saveRules, { ...facts!, name, keyModeChanged: before !== undefined && before.keyMode !== keyMode }, "name");
  const values = { name, keyMode, sortNo, brazilOnly };
  refuseUnchanged(before, values);
  const [saved] = before
    ? await sql<{ id: number; rowVersion: number }[]>`
        update du_tab set name = ${name}, key_mode = ${keyMode}, sort_no = ${sortNo}, brazil_only = ${brazilOnly}, row_version = row_version + 1,
          updated_by = ${user.id}, updated_at = ${now}
        where id = ${before.id} returning id, row_version as "rowVersion"`
    : await sql<{ id: number; rowVersion: number }[]>`
        insert into du_tab (project_id, name, key_mode, sort_no, brazil_only, created_by, created_at, updated_by, updated_at)
        values (${project.id}, ${name}, ${keyMode}, ${sortNo}, ${brazilOnly}, ${user.id}, ${now}, ${user.id}, ${now}) returning id, row_version as "rowVersion"`;
  ctx.audit(`du_tab ${saved!.id}`, before ?? null, values);
  return saved!;
}

/**
 * Deletes tabs without rows that no attribute names, all or none.
 * @throws NOT_FOUND, TAB_HAS_ROWS, IN_USE
 */
export async function deleteTabs(ctx: Ctx, { ids }: TabIds): Promise<{ deleted: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  // Rows that are being made are waited for, and counted afterwards.
  await sql`select 1 from du_tab where project_id = ${project.id} and deleted_at is null and id = any(${ids}::bigint[]) order by id for update`;
  const found = await sql<(TabUse & { id: number; name: string })[]>`
    select t.id, t.name, (select count(*)::int from du_tab_row r where r.tab_id = t.id and r.deleted_at is null) as rows,
      array(select a.name from attribute a where a.du_tab_id = t.id and a.deleted_at is null order by a.sort_no, a.id) as attributes
    from du_tab t where t.project_id = ${project.id} and t.deleted_at is null and t.id = any(${ids}::bigint[]) order by t.id`;
  const missing = ids.filter((id) => !found.some((tab) => tab.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  for (const tab of found) checkRules(deleteRules, tab, `ids.${ids.indexOf(tab.id)}`);
  await sql`
    update du_tab set deleted_at = ${now}, updated_by = ${user.id}, updated_at = ${now}, row_version = row_version + 1 where id = any(${ids}::bigint[])`;
  for (const { id, name } of found) ctx.audit(`du_tab ${id}`, { name }, null);
  return { deleted: found.length };
}

/**
 * Says anew who only reads a tab and who writes it.
 * @throws NOT_FOUND, NOTHING_MODIFIED, NOT_MEMBER for an account without a role in the project, STALE where others have named somebody else since they were read
 */
export async function saveTabUsers(ctx: Ctx, { tabId, users, base }: SaveTabUsers): Promise<Record<string, never>> {
  const { sql, project, today } = ctx;
  await getTab(ctx, tabId);
  await sql`select 1 from du_tab where id = ${tabId} for update`;
  const before = await sql<NamedMode[]>`
    select u.account, t.role, t.mode from du_tab_user t left join app_user u on u.id = t.user_id where t.tab_id = ${tabId} order by t.id`;
  if (!isDeepStrictEqual(modes(before), modes(base))) throw new AppError("STALE");
  const accounts = users.flatMap(({ account }) => account?.toLowerCase() ?? []);
  const known = await sql<{ id: number; account: string }[]>`
    select u.id, lower(u.account) as account from app_user u where lower(u.account) = any(${accounts}::text[]) and exists (
      select from project_member m where m.project_id = ${project.id} and m.user_id = u.id and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today}))`;
  const ids = new Map(known.map(({ id, account }) => [account, id]));
  const problems = users.flatMap(({ account }, index) =>
    account !== undefined && !ids.has(account.toLowerCase())
      ? [{ path: `users.${index}.account`, code: "NOT_MEMBER" as const, params: { account } }]
      : [],
  );
  if (problems[0]) throw new AppError("NOT_MEMBER", problems[0].params, problems);
  const rows = users.map(({ account, role, mode }) => ({
    userId: account === undefined ? null : (ids.get(account.toLowerCase()) as number),
    role: role ?? null,
    mode,
  }));
  refuseUnchanged({ modes: modes(before) }, { modes: modes(users) });
  await sql`delete from du_tab_user where tab_id = ${tabId}`;
  await sql`
    insert into du_tab_user (project_id, tab_id, user_id, role, mode)
    select ${project.id}, ${tabId}, n."userId", n.role, n.mode from jsonb_to_recordset(${sql.json(rows)}) as n("userId" bigint, role text, mode text)`;
  ctx.audit(`du_tab users ${tabId}`, [...before], users);
  return {};
}

type NamedMode = { account?: string | null; role?: string | null; mode: string };

/** What everybody who is named may do, by role or account. */
const modes = (named: readonly NamedMode[]) =>
  Object.fromEntries(named.map(({ account, role, mode }) => [role ? `role ${role}` : account?.toLowerCase(), mode]));

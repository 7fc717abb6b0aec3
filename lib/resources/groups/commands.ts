import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { addedMax } from "./limits.ts";
import { editsGroup, readGroups } from "./queries.ts";
import type { DeleteGroups, SaveGroup } from "./schema.ts";

/**
 * Makes a group or changes one with all its members. [RES-22] [RES-25] [RES-27]
 * @throws GROUP_NAME_EXISTS, NOT_LEADER, TOO_MANY, ACCOUNT_NOT_IN_POOL, NOT_FOUND, NOTHING_MODIFIED, STALE
 */
export async function saveGroup(ctx: Ctx, input: SaveGroup): Promise<{ id: number; rowVersion: number }> {
  await holdProject(ctx);
  const { sql, project } = ctx;
  const { id, name, scenario = null, contractor = null, members } = input;
  const [before] = id === undefined ? [] : await readGroups(ctx, [id]);
  if (id !== undefined && !before) throw new AppError("NOT_FOUND", { object: id });
  if (before && !editsGroup(ctx, before)) throw new AppError("NOT_LEADER", { name: before.name });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  const held = new Set(before?.members.map(({ resourceId }) => resourceId));
  const added = members.filter(({ resourceId }) => !held.has(resourceId));
  if (added.length > addedMax) throw new AppError("TOO_MANY", { max: addedMax });
  const found = await sql<{ id: number }[]>`
    select id from resource where project_id = ${project.id} and id = any(${added.map(({ resourceId }) => resourceId)}::bigint[]) and status = 'ACTIVE'`;
  const missing = added.filter(({ resourceId }) => !found.some((row) => row.id === resourceId));
  if (missing.length > 0) throw new AppError("ACCOUNT_NOT_IN_POOL", { account: missing.map(({ resourceId }) => resourceId).join(", ") });
  const values = { name, scenario, contractor };
  const roles = (list: readonly { resourceId: number; memberType?: string | null | undefined; isLeader: boolean }[]) =>
    Object.fromEntries(list.map(({ resourceId, memberType, isLeader }) => [resourceId, { memberType, isLeader }]));
  refuseUnchanged(before && { ...before, roles: roles(before.members) }, { ...values, roles: roles(members) });
  const groupId = await writeGroup(ctx, { id, name, scenario, contractor });
  await sql`delete from res_group_member where group_id = ${groupId} and resource_id <> all(${members.map(({ resourceId }) => resourceId)}::bigint[])`;
  await sql`
    insert into res_group_member (group_id, resource_id, project_id, member_type, is_leader)
    select ${groupId}, g."resourceId", ${project.id}, g."memberType", g."isLeader"
    from jsonb_to_recordset(${sql.json(members as never)}) as g("resourceId" bigint, "memberType" text, "isLeader" boolean)
    on conflict (group_id, resource_id) do update set member_type = excluded.member_type, is_leader = excluded.is_leader`;
  const told = (list: readonly { resourceId: number; isLeader: boolean }[]) =>
    list.map(({ resourceId, isLeader }) => ({ resourceId, isLeader }));
  ctx.audit(
    `resource group ${groupId}`,
    before ? { name: before.name, scenario: before.scenario, contractor: before.contractor, members: told(before.members) } : null,
    { name, scenario, contractor, members: told(members) },
    "config_changed",
  );
  return { id: groupId, rowVersion: (before?.rowVersion ?? 0) + 1 };
}

async function writeGroup(
  { sql, project, user, now }: Ctx,
  { id, name, scenario, contractor }: { id: number | undefined; name: string; scenario: string | null; contractor: string | null },
): Promise<number> {
  if (id !== undefined) {
    await sql`
      update res_group set name = ${name}, scenario = ${scenario}, contractor = ${contractor}, updated_by = ${user.id}, updated_at = ${now},
        row_version = row_version + 1 where id = ${id}`;
    return id;
  }
  const [made] = await sql<{ id: number }[]>`
    insert into res_group (project_id, name, scenario, contractor, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${name}, ${scenario}, ${contractor}, ${user.id}, ${now}, ${user.id}, ${now}) returning id`;
  return made!.id;
}

/**
 * Deletes groups without members, all or none. [RES-26] [RES-27]
 * @throws GROUP_HAS_MEMBERS, NOT_LEADER, NOT_FOUND
 */
export async function deleteGroups(ctx: Ctx, { ids }: DeleteGroups): Promise<{ deleted: number }> {
  await holdProject(ctx);
  const found = await readGroups(ctx, ids);
  const missing = ids.filter((id) => !found.some((group) => group.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const foreign = found.filter((group) => !editsGroup(ctx, group));
  if (foreign.length > 0) throw new AppError("NOT_LEADER", { name: foreign.map(({ name }) => name).join(", ") });
  const full = found.filter(({ members }) => members.length > 0);
  if (full.length > 0)
    throw new AppError("GROUP_HAS_MEMBERS", { names: full.map(({ name, members }) => `${name} (${members.length})`).join(", ") });
  await ctx.sql`delete from res_group where id = any(${ids}::bigint[])`;
  for (const { id, name, scenario, contractor } of found)
    ctx.audit(`resource group ${id}`, { name, scenario, contractor }, null, "config_changed");
  return { deleted: found.length };
}

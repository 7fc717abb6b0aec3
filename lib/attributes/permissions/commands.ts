import "server-only";
import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { tellAttributes } from "../announcing/commands.ts";
import { listGrants, type PermissionRow, readPermissions } from "./queries.ts";
import type { PermissionIds, SaveGrants, SavePermission } from "./schema.ts";

/**
 * Stores what a role or an account may do with attributes.
 * @throws ROLE_EXISTS and ACCOUNT_EXISTS where there is a permission already, NOT_MEMBER, NOTHING_MODIFIED, STALE, NOT_FOUND
 */
export async function savePermission(ctx: Ctx, input: SavePermission): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const all = await readPermissions(ctx);
  const before = input.id === undefined ? null : (all.find(({ id }) => id === input.id) ?? null);
  if (input.id !== undefined && !before) throw new AppError("NOT_FOUND", { object: input.id });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  const { subjectType, role, userId, entries } = input;
  if (all.some((other) => other !== before && other.role === role && other.userId === userId)) {
    const code = subjectType === "ROLE" ? "ROLE_EXISTS" : "ACCOUNT_EXISTS";
    throw new AppError(code, {}, [{ path: subjectType === "ROLE" ? "role" : "userId", code }]);
  }
  if (userId !== null && userId !== before?.userId) await demandMembers(ctx, [userId], "userId");
  const ids = entries.flatMap(({ attributeId }) => (attributeId === "*" ? [] : [attributeId]));
  const known = await sql<{ id: number }[]>`
    select id from attribute where project_id = ${project.id} and deleted_at is null and id = any(${ids}::bigint[])`;
  const kept = new Set([...known.map(({ id }) => id), ...(before?.entries ?? []).map(({ attributeId }) => attributeId)]);
  const problems = entries.flatMap(({ attributeId }, at): Problem[] =>
    attributeId === "*" || kept.has(attributeId)
      ? []
      : [{ path: `entries.${at}.attributeId`, code: "NOT_FOUND", params: { object: attributeId } }],
  );
  if (problems[0]) throw new AppError("NOT_FOUND", problems[0].params, problems);
  refuseUnchanged(before && facts(before), facts({ role, userId, entries }));
  const [written] = before
    ? await sql<{ id: number }[]>`
        update attribute_permission set subject_type = ${subjectType}, role = ${role}, user_id = ${userId}, entries = ${sql.json(entries)},
          updated_by = ${user.id}, updated_at = ${now}, row_version = row_version + 1 where id = ${before.id} returning id`
    : await sql<{ id: number }[]>`
        insert into attribute_permission (project_id, subject_type, role, user_id, entries, updated_by, updated_at)
        values (${project.id}, ${subjectType}, ${role}, ${userId}, ${sql.json(entries)}, ${user.id}, ${now}) returning id`;
  await tellAttributes(ctx);
  ctx.audit(`attribute_permission ${written!.id}`, before && { role: before.role, userId: before.userId, entries: before.entries }, {
    role,
    userId,
    entries,
  });
  return { id: written!.id, rowVersion: (before?.rowVersion ?? 0) + 1 };
}

const facts = ({ role, userId, entries }: Pick<PermissionRow, "role" | "userId" | "entries">) => ({
  role,
  userId,
  modes: Object.fromEntries(entries.map(({ attributeId, mode }) => [attributeId, mode])),
});

async function demandMembers({ sql, project, today }: Ctx, userIds: readonly number[], path: string): Promise<void> {
  const members = await sql<{ id: number }[]>`
    select distinct user_id as id from project_member where project_id = ${project.id} and user_id = any(${[...userIds]}::bigint[])
      and valid_from <= ${today} and (valid_to is null or valid_to >= ${today})`;
  const stranger = userIds.find((id) => !members.some((member) => member.id === id));
  if (stranger !== undefined)
    throw new AppError("NOT_MEMBER", { account: stranger }, [{ path, code: "NOT_MEMBER", params: { account: stranger } }]);
}

/** Takes permissions away, all or none: of whom they were nothing is said any more. @throws NOT_FOUND */
export async function deletePermissions(ctx: Ctx, { ids }: PermissionIds): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const found = (await readPermissions(ctx)).filter(({ id }) => ids.includes(id));
  const missing = ids.filter((id) => !found.some((row) => row.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  await sql`delete from attribute_permission where project_id = ${project.id} and id = any(${ids}::bigint[])`;
  await tellAttributes(ctx);
  for (const { id, role, userId, entries } of found) ctx.audit(`attribute_permission ${id}`, { role, userId, entries }, null);
  return { deleted: found.length };
}

/**
 * Says who may add attributes; without grants everybody who may edit them.
 * @throws ROLE_EXISTS, ACCOUNT_EXISTS for one named twice, NOTHING_MODIFIED, NOT_MEMBER, STALE where others have changed the list since it was read
 */
export async function saveGrants(ctx: Ctx, { grants, base }: SaveGrants): Promise<{ saved: number }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const seen = new Set<string>();
  grants.forEach(({ subjectType, role, userId }, at) => {
    const key = `${role} ${userId}`;
    const code = subjectType === "ROLE" ? "ROLE_EXISTS" : "ACCOUNT_EXISTS";
    if (seen.has(key)) throw new AppError(code, {}, [{ path: `grants.${at}`, code }]);
    seen.add(key);
  });
  const { grants: before } = await listGrants(ctx);
  if (!isDeepStrictEqual(subjects(before), subjects(base))) throw new AppError("STALE");
  const fresh = grants.flatMap(({ userId }) => (userId === null || before.some((grant) => grant.userId === userId) ? [] : [userId]));
  await demandMembers(ctx, fresh, "grants");
  refuseUnchanged({ subjects: subjects(before) }, { subjects: subjects(grants) });
  await sql`delete from attribute_add_grant where project_id = ${project.id}`;
  await sql`
    insert into attribute_add_grant (project_id, subject_type, role, user_id)
    select ${project.id}, g."subjectType", g.role, g."userId" from jsonb_to_recordset(${sql.json(grants)}) as g("subjectType" text, role text, "userId" bigint)`;
  ctx.audit("attribute_add_grant", before, grants);
  return { saved: grants.length };
}

/** Whom grants name, whatever their order. */
const subjects = (grants: readonly { role: string | null; userId: number | null }[]) =>
  grants.map(({ role, userId }) => `${role} ${userId}`).sort();

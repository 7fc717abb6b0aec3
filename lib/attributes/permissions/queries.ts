import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { PermissionEntry } from "../modes/logic.ts";
import type { SubjectType } from "./limits.ts";

/** A permission as its screen shows it. */
export type PermissionRow = {
  id: number;
  subjectType: SubjectType;
  role: string | null;
  userId: number | null;
  name: string | null;
  account: string | null;
  entries: PermissionEntry[];
  rowVersion: number;
  updatedBy: string | null;
  updatedAt: Date;
};

/** The permissions of the project: roles, then accounts. */
export async function readPermissions({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<PermissionRow[]> {
  return [
    ...(await sql<PermissionRow[]>`
      select p.id, p.subject_type as "subjectType", p.role, p.user_id as "userId", u.name, u.account, p.entries, p.row_version as "rowVersion",
        (select name from app_user b where b.id = p.updated_by) as "updatedBy", p.updated_at as "updatedAt"
      from attribute_permission p left join app_user u on u.id = p.user_id
      where p.project_id = ${project.id} order by p.subject_type desc, p.role, u.name collate natural_order, p.id`),
  ];
}

/** An attribute as the matrix names it. */
export type MatrixAttribute = { id: number; name: string; classification: string | null; type: string };

/** Permissions with the attributes they can name, and the people of the project. */
export async function listPermissions(
  ctx: Ctx,
): Promise<{ permissions: PermissionRow[]; attributes: MatrixAttribute[]; people: { id: number; name: string; account: string }[] }> {
  const { sql, project, today } = ctx;
  const [permissions, attributes, people] = await Promise.all([
    readPermissions(ctx),
    sql<MatrixAttribute[]>`
      select id, name, classification, type from attribute where project_id = ${project.id} and deleted_at is null order by sort_no, id`,
    sql<{ id: number; name: string; account: string }[]>`
      select distinct u.id, u.name, u.account from project_member m join app_user u on u.id = m.user_id
      where m.project_id = ${project.id} and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today}) order by u.name, u.id`,
  ]);
  return { permissions, attributes: [...attributes], people: [...people] };
}

export type GrantRow = {
  subjectType: SubjectType;
  role: string | null;
  userId: number | null;
  name: string | null;
  account: string | null;
};

/** Who may add attributes; none: everybody who may edit them. */
export async function listGrants({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<{ grants: GrantRow[] }> {
  const grants = await sql<GrantRow[]>`
    select g.subject_type as "subjectType", g.role, g.user_id as "userId", u.name, u.account from attribute_add_grant g
    left join app_user u on u.id = g.user_id where g.project_id = ${project.id} order by g.subject_type desc, g.role, u.name`;
  return { grants: [...grants] };
}

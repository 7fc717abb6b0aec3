import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { type Grant, grantOf } from "../logic.ts";
import { matrixRules } from "./rules.ts";
import type { SavePermission } from "./schema.ts";

/**
 * Sets what a role may do for a code in this project. What equals the default is kept as no word of the project's own.
 * @throws ADMIN_APPROVES_NOTHING, VIEW_ROLE, MANAGER_KEEPS, STALE, NOTHING_MODIFIED
 */
export async function savePermission(ctx: Ctx, input: z.output<typeof SavePermission>): Promise<{ scope: Grant | null }> {
  const { sql, project } = ctx;
  const { role, code } = input;
  await holdProject(ctx);
  const [row] = await sql<{ scope: Grant }[]>`
    select scope from role_permission where project_id = ${project.id} and role = ${role} and code = ${code}`;
  const present = row?.scope ?? null;
  if (input.was !== undefined && input.was !== present) throw new AppError("STALE", {}, [], { scope: present });
  const byDefault = grantOf(role, code, new Map());
  const scope = input.scope === byDefault ? null : input.scope;
  checkRules(matrixRules, { role, code, scope: scope ?? byDefault });
  if (scope === present) throw new AppError("NOTHING_MODIFIED");
  if (scope === null) await sql`delete from role_permission where project_id = ${project.id} and role = ${role} and code = ${code}`;
  else
    await sql`
      insert into role_permission (project_id, role, code, scope) values (${project.id}, ${role}, ${code}, ${scope})
      on conflict (project_id, role, code) do update set scope = excluded.scope`;
  ctx.audit(`permission ${role} ${code}`, { scope: present }, { scope }, "config_changed");
  ctx.afterCommit(forgetRights);
  return { scope };
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { refreshPresence } from "../presence/commands.ts";
import { type ResourceSettings, readSettings } from "./queries.ts";
import type { SaveSettings } from "./schema.ts";

/**
 * Sets what holds for the pool. The switch of the key roles is the PD's alone. [RES-20] [RES-24]
 * @throws KEY_ROLE_SWITCH_PD, NO_PERMISSION, NOTHING_MODIFIED, STALE
 */
export async function saveSettings(ctx: Ctx, { rowVersion, ...given }: SaveSettings): Promise<ResourceSettings> {
  await holdProject(ctx);
  const { sql, project } = ctx;
  const before = await readSettings(ctx);
  if (before.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], before);
  const { keyRoleSwitch, ...others } = given;
  const switches = keyRoleSwitch !== undefined && keyRoleSwitch !== before.keyRoleSwitch;
  if (switches && !ctx.can("resource.keyRoleSwitch")) throw new AppError("KEY_ROLE_SWITCH_PD");
  if (Object.values(others).some((value) => value !== undefined) && !ctx.can("resource.edit", { userIds: [] }))
    throw new AppError("NO_PERMISSION", { right: "resource.edit" });
  const named = JSON.parse(JSON.stringify(given)) as Partial<ResourceSettings>;
  refuseUnchanged(before.rowVersion > 0 ? before : null, named);
  const after: ResourceSettings = { ...before, ...named, rowVersion: rowVersion + 1 };
  await sql`
    insert into res_setting (project_id, availability_inactive_days, presence_inactive_days, key_roles, key_role_switch)
    values (${project.id}, ${after.availabilityInactiveDays}, ${after.presenceInactiveDays}, ${after.keyRoles}, ${after.keyRoleSwitch})
    on conflict (project_id) do update set availability_inactive_days = excluded.availability_inactive_days,
      presence_inactive_days = excluded.presence_inactive_days, key_roles = excluded.key_roles, key_role_switch = excluded.key_role_switch,
      row_version = res_setting.row_version + 1`;
  ctx.audit("resource settings", before, after, "config_changed");
  await refreshPresence(ctx);
  return after;
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { availabilityDays, presenceDays, usualKeyRoles } from "./limits.ts";

/** What holds for the pool of a project. */
export type ResourceSettings = {
  availabilityInactiveDays: number;
  presenceInactiveDays: number;
  keyRoles: string[];
  keyRoleSwitch: boolean;
  rowVersion: number;
};

/** The settings of the pool, the usual ones while nobody has set any. */
export async function readSettings({ sql, project }: Pick<Ctx, "sql" | "project">): Promise<ResourceSettings> {
  const [row] = await sql<ResourceSettings[]>`
    select availability_inactive_days as "availabilityInactiveDays", presence_inactive_days as "presenceInactiveDays", key_roles as "keyRoles",
      key_role_switch as "keyRoleSwitch", row_version as "rowVersion" from res_setting where project_id = ${project.id}`;
  return (
    row ?? {
      availabilityInactiveDays: availabilityDays.usual,
      presenceInactiveDays: presenceDays.usual,
      keyRoles: [...usualKeyRoles],
      keyRoleSwitch: false,
      rowVersion: 0,
    }
  );
}

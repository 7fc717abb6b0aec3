import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { canEditPlan } from "./logic.ts";

/** What a person may do with the plan of one DU. */
export type Editor = {
  /** canEditPlan: plan dates and owners. */
  plan: boolean;
  /** rollout.actualEdit on the DU. */
  actual: boolean;
  /** rollout.attributeEdit on the DU. */
  attribute: boolean;
  /** du.edit on the DU. */
  du: boolean;
  /** A role related to every activity of the DU: PM, PCM, TD, TL, its site or region owner. */
  related: boolean;
};

type EditorRow = {
  id: number;
  mayEdit: boolean;
  actual: boolean;
  attribute: boolean;
  du: boolean;
  dataControl: boolean;
  hasDuOwners: boolean;
  isDuOwner: boolean;
  isSiteOwner: boolean;
  hasRegionOwners: boolean;
  isRegionOwner: boolean;
};

const relatedRoles = ["PM", "PCM", "TD", "TL"];

/**
 * The rights of a person that are the same on every DU of the project, as long as no data control leaves plans to the owners of a DU; null where they
 * depend on the DU.
 */
export function editorOfAll({ user, scope, can }: Pick<Ctx, "user" | "scope" | "can">): Editor | null {
  const held = (["rollout.edit", "rollout.actualEdit", "rollout.attributeEdit", "du.edit"] as const).map((code) => {
    if (scope.all(code)) return true;
    return can(code) ? null : false;
  });
  if (held.includes(null) || !isRelated(user)) return null;
  const [plan, actual, attribute, du] = held as [boolean, boolean, boolean, boolean];
  return { plan, actual, attribute, du, related: true };
}

const isRelated = ({ roles }: Ctx["user"]) => roles.some((role) => relatedRoles.includes(role));

/** Rights of the caller on each DU, in one statement; DUs outside the project are missing in the answer. */
export async function findEditors(ctx: Ctx, duIds: readonly number[]): Promise<Map<number, Editor>> {
  if (duIds.length === 0) return new Map();
  const { sql, user, project, scope } = ctx;
  const right = (code: Parameters<typeof scope.where>[0]) => (scope.all(code) ? sql`true` : sql`(${scope.where(code)})`);
  const rows = await sql<EditorRow[]>`
    select du.id, ${right("rollout.edit")} as "mayEdit", ${right("rollout.actualEdit")} as actual, ${right("rollout.attributeEdit")} as attribute,
      ${right("du.edit")} as du,
      (select exists (select 1 from project_switch where project_id = ${project.id} and key = 'dataControl' and value = 'Y' and effective_at <= ${ctx.now})) as "dataControl",
      o.owners > 0 as "hasDuOwners", o.own > 0 as "isDuOwner", o.site > 0 as "isSiteOwner", r.owners > 0 as "hasRegionOwners", r.own > 0 as "isRegionOwner"
    from du
    cross join lateral (
      select count(*) filter (where owner_kind = 'DU_OWNER') as owners, count(*) filter (where owner_kind = 'DU_OWNER' and user_id = ${user.id}) as own,
        count(*) filter (where owner_kind in ('DU_OWNER', 'SITE_OWNER') and user_id = ${user.id}) as site
      from du_owner where du_id = du.id) o
    cross join lateral (select count(*) as owners, count(*) filter (where user_id = ${user.id}) as own from region_owner where region_id = du.region_id) r
    where du.project_id = ${project.id} and du.id = any(${duIds as number[]}::bigint[])`;
  const general = user.roles.some((role) => role === "PM" || role === "PCM");
  const related = isRelated(user);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        plan: canEditPlan({ ...row, general }),
        actual: row.actual,
        attribute: row.attribute,
        du: row.du,
        related: related || row.isSiteOwner || row.isRegionOwner,
      },
    ]),
  );
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { onTrustChange } from "#lib/core/trust.ts";
import { type AttributeMode, keptModesMax, modeTrustSeconds } from "./limits.ts";
import { effectiveMode, type ModeFacts, type PermissionEntry } from "./logic.ts";

/** Whose modes are asked for. */
export type ModeCtx = Pick<Ctx, "sql" | "project" | "user" | "now">;
/** Modes of a person by attribute id, deleted attributes included; ids of other projects have none. */
export type Modes = ReadonlyMap<number, AttributeMode>;

const kept = new Map<string, { modes: Modes; until: number }>();

/** Forgets what was read of anybody's modes; belongs behind the commit of whatever changes them. */
export function forgetModes(): void {
  kept.clear();
}

onTrustChange(forgetModes);

/**
 * What the caller may do with each attribute of the project. The one place that decides it: every reply, export, filter and write asks here.
 * A changing call reads it anew, a read trusts it for half a minute.
 * @param known attributes that are known to be there: where one of them is not among what is trusted, it is read anew
 */
export async function readModes(ctx: ModeCtx, known: readonly number[] = []): Promise<Modes> {
  if (!("begin" in ctx.sql)) return loadModes(ctx);
  const key = `${ctx.project.id} ${ctx.user.id} ${ctx.user.roles.join()}`;
  const trusted = kept.get(key);
  if (trusted && trusted.until > ctx.now.getTime() && known.every((id) => trusted.modes.has(id))) return trusted.modes;
  const modes = await loadModes(ctx);
  if (kept.size >= keptModesMax) kept.clear();
  kept.set(key, { modes, until: ctx.now.getTime() + modeTrustSeconds * 1000 });
  return modes;
}

async function loadModes({ sql, project, user }: ModeCtx): Promise<Modes> {
  const [attributes, rows] = await Promise.all([
    sql<(ModeFacts & { id: number })[]>`
      select a.id, a.type, a.visible_customer as "visibleCustomer", a.visible_subcon as "visibleSubcon", a.editable_subcon as "editableSubcon",
        (select u.mode from attribute_user u where u.attribute_id = a.id and u.user_id = ${user.id}) as own,
        exists (select from attribute_user u where u.attribute_id = a.id and u.mode = 'RW') as "hasWriters",
        a.editable_person_control as "personControl",
        exists (select from attribute_editable_person e where e.attribute_id = a.id and e.user_id = ${user.id}) as listed
      from attribute a where a.project_id = ${project.id}`,
    sql<{ role: string | null; entries: PermissionEntry[] }[]>`
      select role, entries from attribute_permission
      where project_id = ${project.id} and (user_id = ${user.id} or role = any(${user.roles}::text[]))`,
  ]);
  const permissions = {
    account: rows.find(({ role }) => role === null)?.entries ?? null,
    roles: user.roles.map((role) => rows.find((row) => row.role === role)?.entries ?? null),
  };
  return new Map(attributes.map(({ id, ...facts }) => [id, effectiveMode(id, facts, user.kind, permissions)]));
}

/** Ids of attributes the caller must not learn of, deleted ones included. */
export async function readHidden(ctx: ModeCtx): Promise<Set<number>> {
  return new Set([...(await readModes(ctx))].flatMap(([id, mode]) => (mode === "HIDDEN" ? [id] : [])));
}

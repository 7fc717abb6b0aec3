import "server-only";
import { dropRefs } from "#lib/attributes/config-refs/commands.ts";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { findHidden, keepHidden, keepWidths, lockedFault } from "./logic.ts";
import {
  holdsForAll,
  mayChange,
  maySaveWidths,
  type Place,
  readBody,
  readScope,
  readTemplates,
  rightOf,
  type Template,
} from "./queries.ts";
import { scopeRules } from "./rules.ts";
import type { DeleteTemplates, SaveDefault, SavePosition, SaveTemplate } from "./schema.ts";

/** Adds what templates, of whatever project, name to the index of references; belongs into the transaction that saves them. */
export async function indexTemplates({ sql }: Pick<Ctx, "sql">, ids: readonly number[]): Promise<void> {
  await sql`
    insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
    select t.project_id, 'TEMPLATE', t.id, r.target_kind, r.target_id, r.usage
    from template t, template_refs(t.kind, t.body) r where t.id = any(${[...ids]}::bigint[])`;
}

/**
 * Stores a new template or changes one.
 * @throws NO_PUBLIC_RIGHT where a public one is touched without that right, TEMPLATE_NAME_EXISTS, TEMPLATE_LIMIT, LOCKED_COLUMNS, NOTHING_MODIFIED, STALE
 */
export async function saveTemplate(ctx: Ctx, input: SaveTemplate): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  // A plan template is the project's.
  const isPublic = input.isPublic || input.kind === "plan";
  await holdProject(ctx);
  const before = input.id === undefined ? null : await readOwn(ctx, input.id, input.kind);
  if (input.kind !== "plan" && (isPublic || before?.isPublic) && !ctx.can("template.publicSet")) throw new AppError("NO_PUBLIC_RIGHT");
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  const place: Place = {
    kind: input.kind,
    isPublic,
    ownerId: before?.ownerId ?? user.id,
    name: input.name,
    objectType: input.objectType,
    gridKey: input.gridKey ?? null,
  };
  checkRules(scopeRules, await readScope(ctx, place, before?.id ?? null), "name");
  const { body, read, locked } = await bodyToStore(ctx, input, before);
  const lockedColumns = input.kind === "grid" ? locked : (input.lockedColumns ?? 0);
  const values = {
    kind: input.kind,
    objectType: input.objectType,
    gridKey: place.gridKey,
    name: input.name,
    remark: input.remark || null,
    isPublic,
    lockedColumns,
    networkType: input.networkType || null,
    organisation: input.organisation || null,
    body,
  };
  const json = sql.json(body as never);
  if (before) {
    refuseUnchanged({ ...facts(before), body: read }, values);
    await sql`
      update template set object_type = ${values.objectType}, grid_key = ${values.gridKey}, name = ${values.name}, remark = ${values.remark}, is_public = ${isPublic},
        locked_columns = ${lockedColumns}, network_type = ${values.networkType}, organisation = ${values.organisation}, body = ${json},
        is_project_default = is_project_default and ${isPublic}, updated_at = ${now}, row_version = row_version + 1
      where id = ${before.id}`;
    await dropRefs(ctx, "TEMPLATE", [before.id]);
    await indexTemplates(ctx, [before.id]);
    await sql`delete from column_position where template_id = ${before.id}`;
    // Nobody starts with a template he no longer sees.
    if (!isPublic) await sql`delete from template_default where template_id = ${before.id} and user_id <> ${before.ownerId}`;
    ctx.audit(`template ${before.id}`, facts(before), values);
    return { id: before.id, rowVersion: before.rowVersion + 1 };
  }
  const [made] = await sql<{ id: number }[]>`
    insert into template (project_id, kind, object_type, grid_key, name, remark, is_public, owner_id, locked_columns, network_type, organisation, body, updated_at)
    values (${project.id}, ${values.kind}, ${values.objectType}, ${values.gridKey}, ${values.name}, ${values.remark}, ${isPublic}, ${user.id}, ${lockedColumns},
      ${values.networkType}, ${values.organisation}, ${json}, ${now}) returning id`;
  await indexTemplates(ctx, [made!.id]);
  ctx.audit(`template ${made!.id}`, null, values);
  return { id: made!.id, rowVersion: 1 };
}

/**
 * A body as it is stored, the one before as it would be stored again, and how many columns it locks: what the caller does not see of the one before stays,
 * and so do widths he does not keep for all.
 * @throws INVALID_INPUT where it names an attribute that is hidden from the caller, LOCKED_COLUMNS
 */
async function bodyToStore(
  ctx: Ctx,
  { kind, body }: SaveTemplate,
  before: Template | null,
): Promise<{ body: unknown; read: unknown; locked: number }> {
  const hidden = await readHidden(ctx);
  const unknown = findHidden(body, hidden);
  if (unknown !== null)
    throw new AppError("INVALID_INPUT", { field: "body" }, [
      { path: "body", code: "VALUE_UNKNOWN", params: { field: "body", value: `a${unknown}` } },
    ]);
  const keepsWidths = before === null || kind !== "grid" || maySaveWidths(ctx, before);
  const shown = before && (await readBody(ctx, before, hidden));
  const next = keepsWidths ? body : keepWidths(body, shown);
  const stored = before ? keepHidden(next, before.body, hidden) : next;
  const locked = ((stored as { columns?: { locked?: boolean }[] }).columns ?? []).filter((column) => column.locked).length;
  // Those its author does not see count too.
  const fault = lockedFault(locked);
  if (fault) throw new AppError(fault.code, fault.params, [{ path: "body.columns", ...fault }]);
  return { body: stored, read: before && keepHidden(shown, before.body, hidden), locked };
}

async function readOwn(ctx: Ctx, id: number, kind: Template["kind"]): Promise<Template> {
  const [found] = await readTemplates(ctx, [id], { lock: true });
  if (!found || found.kind !== kind) throw new AppError("NOT_FOUND", { object: id });
  // Somebody's own template is told apart from a public one only by who sees both.
  if (!found.isPublic && found.ownerId !== ctx.user.id && !holdsForAll(ctx, rightOf(kind)))
    throw new AppError("NO_PERMISSION", { right: rightOf(kind) });
  return found;
}

/** What the log of templates keeps of one. */
function facts({ kind, objectType, gridKey, name, remark, isPublic, lockedColumns, networkType, organisation, body }: Template) {
  return { kind, objectType, gridKey, name, remark, isPublic, lockedColumns, networkType, organisation, body };
}

/**
 * Deletes templates, all or none. Who had one as default starts with the project's or the product's layout again.
 * @throws IN_USE when one is somebody else's default and that was not confirmed
 */
export async function deleteTemplates(ctx: Ctx, { ids, confirmed }: DeleteTemplates): Promise<{ deleted: number; defaults: number }> {
  const { sql, user } = ctx;
  const found = await readTemplates(ctx, ids, { lock: true });
  if (found.length !== ids.length) throw new AppError("NOT_FOUND", { object: missing(ids, found).join(", ") });
  const refused = found.find((template) => !mayChange(ctx, template));
  if (refused)
    throw new AppError(refused.isPublic && refused.kind !== "plan" ? "NO_PUBLIC_RIGHT" : "NO_PERMISSION", { right: rightOf(refused.kind) });
  const defaults = await sql<{ name: string; users: number }[]>`
    select t.name, count(*)::int as users from template_default d join template t on t.id = d.template_id
    where d.template_id = any(${ids}::bigint[]) and d.user_id <> ${user.id} group by t.id order by lower(t.name)`;
  if (defaults.length > 0 && !confirmed)
    throw new AppError("IN_USE", { by: defaults.map(({ name, users }) => `${name} (${users})`).join(", ") });
  await dropRefs(ctx, "TEMPLATE", ids);
  await sql`delete from template where id = any(${ids}::bigint[])`;
  for (const template of found) ctx.audit(`template ${template.id}`, facts(template), null);
  return { deleted: found.length, defaults: defaults.reduce((sum, { users }) => sum + users, 0) };
}

const missing = (ids: readonly number[], found: readonly { id: number }[]) =>
  ids.filter((id) => !found.some((template) => template.id === id));

/**
 * Chooses the template a grid starts with: for oneself, or for everybody who chose none; null takes the choice back.
 * @throws NOT_FOUND when the template is none of this grid that the caller, or everybody, sees
 */
export async function saveDefault(ctx: Ctx, { gridKey, kind, templateId, forProject }: SaveDefault): Promise<Record<string, never>> {
  const { sql, user, project } = ctx;
  if (forProject && !ctx.can("template.publicSet")) throw new AppError("NO_PUBLIC_RIGHT");
  // One after the other: two defaults never stand beside each other.
  if (forProject) await holdProject(ctx);
  if (templateId !== null) {
    const [found] = await sql<{ id: number }[]>`
      select id from template where id = ${templateId} and project_id = ${project.id} and kind = ${kind} and grid_key = ${gridKey}
        and (is_public ${forProject ? sql`` : sql`or owner_id = ${user.id}`}) for share`;
    if (!found) throw new AppError("NOT_FOUND", { object: templateId });
  }
  if (forProject) {
    await sql`update template set is_project_default = false where project_id = ${project.id} and kind = ${kind} and grid_key = ${gridKey} and is_project_default`;
    await sql`update template set is_project_default = true where id = ${templateId}`;
  } else if (templateId === null) {
    await sql`delete from template_default where user_id = ${user.id} and project_id = ${project.id} and grid_key = ${gridKey} and kind = ${kind}`;
  } else {
    await sql`
      insert into template_default (user_id, project_id, grid_key, kind, template_id) values (${user.id}, ${project.id}, ${gridKey}, ${kind}, ${templateId})
      on conflict (user_id, project_id, grid_key, kind) do update set template_id = excluded.template_id`;
  }
  ctx.audit(`template default ${gridKey} ${kind}`, null, { templateId, forProject });
  return {};
}

/**
 * Keeps places and widths of columns: of one's own grid, or of a grid template for all who use it.
 * @throws NO_PERMISSION where they are not the caller's to keep [TPL-16]
 */
export async function savePosition(ctx: Ctx, { gridKey, templateId, columns }: SavePosition): Promise<Record<string, never>> {
  const { sql, user, project } = ctx;
  const kept = sql.json(columns as never);
  if (templateId === undefined) {
    await sql`
      insert into column_position (project_id, user_id, grid_key, columns) values (${project.id}, ${user.id}, ${gridKey}, ${kept})
      on conflict (project_id, user_id, grid_key) where user_id is not null do update set columns = excluded.columns`;
    ctx.audit(`column position ${gridKey}`, null, { columns: columns.length });
    return {};
  }
  const [template] = await readTemplates(ctx, [templateId], { lock: true });
  if (template?.kind !== "grid" || template.gridKey !== gridKey) throw new AppError("NOT_FOUND", { object: templateId });
  if (!maySaveWidths(ctx, template)) throw new AppError("NO_PERMISSION", { right: "template.columnWidth" });
  await sql`
    insert into column_position (project_id, template_id, grid_key, columns) values (${project.id}, ${templateId}, ${gridKey}, ${kept})
    on conflict (template_id, grid_key) where template_id is not null do update set columns = excluded.columns`;
  ctx.audit(`template ${templateId}`, null, { columns });
  return {};
}

import "server-only";
import type { PendingQuery, Row } from "postgres";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { brokenRules } from "#lib/core/rule.ts";
import type { ErrorCode } from "#lib/errors.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { type ObjectType, planGrid, type TemplateKind, templateLimits } from "./limits.ts";
import { nameFault, withoutHidden } from "./logic.ts";
import { type ScopeFacts, scopeRules } from "./rules.ts";
import type { CheckName, Column, TemplateNames, ValidateName } from "./schema.ts";

type Condition = PendingQuery<Row[]>;

/** A template without its body. */
export type TemplateHead = {
  id: number;
  kind: TemplateKind;
  objectType: ObjectType;
  gridKey: string | null;
  name: string;
  remark: string | null;
  isPublic: boolean;
  ownerId: number;
  lockedColumns: number;
  networkType: string | null;
  organisation: string | null;
  sharedBy: number | null;
  isProjectDefault: boolean;
  updatedAt: string;
  rowVersion: number;
};
export type Template = TemplateHead & { body: unknown };

const headSql = `t.id, t.kind, t.object_type as "objectType", t.grid_key as "gridKey", t.name, t.remark, t.is_public as "isPublic", t.owner_id as "ownerId",
  t.locked_columns as "lockedColumns", t.network_type as "networkType", t.organisation, t.shared_by as "sharedBy",
  t.is_project_default as "isProjectDefault", t.updated_at as "updatedAt", t.row_version as "rowVersion"`;

/** The right that keeps templates of a kind. */
export function rightOf(kind: TemplateKind): PermissionCode {
  return kind === "plan" ? "template.project" : kind === "reverse" ? "reverseTemplate.edit" : "template.edit";
}

/** Whether the caller holds a right on the templates of everybody, not on own ones alone. */
export const holdsForAll = (ctx: Ctx, code: PermissionCode): boolean => ctx.can(code, {});

/** Templates (alias t) the caller sees: public ones, own ones, and all where he may hand over those of others. */
export function seen(ctx: Ctx): Condition {
  const { sql, project, user } = ctx;
  const others = holdsForAll(ctx, "template.transfer") ? sql`or true` : sql``;
  return sql`t.project_id = ${project.id} and (t.is_public or t.owner_id = ${user.id} ${others})`;
}

/** The templates with these ids that the caller sees, locked for a change where asked, in id order. */
export async function readTemplates(ctx: Ctx, ids: readonly number[], options: { lock?: boolean } = {}): Promise<Template[]> {
  const { sql } = ctx;
  return [
    ...(await sql<Template[]>`
      select ${sql.unsafe(headSql)}, t.body from template t where ${seen(ctx)} and t.id = any(${[...ids]}::bigint[]) order by t.id
      ${options.lock ? sql`for update` : sql``}`),
  ];
}

/** The body of a template without what is hidden from a person; the widths kept for all who use it stand in its columns. */
export async function readBody({ sql }: Ctx, { id, kind, body }: Template, hidden: ReadonlySet<number>): Promise<unknown> {
  const [kept] = await sql<{ columns: Column[] }[]>`select columns from column_position where template_id = ${id}`;
  return withoutHidden(kept && kind === "grid" ? { ...(body as object), columns: kept.columns } : body, hidden);
}

/**
 * A template with its body, as far as the caller may see it.
 * @throws NOT_FOUND when there is none the caller sees
 */
export async function getTemplate(ctx: Ctx, { id }: { id: number }): Promise<Template & { mayChange: boolean; maySaveWidths: boolean }> {
  const [found] = await readTemplates(ctx, [id]);
  if (!found) throw new AppError("NOT_FOUND", { object: id });
  return {
    ...found,
    body: await readBody(ctx, found, await readHidden(ctx)),
    mayChange: mayChange(ctx, found),
    maySaveWidths: maySaveWidths(ctx, found),
  };
}

/** Whether the caller may change or delete a template: a public one with that right, a personal one as its owner or with the right on all. */
export function mayChange(ctx: Ctx, { kind, isPublic, ownerId }: Pick<Template, "kind" | "isPublic" | "ownerId">): boolean {
  const right = rightOf(kind);
  if (!ctx.can(right)) return false;
  if (kind === "plan") return true;
  if (isPublic) return ctx.can("template.publicSet");
  return ownerId === ctx.user.id || holdsForAll(ctx, right);
}

/** Whether the caller keeps the widths of a template for all who use it: of a shared one only who shared it, of a common one PM and PCM. [TPL-16] */
export function maySaveWidths(ctx: Ctx, { isPublic, ownerId, sharedBy }: Pick<Template, "isPublic" | "ownerId" | "sharedBy">): boolean {
  if (sharedBy !== null) return sharedBy === ctx.user.id;
  return isPublic ? ctx.can("template.columnWidth") : ownerId === ctx.user.id;
}

export type NamedTemplate = TemplateHead & { ownerName: string; isDefault: boolean; mayChange: boolean; maySaveWidths: boolean };

/** Names of the templates of a kind, own and public ones, with the caller's default marked and how many a scope may have. */
export async function listTemplateNames(
  ctx: Ctx,
  { kind, objectType, gridKey }: TemplateNames,
): Promise<{ personal: NamedTemplate[]; public: NamedTemplate[]; max: number | null }> {
  const { sql, user, project } = ctx;
  const rows = await sql<(TemplateHead & { ownerName: string; isDefault: boolean })[]>`
    select ${sql.unsafe(headSql)}, u.name as "ownerName", d.template_id is not null as "isDefault"
    from template t join app_user u on u.id = t.owner_id
    left join template_default d on d.template_id = t.id and d.user_id = ${user.id}
    where t.project_id = ${project.id} and t.kind = ${kind} and (t.is_public or t.owner_id = ${user.id})
      ${objectType ? sql`and t.object_type = ${objectType}` : sql``} ${gridKey ? sql`and t.grid_key = ${gridKey}` : sql``}
    order by lower(t.name), t.id`;
  const named = rows.map((row) => ({ ...row, mayChange: mayChange(ctx, row), maySaveWidths: maySaveWidths(ctx, row) }));
  return {
    personal: named.filter((row) => !row.isPublic),
    public: named.filter((row) => row.isPublic),
    max: templateLimits[kind].countMax,
  };
}

/** The scope a template comes into: whose it is, and among which templates it counts. */
export type Place = {
  kind: TemplateKind;
  isPublic: boolean;
  ownerId: number;
  name: string;
  objectType: string | null;
  gridKey: string | null;
};

/** What a template meets in its scope. @param id the template itself, which does not stand in its own way */
export async function readScope({ sql, project }: Ctx, place: Place, id: number | null): Promise<ScopeFacts> {
  const { kind, isPublic, ownerId, name, objectType, gridKey } = place;
  const { per } = templateLimits[kind];
  const counted =
    per === "objectType"
      ? sql`t.object_type is not distinct from ${objectType}`
      : per === "gridKey"
        ? sql`t.grid_key is not distinct from ${gridKey}`
        : sql`true`;
  const [facts] = await sql<{ taken: boolean; others: number }[]>`
    select coalesce(bool_or(lower(t.name) = lower(${name})), false) as taken, (count(*) filter (where ${counted}))::int as others
    from template t where t.project_id = ${project.id} and t.kind = ${kind} and t.is_public = ${isPublic}
      ${isPublic ? sql`` : sql`and t.owner_id = ${ownerId}`} ${id === null ? sql`` : sql`and t.id <> ${id}`}`;
  return { kind, ...facts! };
}

/** Whether a name can be used for a template of one's own or of the project. */
export async function validateTemplateName(
  ctx: Ctx,
  { kind, name, id, isPublic }: ValidateName,
): Promise<{ valid: boolean; reason?: ErrorCode }> {
  const fault = nameFault(kind, name);
  if (fault) return { valid: false, reason: fault.code };
  const place = { kind, isPublic: isPublic || kind === "plan", ownerId: ctx.user.id, name: name.trim(), objectType: null, gridKey: null };
  const { taken } = await readScope(ctx, place, id ?? null);
  const [broken] = brokenRules(scopeRules, { kind, taken, others: 0 });
  return broken ? { valid: false, reason: broken.code } : { valid: true };
}

/** Whether one's own templates of a kind have the name already, and whether it could be given. */
export async function checkTemplateName(ctx: Ctx, { kind, name, id }: CheckName): Promise<{ exists: boolean; valid: boolean }> {
  const place = { kind, isPublic: kind === "plan", ownerId: ctx.user.id, name: name.trim(), objectType: null, gridKey: null };
  const { taken } = await readScope(ctx, place, id ?? null);
  return { exists: taken, valid: !taken && nameFault(kind, name) === null };
}

export type TemplateDefault = { gridKey: string; kind: TemplateKind; templateId: number; name: string };

/** Which templates the caller starts his grids with. */
export async function listDefaults(
  { sql, user, project }: Ctx,
  { gridKey }: { gridKey?: string | undefined },
): Promise<{ records: TemplateDefault[] }> {
  const records = await sql<TemplateDefault[]>`
    select d.grid_key as "gridKey", d.kind, d.template_id as "templateId", t.name from template_default d join template t on t.id = d.template_id
    where d.user_id = ${user.id} and d.project_id = ${project.id} and (t.is_public or t.owner_id = ${user.id})
      ${gridKey ? sql`and d.grid_key = ${gridKey}` : sql``} order by d.grid_key, d.kind`;
  return { records: [...records] };
}

/** A layout with the name of its template, null for places and widths a person kept without one. */
export type Layout = { name: string | null; body: unknown };

/**
 * The layout the plan opens with: the one the address names, else the person's default, else the places and widths he kept after his view,
 * else, for who has no view of his own yet, the project's; null for his own view or the product's layout. One the person does not see is passed over.
 */
export async function findLayout(ctx: Ctx, asked: string | undefined): Promise<Layout | null> {
  const { sql, user, project } = ctx;
  const id = /^[0-9]{1,15}$/.test(asked ?? "") ? Number(asked) : 0;
  const own = await findOwnLayout(ctx);
  const [row] = await sql<{ id: number }[]>`
    select t.id from template t
    left join template_default d on d.template_id = t.id and d.user_id = ${user.id} and d.grid_key = ${planGrid} and d.kind = 'grid'
    where t.project_id = ${project.id} and t.kind = 'grid' and t.grid_key = ${planGrid} and (t.is_public or t.owner_id = ${user.id})
      and (t.id = ${id} or d.template_id is not null or (t.is_project_default and ${own === null} and not exists (
        select 1 from home_page_state h where h.project_id = ${project.id} and h.user_id = ${user.id})))
    order by t.id = ${id} desc, d.template_id is null limit 1`;
  return row ? await getTemplate(ctx, row) : own;
}

/** The places and widths the person kept of the plan by themselves, over the groups folded in his view. [TPL-27] */
async function findOwnLayout({ sql, user, project }: Ctx): Promise<Layout | null> {
  const [body] = await sql<{ columns: Column[]; folded: unknown }[]>`
    select p.columns, h.state -> 'folded' as folded
    from column_position p left join home_page_state h on h.project_id = p.project_id and h.user_id = p.user_id
    where p.project_id = ${project.id} and p.user_id = ${user.id} and p.grid_key = ${planGrid}`;
  return body ? { name: null, body } : null;
}

export type ListedTemplate = TemplateHead & { owner: string; usage: number; mayChange: boolean; mayTransfer: boolean };

const orders: Record<string, string> = {
  name: "t.name collate natural_order",
  kind: "t.kind",
  updatedAt: "t.updated_at",
  owner: "u.name",
  usage: `"usage"`,
};

/** A page of the templates the caller sees; `usage` is for how many people one is the default. */
export async function listTemplates(ctx: Ctx, input: ListInput): Promise<Page<ListedTemplate>> {
  const { sql } = ctx;
  const where = input.filters.reduce<Condition>((left, filter) => sql`${left} and ${condition(ctx, filter)}`, seen(ctx));
  const order = (input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir}`).concat("t.name collate natural_order", "t.id");
  const rows = await sql<(TemplateHead & { owner: string; usage: number; total: number })[]>`
    select ${sql.unsafe(headSql)}, u.name as owner, (select count(*)::int from template_default d where d.template_id = t.id) as usage, count(*) over ()::int as total
    from template t join app_user u on u.id = t.owner_id where ${where}
    order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const total = rows[0]?.total ?? (input.page > 1 ? await countTemplates(ctx, where) : 0);
  const records = rows.map(({ total: _total, ...row }) => ({ ...row, mayChange: mayChange(ctx, row), mayTransfer: mayTransfer(ctx, row) }));
  return { records, total, page: input.page, size: input.size };
}

/** Whether the caller may hand a template over: his own, or any with the right on all. */
export function mayTransfer(ctx: Ctx, { ownerId }: Pick<Template, "ownerId">): boolean {
  return holdsForAll(ctx, "template.transfer") || (ctx.can("template.transfer") && ownerId === ctx.user.id);
}

async function countTemplates({ sql }: Ctx, where: Condition): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*)::int as total from template t join app_user u on u.id = t.owner_id where ${where}`;
  return row!.total;
}

function condition({ sql }: Ctx, { field, values }: Filter): Condition {
  if (field === "kind") return sql`t.kind = any(${values.map(String)}::text[])`;
  if (field === "objectType") return sql`t.object_type = any(${values.map(String)}::text[])`;
  if (field === "isPublic") return sql`t.is_public = ${values[0] === true}`;
  const column = field === "owner" ? sql`u.name` : sql`t.name`;
  return sql`position(lower(${String(values[0] ?? "")}) in lower(${column})) > 0`;
}

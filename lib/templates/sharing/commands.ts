import "server-only";
import { holds } from "#lib/access/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules } from "#lib/core/rule.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { indexTemplates } from "../commands.ts";
import { templateLimits } from "../limits.ts";
import { holdsForAll, mayTransfer, readTemplates, rightOf, type Template } from "../queries.ts";
import { scopeRules } from "../rules.ts";
import { freeName, mapBody, type RefThing, refsOf, refThings } from "./logic.ts";
import { listChoiceAttributes, listScopes, listTargets, partnerKey, readPartners, type ScopeRow, type TargetProject } from "./queries.ts";
import type { ShareTemplates, TransferCreator } from "./schema.ts";

/**
 * Hands templates to another member, all or none. A personal one leaves the lists of who had it.
 * @throws NOT_MEMBER, TEMPLATE_NAME_EXISTS or TEMPLATE_LIMIT when the receiver has no place for one
 */
export async function transferCreator(ctx: Ctx, { ids, toAccount }: TransferCreator): Promise<{ transferred: number }> {
  const { sql, project, today, now } = ctx;
  await holdProject(ctx);
  const [receiver] = await sql<{ id: number; account: string }[]>`
    select u.id, u.account from app_user u where lower(u.account) = lower(${toAccount}) and u.active and exists (
      select 1 from project_member m where m.project_id = ${project.id} and m.user_id = u.id and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today}))`;
  if (!receiver)
    throw new AppError("NOT_MEMBER", { account: toAccount }, [{ path: "toAccount", code: "NOT_MEMBER", params: { account: toAccount } }]);
  const found = await readTemplates(ctx, ids, { lock: true });
  if (found.length !== ids.length)
    throw new AppError("NOT_FOUND", { object: ids.filter((id) => !found.some((one) => one.id === id)).join(", ") });
  if (found.some((template) => !mayTransfer(ctx, template))) throw new AppError("NO_PERMISSION", { right: "template.transfer" });
  const scopes = await listScopes(ctx, [project.id], receiver.id, ids);
  for (const template of found.filter(({ isPublic }) => !isPublic)) {
    const row = scopeRow(project.id, template, template.name);
    const [broken] = brokenIn(scopes, row);
    if (broken) throw new AppError(broken.code, broken.params, [{ ...broken, path: `ids.${ids.indexOf(template.id)}` }]);
    scopes.push(row);
  }
  await sql`update template set owner_id = ${receiver.id}, updated_at = ${now}, row_version = row_version + 1 where id = any(${ids}::bigint[])`;
  await sql`
    delete from template_default d using template t where t.id = d.template_id and t.id = any(${ids}::bigint[]) and not t.is_public and d.user_id <> ${receiver.id}`;
  for (const { id, ownerId } of found) ctx.audit(`template ${id}`, { ownerId }, { ownerId: receiver.id });
  return { transferred: found.length };
}

const scopeRow = (projectId: number, { kind, objectType, gridKey, isPublic }: Template, name: string): ScopeRow => ({
  projectId,
  kind,
  objectType,
  gridKey,
  name: name.toLowerCase(),
  isPublic,
});

/** What stands in the way of a template among those of its scope. */
function brokenIn(scopes: readonly ScopeRow[], row: ScopeRow) {
  const { per } = templateLimits[row.kind];
  const scope = scopes.filter((other) => other.projectId === row.projectId && other.kind === row.kind && other.isPublic === row.isPublic);
  const others = per === null ? scope : scope.filter((other) => other[per] === row[per]);
  return brokenRules(scopeRules, { kind: row.kind, taken: scope.some(({ name }) => name === row.name), others: others.length });
}

export type Shared = {
  done: { project: string; templateId: number; id: number; name: string; unmapped: string[] }[];
  refused: { project: string; templateId: number | null; reason: ErrorCode }[];
};

/**
 * Copies templates into other projects as the caller's own ones there. What they name is looked up there by code or name; what has no partner is told.
 * A project the caller cannot enter or keep such a template in is refused alone.
 */
export async function shareTemplates(ctx: Ctx, { templateIds, projectNumbers, rename }: ShareTemplates): Promise<Shared> {
  const { sql, user, project, now } = ctx;
  const templates = await readTemplates(ctx, templateIds);
  if (templates.length !== templateIds.length)
    throw new AppError("NOT_FOUND", { object: templateIds.filter((id) => !templates.some((one) => one.id === id)).join(", ") });
  if (templates.some(({ ownerId }) => ownerId !== user.id && !holdsForAll(ctx, "template.share")))
    throw new AppError("NO_PERMISSION", { right: "template.share" });
  const known = new Map((await listTargets(ctx, projectNumbers)).map((target) => [target.number, target]));
  const refused: Shared["refused"] = [];
  const open = projectNumbers.flatMap((number) => {
    const target = known.get(number);
    const reason = refusalOf(target, project.id);
    if (reason) refused.push({ project: number, templateId: null, reason });
    return target && !reason ? [target] : [];
  });
  const targets = open.map(({ id }) => id).sort((a, b) => a - b);
  await sql`select 1 from project where id = any(${targets}::bigint[]) order by id for no key update`;
  const refs = templates.map(({ body }) => refsOf(body));
  const all = Object.fromEntries(refThings.map((thing) => [thing, refs.flatMap((one) => one[thing])])) as Record<RefThing, number[]>;
  const [partners, choices, scopes] = await Promise.all([
    readPartners(ctx, all, targets),
    listChoiceAttributes(ctx, all.attribute),
    listScopes(ctx, targets, user.id),
  ]);
  const copies = open.flatMap((target) =>
    templates.flatMap((template) => {
      const refuse = (reason: ErrorCode) => {
        refused.push({ project: target.number, templateId: template.id, reason });
        return [];
      };
      if (!holds(target.membership, rightOf(template.kind))) return refuse("NO_PERMISSION");
      const { body, unmapped } = mapBody(
        template.body,
        (thing, id) => partners.get(partnerKey(target.id, thing, id)) ?? { id: null, label: String(id) },
        (attributeId) => choices.has(attributeId),
      );
      if (template.kind === "plan" && (body as { flowId: number }).flowId === 0) return refuse("FLOW_NOT_RELEASED");
      // The copy is the sharer's own; a plan template is always the project's.
      const own = { ...template, isPublic: template.kind === "plan" };
      const isTaken = (name: string) =>
        brokenIn(scopes, scopeRow(target.id, own, name)).some(({ code }) => code === "TEMPLATE_NAME_EXISTS");
      const name = rename ? freeName(template.kind, template.name, isTaken) : template.name;
      const row = scopeRow(target.id, own, name);
      const [broken] = brokenIn(scopes, row);
      if (broken) return refuse(broken.code);
      scopes.push(row);
      return [{ target, template, own, name, body, unmapped }];
    }),
  );
  const rows = copies.map(({ target, template, own, name, body }) => ({
    projectId: target.id,
    sourceId: template.id,
    isPublic: own.isPublic,
    name,
    body,
  }));
  const made = await sql<{ id: number; projectId: number; sourceId: number }[]>`
    insert into template (project_id, kind, object_type, grid_key, name, remark, is_public, owner_id, locked_columns, network_type, organisation, body,
      shared_from_id, shared_by, updated_at)
    select r."projectId", t.kind, t.object_type, t.grid_key, r.name, t.remark, r."isPublic", ${user.id}, t.locked_columns, t.network_type, t.organisation, r.body,
      t.id, ${user.id}, ${now}
    from jsonb_to_recordset(${sql.json(rows as never)}) as r("projectId" bigint, "sourceId" bigint, "isPublic" boolean, name text, body jsonb)
    join template t on t.id = r."sourceId"
    returning id, project_id as "projectId", shared_from_id as "sourceId"`;
  await indexTemplates(
    ctx,
    made.map(({ id }) => id),
  );
  const ids = new Map(made.map((row) => [`${row.projectId} ${row.sourceId}`, row.id]));
  const done = copies.map(({ target, template, name, unmapped }) => ({
    project: target.number,
    templateId: template.id,
    id: ids.get(`${target.id} ${template.id}`) as number,
    name,
    unmapped,
  }));
  for (const template of templates) {
    const to = done.filter(({ templateId }) => templateId === template.id).map(({ project: number, id }) => ({ project: number, id }));
    ctx.audit(`template ${template.id}`, null, { shared: to, refused: refused.map((one) => one.project) });
  }
  return { done, refused };
}

function refusalOf(target: TargetProject | undefined, here: number): ErrorCode | null {
  if (!target) return "NOT_MEMBER";
  if (target.id === here) return "TEMPLATE_NAME_EXISTS";
  if (target.crossing) return "CROSS_BORDER_CONFIRM";
  return target.status === "closed" ? "PROJECT_CLOSED" : null;
}

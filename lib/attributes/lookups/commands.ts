import "server-only";
import { takeIds } from "#db/ids.ts";
import { queueRechecks } from "#lib/attributes/config-refs/commands.ts";
import { holderNames } from "#lib/attributes/config-refs/logic.ts";
import { listHolders } from "#lib/attributes/config-refs/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { tellAttributes } from "../announcing/commands.ts";
import { countChoices } from "../choices/queries.ts";
import { type ListValue, readLines } from "./logic.ts";
import { type LookupList, readLists } from "./queries.ts";
import type { ImportList, ListIds, SaveList } from "./schema.ts";

/**
 * Stores a new list or brings one into the given form; values left out go.
 * @throws NAME_EXISTS, ENUM_REFERENCED for a value that is stored, a default or named by configuration, NOTHING_MODIFIED, STALE, NOT_FOUND
 */
export async function saveList(ctx: Ctx, input: SaveList): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const before = input.id === undefined ? null : await lockList(ctx, input.id, input.rowVersion as number);
  const [taken] = await sql`
    select 1 from lookup_list where project_id = ${project.id} and lower(code) = lower(${input.code}) and id is distinct from ${before?.id ?? null}`;
  if (taken) throw new AppError("NAME_EXISTS", {}, [{ path: "code", code: "NAME_EXISTS" }]);
  refuseUnchanged(before, { code: input.code, values: input.values });
  const id = before?.id ?? ((await takeIds(sql, "lookup_list", 1))[0] as number);
  if (before)
    await sql`
      update lookup_list set code = ${input.code}, row_version = row_version + 1, updated_by = ${user.id}, updated_at = ${now} where id = ${id}`;
  else
    await sql`
      insert into lookup_list (id, project_id, code, updated_by, updated_at) overriding system value values (${id}, ${project.id}, ${input.code}, ${user.id}, ${now})`;
  await writeValues(ctx, id, before, input.values);
  await tellAttributes(ctx);
  ctx.audit(`lookup_list ${id}`, before && { code: before.code, values: before.values }, { code: input.code, values: input.values });
  return { id, rowVersion: (before?.rowVersion ?? 0) + 1 };
}

async function lockList(ctx: Ctx, id: number, rowVersion: number): Promise<LookupList> {
  const [found] = await readLists(ctx, id, true);
  if (!found) throw new AppError("NOT_FOUND", { object: id });
  if (found.rowVersion !== rowVersion) throw new AppError("STALE", {}, [], found);
  return found;
}

async function writeValues(ctx: Ctx, listId: number, before: LookupList | null, values: readonly ListValue[]): Promise<void> {
  const { sql } = ctx;
  const present = before?.values ?? [];
  const parents = new Set(present.map(({ id }) => id));
  const below = new Map(present.flatMap(({ id, children }) => children.map((child) => [child.id, id] as const)));
  const unknown: Problem[] = values.flatMap(({ id, children }, at) => [
    ...(id !== undefined && !parents.has(id) ? [{ path: `values.${at}.id`, code: "NOT_FOUND" as const, params: { object: id } }] : []),
    ...children.flatMap((child, index) =>
      child.id !== undefined && (id === undefined || below.get(child.id) !== id)
        ? [{ path: `values.${at}.children.${index}.id`, code: "NOT_FOUND" as const, params: { object: child.id } }]
        : [],
    ),
  ]);
  if (unknown[0]) throw new AppError("NOT_FOUND", unknown[0].params, unknown);
  const kept = new Set(values.flatMap(({ id, children }) => [id ?? [], ...children.map((child) => child.id ?? [])]).flat());
  const gone = [...parents, ...below.keys()].filter((id) => !kept.has(id));
  if (before) await refuseUsed(ctx, before, gone);
  await queueRechecks(ctx, "LOOKUP_VALUE", gone);
  await sql`delete from lookup_value where list_id = ${listId} and id = any(${gone}::bigint[])`;
  const fresh = values.flatMap(
    ({ id, children }) => [id === undefined ? 1 : 0, ...children.map((child) => (child.id === undefined ? 1 : 0))] as number[],
  );
  const ids = await takeIds(
    sql,
    "lookup_value",
    fresh.reduce((sum, one) => sum + one, 0),
  );
  const rows: { id: number; parent: number | null; value: string; sort: number; made: boolean }[] = [];
  values.forEach((value, at) => {
    const id = value.id ?? (ids.shift() as number);
    rows.push({ id, parent: null, value: value.value, sort: at + 1, made: value.id === undefined });
    value.children.forEach((child, index) => {
      rows.push({ id: child.id ?? (ids.shift() as number), parent: id, value: child.value, sort: index + 1, made: child.id === undefined });
    });
  });
  const given = sql.json(rows);
  // A text that moves from one value to another must not meet itself on the way.
  await sql`update lookup_value set value = '~' || id where list_id = ${listId}`;
  await sql`
    update lookup_value v set value = n.value, sort_no = n.sort from jsonb_to_recordset(${given}) as n(id bigint, value text, sort int, made boolean)
    where v.id = n.id and not n.made and v.list_id = ${listId}`;
  await sql`
    insert into lookup_value (id, list_id, parent_id, value, sort_no) overriding system value
    select n.id, ${listId}, n.parent, n.value, n.sort from jsonb_to_recordset(${given}) as n(id bigint, parent bigint, value text, sort int, made boolean)
    where n.made order by n.parent nulls first, n.id`;
}

/** Refuses to take values away that cells, defaults or configuration use. */
async function refuseUsed(ctx: Ctx, list: LookupList, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { sql, project } = ctx;
  const attributes = await sql<{ id: number; name: string; defaults: (string | null)[] }[]>`
    select id, name, array[default_value, project_default_value] as defaults from attribute
    where project_id = ${project.id} and deleted_at is null and lookup_list_id = ${list.id} order by id`;
  const stored = await Promise.all(attributes.map((attribute) => countChoices(ctx, attribute.id)));
  const holders = await listHolders(ctx, "LOOKUP_VALUE", ids);
  const texts = new Map(
    list.values.flatMap(({ id, value, children }) => [[id, value] as const, ...children.map((child) => [child.id, child.value] as const)]),
  );
  const problems = ids.flatMap((id): Problem[] => {
    const names = [
      ...attributes.flatMap(({ name, defaults }, at) => {
        const cells = stored[at]?.get(String(id)) ?? 0;
        return cells > 0 ? [`${name} (${cells} DU)`] : defaults.includes(String(id)) ? [name] : [];
      }),
      ...holders.filter(({ targetId }) => targetId === id).map(({ name }) => name),
    ];
    return names.length > 0 ? [{ path: "values", code: "ENUM_REFERENCED", params: { by: `${texts.get(id)}: ${holderNames(names)}` } }] : [];
  });
  if (problems[0]) throw new AppError("ENUM_REFERENCED", problems[0].params, problems);
}

/** Deletes lists that no attribute offers, all or none. @throws NOT_FOUND, ENUM_REFERENCED */
export async function deleteLists(ctx: Ctx, { ids }: ListIds): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  const found = (await readLists(ctx)).filter(({ id }) => ids.includes(id));
  const missing = ids.filter((id) => !found.some((list) => list.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const used = found.filter(({ usedBy }) => usedBy.length > 0);
  const problems = used.map(
    ({ id, code, usedBy }): Problem => ({
      path: `ids.${ids.indexOf(id)}`,
      code: "ENUM_REFERENCED",
      params: { by: `${code}: ${holderNames(usedBy)}` },
    }),
  );
  if (problems[0]) throw new AppError("ENUM_REFERENCED", problems[0].params, problems);
  // Deleted attributes no longer need it.
  await sql`update attribute set lookup_list_id = null where project_id = ${project.id} and deleted_at is not null and lookup_list_id = any(${ids}::bigint[])`;
  await sql`delete from lookup_list where project_id = ${project.id} and id = any(${ids}::bigint[])`;
  for (const list of found) ctx.audit(`lookup_list ${list.id}`, { code: list.code, values: list.values }, null);
  return { deleted: found.length };
}

/** Adds pasted values to a list; those it has stay. @throws FILE_FORMAT when there is no value in it, and as `saveList` */
export async function importList(ctx: Ctx, { id, rowVersion, text }: ImportList): Promise<{ id: number; rowVersion: number }> {
  await holdProject(ctx);
  const before = await lockList(ctx, id, rowVersion);
  const given = readLines(text, before.values);
  if (given.length === 0) throw new AppError("FILE_FORMAT", {});
  const merged = [
    ...before.values.map((value): ListValue => {
      const more = given.find((one) => one.id === value.id)?.children ?? [];
      return { ...value, children: [...value.children, ...more.filter((child) => child.id === undefined)] };
    }),
    ...given.filter((value) => value.id === undefined),
  ];
  return saveList(ctx, { id, rowVersion, code: before.code, values: merged });
}

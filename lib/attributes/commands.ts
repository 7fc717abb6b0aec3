import "server-only";
import { takeIds } from "#db/ids.ts";
import { queueRechecks } from "#lib/attributes/config-refs/commands.ts";
import { holderNames } from "#lib/attributes/config-refs/logic.ts";
import { listHolders } from "#lib/attributes/config-refs/queries.ts";
import { readForms } from "#lib/attributes/forms/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseStaleNumbers } from "#lib/core/stale.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { clearTabValues } from "#lib/du-tabs/clearing/commands.ts";
import { type AttributeForm, canonicalValue, isChoice } from "#lib/rollout-plan/columns/logic.ts";
import { clearAttributes } from "#lib/rollout-plan/plan-rows/commands.ts";
import { listAttributeKeys } from "#lib/rollout-plan/plan-rows/queries.ts";
import { readLimit } from "#lib/settings/queries.ts";
import { tellAttributes } from "./announcing/commands.ts";
import { writeChoices } from "./choices/commands.ts";
import { type AttributeFlag, conflictSamples, sortMax } from "./limits.ts";
import { isNarrowed } from "./logic.ts";
import { type AttributeRow, findUses, flagColumn, getAttribute, listStoredValues, readConfigs } from "./queries.ts";
import { ATTRIBUTE_LIMIT, NO_ADD_GRANT } from "./rules.ts";
import type { AttributeIds, SaveAttribute, SaveSort, SetFlags } from "./schema.ts";

const bad = (path: string, code: Problem["code"], params: Problem["params"] = {}) =>
  new AppError(code === "STALE" ? code : "INVALID_INPUT", { field: path }, [{ path, code, params: { field: path, ...params } }]);

/**
 * Stores a new attribute or changes one, with its choices, flows and people. Where the type changes, the values stored under it are cleared.
 * @throws NAME_EXISTS, ATTRIBUTE_LIMIT, NO_ADD_GRANT, TYPE_IN_USE, VALUE_LIMIT_CONFLICT, ENUM_REFERENCED, ISOLATION_ATTR_EDITABLE, NOTHING_MODIFIED, STALE, NOT_FOUND, CLEARS_VALUES until that was confirmed
 */
export async function saveAttribute(ctx: Ctx, input: SaveAttribute): Promise<{ id: number; rowVersion: number; cleared: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const before = input.id === undefined ? null : await lockOne(ctx, input.id);
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  if (before && before.level !== input.level) throw bad("level", "VALUE_UNKNOWN", { value: input.level });
  if (!before) await checkRoom(ctx, input.custom);
  await demandName(ctx, input.name, before?.id ?? null);
  await demandReferences(ctx, input);
  const retyped = before !== null && before.type !== input.type;
  if (retyped) await demandUnused(ctx, before);
  if (before && input.editableSubcon) await demandNotIsolating(ctx, [before], "editableSubcon");
  const id = before?.id ?? ((await takeIds(sql, "attribute", 1))[0] as number);
  let cleared = 0;
  if (retyped) {
    const keys = await listAttributeKeys(ctx, [id]);
    const stored = (await listStoredValues(ctx, keys, 1)).reduce((sum, { count }) => sum + count, 0);
    if (stored > 0 && !input.clearValues) throw new AppError("CLEARS_VALUES", { count: stored });
    cleared = (await clearAttributes(ctx, [id], input.name)) + (await clearTabValues(ctx, id));
  }
  const sortNo = input.sortNo ?? before?.sortNo ?? (await nextSort(ctx));
  const values = {
    name: input.name,
    standard_name: input.standardName || null,
    standard_attribute_id: (input.standardAttributeId === undefined ? before?.standardAttributeId : input.standardAttributeId) ?? null,
    type: input.type,
    classification: input.classification || null,
    du_tab_id: input.duTabId ?? null,
    lookup_list_id: input.type === "LOOKUP_ENUM" ? (input.lookupListId ?? null) : null,
    lookup_parent_id: input.type === "LOOKUP_ENUM" ? (input.lookupParentId ?? null) : null,
    required: input.required,
    visible_customer: input.visibleCustomer,
    visible_subcon: input.visibleSubcon,
    editable_subcon: input.editableSubcon,
    mobile_display: input.mobileDisplay,
    in_rollout_plan: input.inRolloutPlan,
    editable_person_control: input.editablePersonControl,
    sort_no: sortNo,
    remark: input.remark || null,
    custom: before?.custom ?? input.custom,
    updated_by: user.id,
    updated_at: now,
  };
  if (before) await sql`update attribute set ${sql(values)}, value_limit = null, row_version = row_version + 1 where id = ${id}`;
  else {
    const row = { ...values, id, project_id: project.id, key: `a${id}`, level: input.level, created_by: user.id, created_at: now };
    const names = sql.unsafe(Object.keys(row).join(", "));
    await sql`
      insert into attribute (${names}) overriding system value select ${names} from jsonb_populate_record(null::attribute, ${sql.json(row as never)})`;
  }
  await writeParts(ctx, id, input);
  const enumIds = await writeEnums(ctx, id, before, input);
  await writeValues(ctx, id, before, input, { enumIds, retyped });
  if (before) {
    // What was given is compared as it is stored.
    const [after] = await readConfigs(ctx, [id]);
    refuseUnchanged(facts(before), facts(after as AttributeRow));
  }
  if (before && isNarrowed({ ...before, flowIds: before.flows.map((flow) => flow.id) }, input)) await queueRechecks(ctx, "ATTRIBUTE", [id]);
  await tellAttributes(ctx);
  const { id: _id, rowVersion: _rowVersion, clearValues: _clear, ...after } = input;
  ctx.audit(`attribute ${id}`, before, { ...after, sortNo, ...(retyped ? { cleared } : {}) });
  return { id, rowVersion: (before?.rowVersion ?? 0) + 1, cleared };
}

const facts = ({ rowVersion: _rowVersion, usedBy: _usedBy, updatedBy: _updatedBy, updatedAt: _updatedAt, ...values }: AttributeRow) =>
  values;

async function lockOne(ctx: Ctx, id: number): Promise<AttributeRow> {
  const [found] = await readConfigs(ctx, [id], true);
  if (!found) throw new AppError("NOT_FOUND", { object: id });
  // What is hidden from the caller is not there.
  return getAttribute(ctx, { id });
}

async function checkRoom(ctx: Ctx, custom: boolean): Promise<void> {
  const { sql, project, user } = ctx;
  const [grants, [count], total, own] = await Promise.all([
    sql<{ role: string | null; userId: number | null }[]>`
      select role, user_id as "userId" from attribute_add_grant where project_id = ${project.id}`,
    sql<{ all: number; custom: number }[]>`
      select count(*)::int as all, count(*) filter (where custom)::int as custom from attribute where project_id = ${project.id} and deleted_at is null`,
    readLimit(ctx, "attribute.totalMax"),
    readLimit(ctx, "attribute.customMax"),
  ]);
  checkRules([NO_ADD_GRANT], { grants, roles: user.roles, userId: user.id });
  checkRules([ATTRIBUTE_LIMIT], { count: count!.all, max: total });
  if (custom) checkRules([ATTRIBUTE_LIMIT], { count: count!.custom, max: own });
}

async function demandName({ sql, project }: Ctx, name: string, id: number | null): Promise<void> {
  const [taken] = await sql`
    select 1 from attribute where project_id = ${project.id} and deleted_at is null and lower(name) = lower(${name}) and id is distinct from ${id}`;
  if (taken) throw new AppError("NAME_EXISTS", {}, [{ path: "name", code: "NAME_EXISTS" }]);
}

/** Refuses tabs, lists, flows and people the project does not have. */
async function demandReferences(ctx: Ctx, input: SaveAttribute): Promise<void> {
  const { sql, project, today } = ctx;
  const people = [...new Set([...input.users.map(({ userId }) => userId), ...input.editablePersonIds])];
  const [[tab], [list], [parent], flows, members] = await Promise.all([
    sql<{ keyMode: string }[]>`
      select key_mode as "keyMode" from du_tab where id = ${input.duTabId ?? null} and project_id = ${project.id} and deleted_at is null for share`,
    sql`select 1 from lookup_list where id = ${input.lookupListId ?? null} and project_id = ${project.id} for share`,
    sql<{ fits: boolean }[]>`
      select a.lookup_list_id = ${input.lookupListId ?? null} and a.lookup_parent_id is null and a.level = ${input.level} and a.id is distinct from ${input.id ?? null}
        and a.du_tab_id is not distinct from ${input.duTabId ?? null} as fits
      from attribute a where a.id = ${input.lookupParentId ?? null} and a.project_id = ${project.id} and a.deleted_at is null`,
    sql<
      { id: number }[]
    >`select id from activity_flow where project_id = ${project.id} and draft_of is null and id = any(${input.flowIds}::bigint[])`,
    sql<{ id: number }[]>`
      select distinct user_id as id from project_member where project_id = ${project.id} and user_id = any(${people}::bigint[])
        and valid_from <= ${today} and (valid_to is null or valid_to >= ${today})`,
  ]);
  // The values of a tab of many rows per DU have no place in the DU.
  if (input.duTabId && (!tab || (input.level === "DU" && tab.keyMode !== "DU")))
    throw bad("duTabId", "VALUE_UNKNOWN", { value: input.duTabId });
  if (input.lookupListId && !list) throw bad("lookupListId", "VALUE_UNKNOWN", { value: input.lookupListId });
  if (input.lookupParentId && !parent?.fits) throw bad("lookupParentId", "VALUE_UNKNOWN", { value: input.lookupParentId });
  const missing = input.flowIds.find((id) => !flows.some((flow) => flow.id === id));
  if (missing !== undefined) throw bad("flowIds", "VALUE_UNKNOWN", { value: missing });
  const stranger = people.find((id) => !members.some((member) => member.id === id));
  if (stranger !== undefined) throw bad("users", "NOT_MEMBER", { account: stranger });
}

/** Refuses a change of type while something names the attribute or its choices. */
async function demandUnused(ctx: Ctx, attribute: AttributeRow): Promise<void> {
  const by = holderNames(((await findUses(ctx, [attribute])).get(attribute.id) ?? []).map(({ name }) => name));
  if (by !== "") throw new AppError("TYPE_IN_USE", { by }, [{ path: "type", code: "TYPE_IN_USE", params: { by } }]);
}

/** Refuses to let subcontractors edit what isolation looks at: they could open DUs to themselves. */
async function demandNotIsolating(ctx: Ctx, attributes: readonly { id: number; name: string }[], path: string): Promise<void> {
  const holders = await listHolders(
    ctx,
    "ATTRIBUTE",
    attributes.map(({ id }) => id),
  );
  const isolating = holders.find(({ kind }) => kind === "ISOLATION");
  if (!isolating) return;
  const params = { name: attributes.find(({ id }) => id === isolating.targetId)?.name ?? "" };
  throw new AppError("ISOLATION_ATTR_EDITABLE", params, [{ path, code: "ISOLATION_ATTR_EDITABLE", params }]);
}

async function nextSort({ sql, project }: Ctx): Promise<number> {
  const [row] = await sql<{ sort: number }[]>`
    select coalesce(max(sort_no), 0)::int + 1 as sort from attribute where project_id = ${project.id} and deleted_at is null`;
  return Math.min(sortMax, row!.sort);
}

async function writeParts({ sql }: Ctx, id: number, { flowIds, users, editablePersonIds }: SaveAttribute): Promise<void> {
  await sql`delete from attribute_flow where attribute_id = ${id}`;
  await sql`delete from attribute_user where attribute_id = ${id}`;
  await sql`delete from attribute_editable_person where attribute_id = ${id}`;
  await sql`insert into attribute_flow select ${id}, f from unnest(${flowIds}::bigint[]) f order by f`;
  await sql`insert into attribute_user select ${id}, u."userId", u.mode from jsonb_to_recordset(${sql.json(users)}) as u("userId" bigint, mode text)`;
  await sql`insert into attribute_editable_person select ${id}, u from unnest(${editablePersonIds}::bigint[]) u order by u`;
}

/** Writes the choices of an enumeration; of any other type they go. */
async function writeEnums(ctx: Ctx, id: number, before: AttributeRow | null, input: SaveAttribute): Promise<number[]> {
  if (input.type !== "ENUM" && before?.type !== "ENUM") return [];
  const owner = {
    id,
    name: input.name,
    // The defaults of the old form are judged with the new one.
    defaultValue: null,
    projectDefaultValue: null,
    allowed: [],
    enums: before?.type === "ENUM" ? before.enums : [],
  };
  return writeChoices(ctx, owner, input.type === "ENUM" ? input.enums : [], "enums");
}

/** Writes value limit and defaults, as far as they fit the form, and what is stored fits the limit. */
async function writeValues(
  ctx: Ctx,
  id: number,
  before: AttributeRow | null,
  input: SaveAttribute,
  { enumIds, retyped }: { enumIds: readonly number[]; retyped: boolean },
): Promise<void> {
  const { sql } = ctx;
  const limit = input.valueLimit;
  const allowed = limit?.allowed ?? [];
  const unknown = allowed.find((choice) => !enumIds.includes(choice));
  if (unknown !== undefined) throw bad("valueLimit.allowed", "VALUE_UNKNOWN", { value: unknown });
  const form = { ...((await readForms(ctx, [id])).get(id) as AttributeForm), limit };
  if (before && !retyped && JSON.stringify(before.valueLimit) !== JSON.stringify(limit)) await demandStored(ctx, id, form);
  const defaults = (["defaultValue", "projectDefaultValue"] as const).map((path) => defaultOf(form, input, path, enumIds));
  await sql`
    update attribute set value_limit = ${limit ? sql.json(limit as never) : null}, default_value = ${defaults[0] ?? null}, project_default_value = ${defaults[1] ?? null}
    where id = ${id}`;
}

/** A default in its stored form: of an enumeration the id of the choice, which may be named by its text. */
function defaultOf(
  form: AttributeForm,
  input: SaveAttribute,
  path: "defaultValue" | "projectDefaultValue",
  enumIds: readonly number[],
): string | null {
  const given = input[path];
  if (!given) return null;
  const named =
    input.type === "ENUM" ? input.enums.findIndex(({ value, active }) => active && value.toLowerCase() === given.toLowerCase()) : -1;
  const value = named >= 0 ? String(enumIds[named]) : given;
  // What people only read may begin with a value.
  const found = canonicalValue(form.type === "READ_ONLY" ? { ...form, type: "TEXT" } : form, value);
  if ("code" in found) throw bad(path, found.code, { ...found.params, field: input.name });
  return found.value === null ? null : String(found.value);
}

/** Refuses a value limit that stored values do not keep to. */
async function demandStored(ctx: Ctx, id: number, form: AttributeForm): Promise<void> {
  const values = await listStoredValues(ctx, await listAttributeKeys(ctx, [id]), conflictSamples);
  // A choice that is no longer offered stays where it is stored.
  const judged = isChoice(form.type) ? { ...form, enumIds: values.map(({ value }) => Number(value)) } : form;
  const broken = values.filter(({ value }) => "code" in canonicalValue(judged, value));
  if (broken.length === 0) return;
  const count = broken.reduce((sum, given) => sum + given.count, 0);
  const list = [...new Set(broken.flatMap(({ dus }) => dus))].slice(0, conflictSamples).join(", ");
  throw new AppError("VALUE_LIMIT_CONFLICT", { count, list }, [
    { path: "valueLimit", code: "VALUE_LIMIT_CONFLICT", params: { count, list } },
  ]);
}

/** An attribute that was not deleted, and the objects that name it. */
export type RefusedDelete = { id: number; name: string; usedBy: string };

/**
 * Deletes attributes that nothing names; the others are listed. Their names are free at once, their values are kept for a month.
 * @throws NOT_FOUND, IN_USE when none of them can be deleted
 */
export async function deleteAttributes(ctx: Ctx, { ids }: AttributeIds): Promise<{ deleted: number; refused: RefusedDelete[] }> {
  const { sql, now, user } = ctx;
  await holdProject(ctx);
  const found = await readConfigs(ctx, ids, true);
  const missing = ids.filter((id) => !found.some((attribute) => attribute.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const [uses, children] = await Promise.all([
    findUses(ctx, found),
    sql<{ id: number; name: string }[]>`
      select lookup_parent_id as id, name from attribute
      where lookup_parent_id = any(${ids}::bigint[]) and deleted_at is null and id <> all(${ids}::bigint[]) order by name`,
  ]);
  const refused = found.flatMap(({ id, name }): RefusedDelete[] => {
    const named = [...(uses.get(id) ?? []), ...children.filter((child) => child.id === id)].map((holder) => holder.name);
    return named.length > 0 ? [{ id, name, usedBy: holderNames(named) }] : [];
  });
  const free = found.filter(({ id }) => !refused.some((attribute) => attribute.id === id));
  if (free.length === 0) {
    const by = refused.map(({ name, usedBy }) => `${name} (${usedBy})`).join("; ");
    throw new AppError(
      "IN_USE",
      { by },
      refused.map(({ id, usedBy }) => ({ path: `ids.${ids.indexOf(id)}`, code: "IN_USE", params: { by: usedBy } })),
    );
  }
  const gone = free.map(({ id }) => id);
  await sql`
    update attribute set deleted_at = ${now}, updated_by = ${user.id}, updated_at = ${now}, row_version = row_version + 1 where id = any(${gone}::bigint[])`;
  await queueRechecks(ctx, "ATTRIBUTE", gone);
  await tellAttributes(ctx);
  for (const attribute of free) ctx.audit(`attribute ${attribute.id}`, attribute, null);
  return { deleted: gone.length, refused };
}

/** Gives attributes their sort values. @throws NOT_FOUND, STALE when one of them no longer has the value it was read with */
export async function saveSort(ctx: Ctx, { items }: SaveSort): Promise<{ sorted: number }> {
  const { sql, user, now } = ctx;
  await holdProject(ctx);
  const ids = items.map(({ id }) => id);
  const found = await readConfigs(ctx, ids, true);
  const missing = ids.filter((id) => !found.some((attribute) => attribute.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  refuseStaleNumbers(found, items);
  const order = items.map(({ id, sortNo }) => ({ id, sortNo }));
  const moved = await sql<{ id: number }[]>`
    update attribute a set sort_no = n."sortNo", row_version = row_version + 1, updated_by = ${user.id}, updated_at = ${now}
    from jsonb_to_recordset(${sql.json(order)}) as n(id bigint, "sortNo" int) where a.id = n.id and a.sort_no <> n."sortNo" returning a.id`;
  await tellAttributes(ctx);
  ctx.audit("attributes", { order: found.map(({ id, sortNo }) => ({ id, sortNo })) }, { order }, "sorted");
  return { sorted: moved.length };
}

/**
 * Sets flags of many attributes at once.
 * @throws NOT_FOUND, INVALID_INPUT where an attribute of a tab would be shown in the plan
 */
export async function setFlags(ctx: Ctx, { ids, flags }: SetFlags): Promise<{ changed: number }> {
  const { sql, user, now } = ctx;
  await holdProject(ctx);
  const found = await readConfigs(ctx, ids, true);
  const missing = ids.filter((id) => !found.some((attribute) => attribute.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  const tabs = found.filter(({ level }) => level === "TAB");
  if (flags.inRolloutPlan && tabs.length > 0) throw bad("flags.inRolloutPlan", "VALUE_UNKNOWN", { value: tabs[0]!.name });
  if (flags.editableSubcon) await demandNotIsolating(ctx, found, "flags.editableSubcon");
  // Who may edit also sees, and who no longer sees no longer edits.
  const given = {
    ...flags,
    ...(flags.editableSubcon ? { visibleSubcon: true } : {}),
    ...(flags.visibleSubcon === false ? { editableSubcon: false } : {}),
  };
  const changed = found.filter((attribute) => Object.entries(given).some(([flag, value]) => attribute[flag as AttributeFlag] !== value));
  const set = Object.fromEntries(Object.entries(given).map(([flag, value]) => [flagColumn(flag as AttributeFlag), value]));
  await sql`
    update attribute set ${sql({ ...set, updated_by: user.id, updated_at: now } as never)}, row_version = row_version + 1
    where id = any(${changed.map(({ id }) => id)}::bigint[])`;
  const hidden = changed.filter(({ inRolloutPlan }) => inRolloutPlan && given.inRolloutPlan === false).map(({ id }) => id);
  await queueRechecks(ctx, "ATTRIBUTE", hidden);
  await tellAttributes(ctx);
  ctx.audit("attributes", { ids: changed.map(({ id }) => id) }, given);
  return { changed: changed.length };
}

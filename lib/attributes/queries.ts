import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { HolderKind } from "#lib/attributes/config-refs/limits.ts";
import { listHolders } from "#lib/attributes/config-refs/queries.ts";
import type { AttributeMode } from "#lib/attributes/modes/limits.ts";
import { readModes } from "#lib/attributes/modes/queries.ts";
import { isIsoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { AttributeType } from "#lib/rollout-plan/columns/limits.ts";
import type { ValueLimit } from "#lib/rollout-plan/columns/logic.ts";
import { type AttributeChoice, choicesOf } from "#lib/rollout-plan/columns/queries.ts";
import { readLimit } from "#lib/settings/queries.ts";
import { type AttributeFlag, type AttributeLevel, attributeFlags, sortMax, sortMin } from "./limits.ts";
import type { AttributeInfo, NamedAttributes } from "./schema.ts";

type Named = { id: number; name: string };

/** An attribute as its screen shows it, with its choices, flows and people. */
export type Attribute = Record<AttributeFlag, boolean> & {
  id: number;
  name: string;
  standardName: string | null;
  standardAttributeId: number | null;
  type: AttributeType;
  level: AttributeLevel;
  classification: string | null;
  valueLimit: ValueLimit | null;
  duTabId: number | null;
  duTab: string | null;
  lookupListId: number | null;
  lookupParentId: number | null;
  sortNo: number;
  custom: boolean;
  rowVersion: number;
  enums: AttributeChoice[];
  flows: Named[];
};
/** What only those who may see the configuration see of it. */
export type AttributeConfig = {
  defaultValue: string | null;
  projectDefaultValue: string | null;
  editablePersonControl: boolean;
  remark: string | null;
  users: (Named & { account: string; mode: "RO" | "RW" })[];
  editablePersons: (Named & { account: string })[];
  updatedBy: string | null;
  updatedAt: Date;
};
/** A line of the list of attributes. */
export type AttributeRow = Attribute & AttributeConfig & { usedBy: number };

const flagColumns: Record<AttributeFlag, string> = {
  required: "required",
  visibleCustomer: "visible_customer",
  visibleSubcon: "visible_subcon",
  editableSubcon: "editable_subcon",
  mobileDisplay: "mobile_display",
  inRolloutPlan: "in_rollout_plan",
};
/** Column of a flag in the database. */
export const flagColumn = (flag: AttributeFlag): string => flagColumns[flag];

const columns = (sql: Ctx["sql"]) => sql`
  a.id, a.name, a.standard_name as "standardName", a.standard_attribute_id as "standardAttributeId", a.type, a.level, a.classification, a.value_limit as "valueLimit", a.du_tab_id as "duTabId",
  (select t.name from du_tab t where t.id = a.du_tab_id) as "duTab", a.lookup_list_id as "lookupListId", a.lookup_parent_id as "lookupParentId",
  a.sort_no as "sortNo", a.custom, a.row_version as "rowVersion",
  ${sql.unsafe(attributeFlags.map((flag) => `a.${flagColumns[flag]} as "${flag}"`).join(", "))}, ${choicesOf(sql)} as enums,
  coalesce((select json_agg(json_build_object('id', f.id, 'name', f.name) order by f.name collate natural_order) from attribute_flow n
    join activity_flow f on f.id = n.flow_id where n.attribute_id = a.id), '[]') as flows`;

const configColumns = (sql: Ctx["sql"]) => sql`
  a.default_value as "defaultValue", a.project_default_value as "projectDefaultValue", a.editable_person_control as "editablePersonControl", a.remark,
  coalesce((select json_agg(json_build_object('id', u.id, 'name', u.name, 'account', u.account, 'mode', n.mode) order by u.name) from attribute_user n
    join app_user u on u.id = n.user_id where n.attribute_id = a.id), '[]') as users,
  coalesce((select json_agg(json_build_object('id', u.id, 'name', u.name, 'account', u.account) order by u.name) from attribute_editable_person n
    join app_user u on u.id = n.user_id where n.attribute_id = a.id), '[]') as "editablePersons",
  (select u.name from app_user u where u.id = a.updated_by) as "updatedBy", a.updated_at as "updatedAt"`;

type Fragment = PendingQuery<Row[]>;

/** How many objects name an attribute. */
const usedBy = (sql: Ctx["sql"]): Fragment => sql`(select count(distinct (c.holder_kind, c.holder_id))::int from config_ref c
  where c.project_id = a.project_id and c.target_kind = 'ATTRIBUTE' and c.target_id = a.id)`;

/** The default as people read it: of a choice its text. */
const defaultText = (sql: Ctx["sql"]): Fragment => {
  const stored = sql`coalesce(a.project_default_value, a.default_value)`;
  return sql`case a.type
    when 'ENUM' then (select e.value from attribute_enum e where e.attribute_id = a.id and e.id::text = ${stored})
    when 'LOOKUP_ENUM' then (select v.value from lookup_value v where v.list_id = a.lookup_list_id and v.id::text = ${stored})
    else ${stored} end`;
};
const visibleIds = async (ctx: Ctx): Promise<number[]> =>
  [...(await readModes(ctx))].flatMap(([id, mode]) => (mode === "HIDDEN" ? [] : [id]));

/** Attributes of the project, page by page; a line says how many objects name it. */
export async function listAttributes(ctx: Ctx, input: ListInput): Promise<Page<AttributeRow>> {
  const { sql, project } = ctx;
  const where = input.filters.map((filter) => condition(ctx, filter)).reduce((left, right) => sql`${left} and ${right}`, sql`true`);
  const ids = await visibleIds(ctx);
  const [sort] = input.sort ?? [];
  const by: Record<string, Fragment> = {
    name: sql`a.name collate natural_order`,
    type: sql`a.type`,
    classification: sql`a.classification collate natural_order`,
    updatedAt: sql`a.updated_at`,
    sortNo: sql`a.sort_no`,
  };
  const order = sort
    ? sql`${by[sort.field] as Fragment} ${sort.dir === "desc" ? sql`desc nulls last` : sql`asc nulls last`}, a.sort_no, a.id`
    : sql`a.sort_no, a.id`;
  const from = sql`from attribute a where a.project_id = ${project.id} and a.deleted_at is null and a.id = any(${ids}::bigint[]) and ${where}`;
  const [[count], records] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total ${from}`,
    sql<AttributeRow[]>`
      select ${columns(sql)}, ${configColumns(sql)}, ${usedBy(sql)} as "usedBy"
      ${from} order by ${order} limit ${input.size} offset ${(input.page - 1) * input.size}`,
  ]);
  return { records: [...records], total: count!.total, page: input.page, size: input.size };
}

function condition({ sql, project }: Ctx, { field, type, values }: Filter): Fragment {
  const texts = values.map(String);
  const ids = texts.filter((text) => /^\d{1,15}$/.test(text)).map(Number);
  if (type === "like") {
    const columns: Record<string, Fragment> = {
      name: sql`a.name`,
      standardName: sql`a.standard_name`,
      classification: sql`a.classification`,
      default: defaultText(sql),
    };
    return sql`position(${(texts[0] ?? "").trim().toLowerCase()} in lower(${columns[field] as Fragment})) > 0`;
  }
  switch (field) {
    case "sortNo": {
      const [from, to] = values;
      return sql`a.sort_no between ${typeof from === "number" ? from : sortMin}::numeric and ${typeof to === "number" ? to : sortMax}::numeric`;
    }
    case "used":
      return sql`(${usedBy(sql)} > 0) = ${values[0] === true}`;
    case "updatedBy":
      return sql`a.updated_by = any(${ids}::bigint[])`;
    case "updatedAt": {
      const [from, to] = values.map((value) => (typeof value === "string" && isIsoDay(value) ? value : null));
      // Days are those of the project.
      const day = sql`((a.updated_at at time zone 'utc') + (8 + ${project.tzOffset}::numeric) * interval '1 hour')::date`;
      return sql`${day} >= coalesce(${from ?? null}::date, '-infinity') and ${day} <= coalesce(${to ?? null}::date, 'infinity')`;
    }
    case "type":
      return sql`a.type = any(${texts}::text[])`;
    case "level":
      return sql`a.level = any(${texts}::text[])`;
    case "classification":
      return sql`a.classification = any(${texts}::text[])`;
    case "duTab":
      return sql`a.du_tab_id = any(${ids}::bigint[])`;
    case "flow":
      // One that names no flow belongs to every flow.
      return sql`(exists (select from attribute_flow n where n.attribute_id = a.id and n.flow_id = any(${ids}::bigint[]))
        or not exists (select from attribute_flow n where n.attribute_id = a.id))`;
    case "custom":
      return sql`a.custom = ${values[0] === true}`;
    default:
      return sql`a.${sql(flagColumns[field as AttributeFlag])} = ${values[0] === true}`;
  }
}

/** One attribute with its configuration. @throws NOT_FOUND, also where it is hidden from the caller */
export async function getAttribute(ctx: Ctx, { id }: { id: number }): Promise<AttributeRow> {
  const page = await readConfigs(ctx, [id]);
  if (!page[0] || (await readModes(ctx, [id])).get(id) === "HIDDEN") throw new AppError("NOT_FOUND", { object: id });
  return page[0];
}

/** Attributes with their configuration whoever asks, locked where asked; deleted ones are left out. */
export async function readConfigs({ sql, project }: Ctx, ids: readonly number[], lock = false): Promise<AttributeRow[]> {
  if (lock) await sql`select 1 from attribute where project_id = ${project.id} and id = any(${[...ids]}::bigint[]) order by id for update`;
  return [
    ...(await sql<AttributeRow[]>`
      select ${columns(sql)}, ${configColumns(sql)}, 0 as "usedBy" from attribute a
      where a.project_id = ${project.id} and a.deleted_at is null and a.id = any(${[...ids]}::bigint[]) order by a.sort_no, a.id`),
  ];
}

/** Definitions of attributes the caller may see, with what the caller may do with each; who may see the configuration gets it too. */
export async function readInfo(
  ctx: Ctx,
  { ids, level, duTabId, flowId, inRolloutPlan }: AttributeInfo,
): Promise<{ attributes: (Attribute & Partial<AttributeConfig> & { effectiveMode: AttributeMode })[] }> {
  const { sql, project } = ctx;
  const modes = await readModes(ctx, ids);
  const config = ctx.can("attribute.view") ? sql`, ${configColumns(sql)}` : sql``;
  const flow =
    flowId === undefined
      ? sql`true`
      : sql`(not exists (select from attribute_flow n where n.attribute_id = a.id)
    or exists (select from attribute_flow n where n.attribute_id = a.id and n.flow_id = ${flowId}))`;
  const rows = await sql<(Attribute & Partial<AttributeConfig>)[]>`
    select ${columns(sql)} ${config} from attribute a
    where a.project_id = ${project.id} and a.deleted_at is null and ${ids ? sql`a.id = any(${ids}::bigint[])` : sql`true`} and ${level ? sql`a.level = ${level}` : sql`true`}
      and ${duTabId === undefined ? sql`true` : sql`a.du_tab_id = ${duTabId}`} and ${flow}
      and ${inRolloutPlan === undefined ? sql`true` : sql`a.in_rollout_plan = ${inRolloutPlan}`}
    order by a.sort_no, a.id`;
  return {
    attributes: rows.flatMap((row) => {
      const mode = modes.get(row.id) ?? "HIDDEN";
      return mode === "HIDDEN" ? [] : [{ ...row, effectiveMode: mode }];
    }),
  };
}

/** Value limits by attribute. @throws NOT_FOUND for an attribute there is not, or that is hidden */
export async function readLimits(ctx: Ctx, { attributeIds }: NamedAttributes): Promise<Record<string, ValueLimit | null>> {
  const { sql, project } = ctx;
  const rows = await sql<{ id: number; limit: ValueLimit | null }[]>`
    select id, value_limit as "limit" from attribute where project_id = ${project.id} and deleted_at is null and id = any(${attributeIds}::bigint[])`;
  const modes = await readModes(ctx, attributeIds);
  const found = new Map(rows.flatMap(({ id, limit }) => ((modes.get(id) ?? "HIDDEN") === "HIDDEN" ? [] : [[id, limit] as const])));
  const missing = attributeIds.filter((id) => !found.has(id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  return Object.fromEntries(found);
}

/**
 * What the caller may do with attributes; what there is not is hidden. Of a DU, writing needs the right on that DU too.
 * @throws NOT_FOUND for a DU the caller does not reach
 */
export async function readEffectiveModes(ctx: Ctx, { attributeIds, duId }: NamedAttributes): Promise<Record<string, AttributeMode>> {
  const { sql, project } = ctx;
  const [rows, modes] = await Promise.all([
    sql<
      { id: number }[]
    >`select id from attribute where project_id = ${project.id} and deleted_at is null and id = any(${attributeIds}::bigint[])`,
    readModes(ctx, attributeIds),
  ]);
  const live = new Set(rows.map(({ id }) => id));
  let writes = ctx.can("rollout.attributeEdit");
  if (duId !== undefined) {
    const [du] = await sql<{ seen: boolean; written: boolean }[]>`
      select ${ctx.scope.where("rollout.view")} as seen, ${ctx.scope.where("rollout.attributeEdit")} as written from du where du.id = ${duId}`;
    if (!du?.seen) throw new AppError("NOT_FOUND", { object: duId });
    writes = du.written;
  }
  return Object.fromEntries(
    attributeIds.map((id): [number, AttributeMode] => {
      const mode = live.has(id) ? (modes.get(id) ?? "HIDDEN") : "HIDDEN";
      return [id, mode === "RW" && !writes ? "RO" : mode];
    }),
  );
}

/** An object that names an attribute or one of its choices. */
export type Use = { kind: HolderKind; id: number; name: string };

/** The objects that name attributes or their choices, by attribute. */
export async function findUses(
  ctx: Pick<Ctx, "sql" | "project" | "locale">,
  attributes: readonly Pick<Attribute, "id" | "type" | "enums">[],
): Promise<Map<number, Use[]>> {
  // Values of a lookup list belong to whoever offers the list, so they say nothing of one attribute.
  const ownerOf = new Map(
    attributes.flatMap(({ id, type, enums }) => (type === "ENUM" ? enums.map((choice) => [choice.id, id] as const) : [])),
  );
  const [own, ofChoices] = await Promise.all([
    listHolders(
      ctx,
      "ATTRIBUTE",
      attributes.map(({ id }) => id),
    ),
    listHolders(ctx, "ENUM_VALUE", [...ownerOf.keys()]),
  ]);
  const uses = new Map<number, Map<string, Use>>();
  const add = (attributeId: number, { kind, id, name }: Use) => {
    const found = uses.get(attributeId) ?? new Map<string, Use>();
    uses.set(attributeId, found.set(`${kind} ${id}`, { kind, id, name }));
  };
  for (const holder of own) add(holder.targetId, holder);
  for (const holder of ofChoices) add(ownerOf.get(holder.targetId) as number, holder);
  return new Map([...uses].map(([id, found]) => [id, [...found.values()]]));
}

/** The objects that name an attribute or one of its choices. @throws NOT_FOUND */
export async function listUsage(ctx: Ctx, { id }: { id: number }): Promise<Use[]> {
  return (await findUses(ctx, [await getAttribute(ctx, { id })])).get(id) ?? [];
}

/** What the screens of attributes choose from. */
export type AttributeChoices = {
  classifications: string[];
  tabs: (Named & { keyMode: "SN" | "DU" })[];
  flows: Named[];
  lists: (Named & { levels: 1 | 2 })[];
  /** Attributes of lookup lists that can choose for one of the second level. */
  parents: (Named & { listId: number })[];
  /** Members of the project. */
  people: (Named & { account: string })[];
  customMax: number;
  customCount: number;
};

/** Classifications in use, tabs, flows, lookup lists and members of the project. */
export async function readChoices(ctx: Ctx): Promise<AttributeChoices> {
  const { sql, project, today } = ctx;
  const [classifications, tabs, flows, lists, parents, people, [count], customMax] = await Promise.all([
    sql<{ name: string }[]>`
      select distinct classification as name from attribute where project_id = ${project.id} and deleted_at is null and classification is not null order by 1`,
    sql<AttributeChoices["tabs"]>`
      select id, name, key_mode as "keyMode" from du_tab where project_id = ${project.id} and deleted_at is null order by sort_no, id`,
    sql<Named[]>`
      select id, name from activity_flow where project_id = ${project.id} and draft_of is null order by name collate natural_order, id`,
    sql<AttributeChoices["lists"]>`
      select l.id, l.code as name, case when exists (select from lookup_value v where v.list_id = l.id and v.parent_id is not null) then 2 else 1 end as levels
      from lookup_list l where l.project_id = ${project.id} order by l.code collate natural_order`,
    sql<AttributeChoices["parents"]>`
      select id, name, lookup_list_id as "listId" from attribute
      where project_id = ${project.id} and deleted_at is null and lookup_list_id is not null and lookup_parent_id is null order by sort_no, id`,
    sql<AttributeChoices["people"]>`
      select u.id, u.name, u.account from app_user u where u.id in (select m.user_id from project_member m
        where m.project_id = ${project.id} and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today})) order by u.name, u.id`,
    sql<{ count: number }[]>`
      select count(*)::int as count from attribute where project_id = ${project.id} and deleted_at is null and custom`,
    readLimit(ctx, "attribute.customMax"),
  ]);
  return {
    classifications: classifications.map(({ name }) => name),
    tabs: [...tabs],
    flows: [...flows],
    lists: [...lists],
    parents: [...parents],
    people: [...people],
    customMax,
    customCount: count!.count,
  };
}

/** A stored value of an attribute with how many cells hold it and the first DUs of them. */
export type StoredValue = { value: string | number; count: number; dus: string[] };

/** The different values stored under keys with DUs and in rows of DU tabs, what is deleted left out. @param samples codes named with each */
export async function listStoredValues(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  keys: readonly string[],
  samples: number,
): Promise<StoredValue[]> {
  return [
    ...(await sql<StoredValue[]>`
      select value, count(*)::int as count, (array_agg(code order by code collate natural_order))[1:${samples}::int] as dus from (
        select e.value, du.code from du cross join lateral jsonb_each(du.ext) e
        where du.project_id = ${project.id} and du.deleted_at is null and du.ext ?| ${[...keys]}::text[] and e.key = any(${[...keys]}::text[])
        union all
        select e.value, du.code from du_tab_row r join du on du.id = r.du_id cross join lateral jsonb_each(r.data) e
        where r.project_id = ${project.id} and r.deleted_at is null and du.deleted_at is null and r.data ?| ${[...keys]}::text[]
          and e.key = any(${[...keys]}::text[])
      ) held group by value`),
  ];
}

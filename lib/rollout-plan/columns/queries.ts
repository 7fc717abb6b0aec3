import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { AttributeMode } from "#lib/attributes/modes/limits.ts";
import { type ModeCtx, readModes } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import {
  type ActivityColumnKey,
  type AttributeType,
  activityColumns,
  type ColumnType,
  type DuColumnKey,
  duColumnKeys,
  duColumns,
} from "./limits.ts";
import { attributeColumnType, type ValueLimit } from "./logic.ts";
import type { HeadInput } from "./schema.ts";

/** Where the value of a DU column comes from, with the aliases of `duSource`. Written once: filters, sorts and cells read the same. */
export const duColumnSql: Record<DuColumnKey, string> = {
  code: "du.code",
  name: "du.name",
  status: "p.next_plan_end",
  flow: "f.flow_id",
  progress: "case when p.applicable_count = 0 then 0 else p.done_count * 100 / p.applicable_count end",
  planEndDate: "p.last_plan_end",
  nextPlanEnd: "p.next_plan_end",
  icActualEnd: "p.ic_actual_end",
  decomActualEnd: "p.decom_actual_end",
  releaseState: "p.release_state",
  region: "du.region_id",
  subcontractor: "du.subcontractor_id",
  siteCode: "s.code",
  siteName: "s.name",
  siteNumber: "s.site_number",
  projectCode: "du.project_code",
  subProjectCode: "du.sub_project_code",
  deliveryType: "du.delivery_type",
  workType: "du.work_type",
  productType: "du.product_type",
  productLine: "du.product_line",
  scenarioType: "du.scenario_type",
  siteScenario: "s.site_scenario",
  rruIcsScene: "du.rru_ics_scene",
  cluster: "du.cluster_id",
  clusterPriority: "du.cluster_priority",
  rfiPriority: "du.rfi_priority",
  directMigrationSite: "du.direct_migration_site_id",
  decomSite: "du.decom_site_id",
  allowDirectMoving: "du.allow_direct_moving",
  acceptance: "du.acceptance",
  poCompletenessNo: "du.po_completeness_no",
  rfcNumber: "du.rfc_number",
  eomonth: "du.eomonth",
  deliveryKey: "du.delivery_key",
  deliveryBatchNo: "du.delivery_batch_no",
  valueUnit: "du.value_unit",
  valueQty: "du.value_qty",
  country: "s.country",
  province: "s.province",
  city: "s.city",
  town: "s.town",
  address: "s.address",
  postCode: "s.post_code",
  longitude: "s.longitude",
  latitude: "s.latitude",
  stateId: "s.state_id",
  stateName: "s.state_name",
};

const duJoins = {
  p: "join du_plan p on p.du_id = du.id",
  s: "join customer_site s on s.id = du.site_id",
  f: "left join du_flow f on f.du_id = du.id and f.unbound_at is null",
};

/** The tables every DU column can be read from. */
export const duSource = ["du", ...Object.values(duJoins)].join("\n  ");

/** The tables that the given DU columns are read from, with those the status is made of. */
export function duSourceOf(keys: readonly DuColumnKey[]): string {
  const needs = (alias: string) => keys.some((key) => duColumnSql[key].includes(`${alias}.`)) || (keys.includes("status") && alias === "f");
  return ["du", ...Object.entries(duJoins).flatMap(([alias, join]) => (needs(alias) ? [join] : []))].join(" ");
}

const duReferences: ReadonlySet<DuColumnKey> = new Set(["directMigrationSite", "decomSite"]);

/** A DU column as the caller may know it: whoever works for a company learns of no other one, and nobody of DUs beyond his reach. */
export function duColumn({ sql, scope }: Pick<Ctx, "sql" | "scope">, key: DuColumnKey): PendingQuery<Row[]> {
  const value = sql`${sql.unsafe(duColumnSql[key])}`;
  if (key === "subcontractor" && scope.apart) return sql`(case when ${scope.company(value)} then ${value} end)`;
  if (duReferences.has(key) && !scope.all("rollout.view"))
    return sql`(select named.id from du named where named.id = ${value} and ${scope.du(sql`named.id`)})`;
  return value;
}

/** DU columns to select, each under its key, with a comma before each. */
export function selectDuColumns({ sql, scope }: Pick<Ctx, "sql" | "scope">, keys: readonly DuColumnKey[]): PendingQuery<Row[]> {
  const veiled = keys.filter((key) => (key === "subcontractor" ? scope.apart : duReferences.has(key)));
  const plain = keys.filter((key) => !veiled.includes(key)).map((key) => `, ${duColumnSql[key]} as "${key}"`);
  return veiled.reduce((left, key) => sql`${left}, ${duColumn({ sql, scope }, key)} as ${sql(key)}`, sql`${sql.unsafe(plain.join(""))}`);
}

/** A column holds a day number of the plan, 0 = empty. */
export const dayColumns: ReadonlySet<string> = new Set<DuColumnKey>(["planEndDate", "nextPlanEnd", "icActualEnd", "decomActualEnd"]);

/** An extension attribute that is shown in the roll-out plan. Of a lookup attribute `enums` are the values of its list. */
export type PlanAttribute = {
  id: number;
  key: string;
  name: string;
  type: AttributeType;
  level: "DU" | "ACTIVITY";
  limit: ValueLimit | null;
  required: boolean;
  /** Flows it belongs to; none: all. */
  flowIds: number[];
  /** The attribute whose value chooses among `enums` by their `parentId`. */
  lookupParentId: number | null;
  enums: AttributeChoice[];
  /** What the caller may do with it; what is hidden from the caller is not listed. */
  mode: Exclude<AttributeMode, "HIDDEN">;
};
export type AttributeChoice = { id: number; value: string; active: boolean; parentId?: number | null };

/**
 * Extension attributes of the roll-out plan that the caller may see, in their order.
 * @param beside with those of DUs and activities that the plan does not show
 */
export async function listPlanAttributes(ctx: ModeCtx, beside = false): Promise<PlanAttribute[]> {
  const attributes = await listEveryPlanAttribute(ctx, beside);
  const modes = await readModes(
    ctx,
    attributes.map(({ id }) => id),
  );
  return attributes.flatMap((attribute) => {
    const mode = modes.get(attribute.id) ?? "HIDDEN";
    return mode === "HIDDEN" ? [] : [{ ...attribute, mode }];
  });
}

/** Extension attributes of the roll-out plan whoever asks, in their order: for what the product does by itself, never for a reply. */
export async function listEveryPlanAttribute(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  beside = false,
): Promise<Omit<PlanAttribute, "mode">[]> {
  return [
    ...(await sql<Omit<PlanAttribute, "mode">[]>`
      select a.id, a.key, a.name, a.type, a.level, a.value_limit as "limit", a.required, a.lookup_parent_id as "lookupParentId",
        array(select f.flow_id from attribute_flow f where f.attribute_id = a.id order by 1) as "flowIds", ${choicesOf(sql)} as enums
      from attribute a
      where a.project_id = ${project.id} and a.deleted_at is null and (a.in_rollout_plan or ${beside}) and a.level in ('DU', 'ACTIVITY')
      order by a.sort_no, a.id`),
  ];
}

/** The choices of an attribute on the alias `a`, as json: its own values, or those of its lookup list at its level. */
export const choicesOf = (sql: Ctx["sql"]) => sql`
  coalesce(case a.type
    when 'ENUM' then (select json_agg(json_build_object('id', e.id, 'value', e.value, 'active', e.active) order by e.sort_no, e.id)
      from attribute_enum e where e.attribute_id = a.id)
    when 'LOOKUP_ENUM' then (select json_agg(json_build_object('id', v.id, 'value', v.value, 'active', true, 'parentId', v.parent_id)
        order by (select p.sort_no from lookup_value p where p.id = v.parent_id), v.sort_no, v.id)
      from lookup_value v where v.list_id = a.lookup_list_id and (v.parent_id is null) = (a.lookup_parent_id is null)) end, '[]')`;

/** The text of a choice of an attribute, null where the attribute has no such choice. @param value the choice as it is stored */
export const choiceTitle = (sql: Ctx["sql"], attributeId: number, value: PendingQuery<Row[]>) => sql`
  case (select type from attribute where id = ${attributeId})
    when 'ENUM' then (select e.value from attribute_enum e where e.attribute_id = ${attributeId} and e.id::text = ${value})
    when 'LOOKUP_ENUM' then (select v.value from lookup_value v where v.id::text = ${value}
      and v.list_id = (select lookup_list_id from attribute where id = ${attributeId})) end`;

export type HeadFlow = {
  flowId: number;
  name: string;
  version: number;
  activityIds: number[];
  milestoneIds: number[];
  relations: [pre: number, next: number, type: string, offset: number][];
};
export type HeadActivity = { activityId: number; slot: number; name: string; kind: string };
export type HeadColumn = {
  key: string;
  title: string;
  type: ColumnType;
  editable: boolean;
  width: number;
  choices?: { value: string; title: string; parent?: string }[];
};
/** `parentKey`: the attribute whose value in the same row says which choices are offered. */
export type HeadAttribute = HeadColumn & {
  attributeId: number;
  level: "DU" | "ACTIVITY";
  limit: ValueLimit | null;
  parentKey?: string;
};

/** The columns of the grid: flows with their activities in order, the columns of an activity's group, DU fields and attributes. */
export type Head = {
  flows: HeadFlow[];
  activities: HeadActivity[];
  activityColumns: HeadColumn[];
  fields: HeadColumn[];
  attributes: HeadAttribute[];
  /** Dependency rules or warnings are in force: cells may carry their marks. */
  marked: boolean;
};

/** Columns of the grid for released flows, in the caller's language; `editable` says whether the caller holds the right on some row. */
export async function readHead(ctx: Ctx, input: HeadInput): Promise<Head> {
  const flows = await listHeadFlows(ctx, input.flowIds);
  const [activities, attributes, [rules]] = await Promise.all([
    ctx.sql<HeadActivity[]>`
      select id as "activityId", slot, name, kind from activity_library
      where project_id = ${ctx.project.id} and id = any(${[...new Set(flows.flatMap((flow) => flow.activityIds))]}::bigint[]) order by slot`,
    listPlanAttributes(ctx),
    ctx.sql<{ marked: boolean }[]>`
      select exists (select from dep_rule where project_id = ${ctx.project.id} and status = 'EFFECTIVE')
        or exists (select from warning_config where project_id = ${ctx.project.id} and status = 'ENABLED') as marked`,
  ]);
  const titles = columnTitles(ctx);
  const edit = {
    plan: ctx.can("rollout.edit"),
    actual: ctx.can("rollout.actualEdit"),
    attribute: ctx.can("rollout.attributeEdit"),
    du: ctx.can("du.edit"),
  };
  const group = Object.entries(activityColumns).map(
    ([key, { type, width }]): HeadColumn => ({
      key,
      title: titles.activity(key as ActivityColumnKey),
      type,
      width,
      editable: editableBy(key, edit),
    }),
  );
  const fields = duColumnKeys.map((key): HeadColumn => {
    const column: { type: ColumnType; width: number; edit?: string; choices?: readonly string[] } = duColumns[key];
    return {
      key,
      title: titles.du(key),
      type: column.type,
      width: column.width,
      editable: column.edit !== undefined && edit.du,
      ...(column.choices ? { choices: column.choices.map((value) => ({ value, title: titles.choice(key, value) })) } : {}),
    };
  });
  return {
    flows,
    activities: [...activities],
    marked: rules?.marked ?? false,
    activityColumns: group,
    fields,
    attributes: attributes
      .filter((attribute) => inFlows(attribute, input.flowIds))
      .map((attribute) => headAttribute(attribute, edit.attribute)),
  };
}

/** Whether an attribute belongs to one of the flows; without flows asked for, all do. */
const inFlows = ({ flowIds }: PlanAttribute, asked: readonly number[] | undefined): boolean =>
  asked === undefined || flowIds.length === 0 || flowIds.some((id) => asked.includes(id));

function headAttribute(attribute: PlanAttribute, mayEdit: boolean): HeadAttribute {
  const { id, level, name, type, limit, mode, enums, lookupParentId } = attribute;
  const choices = enums
    .filter(({ active }) => active)
    .map((choice) => ({
      value: String(choice.id),
      title: choice.value,
      ...(choice.parentId ? { parent: String(choice.parentId) } : {}),
    }));
  return {
    key: `a${id}`,
    attributeId: id,
    level,
    title: name,
    type: attributeColumnType(type),
    limit,
    width: 120,
    editable: mode === "RW" && mayEdit,
    ...(attributeColumnType(type) === "choice" ? { choices } : {}),
    ...(lookupParentId === null ? {} : { parentKey: `a${lookupParentId}` }),
  };
}

function editableBy(key: string, edit: { plan: boolean; actual: boolean }): boolean {
  if (["planStart", "planEnd", "planOwner", "actualOwner", "attrOwner"].includes(key)) return edit.plan;
  return ["actualStart", "actualEnd", "delayReason", "score", "scoreRemark"].includes(key) && edit.actual;
}

async function listHeadFlows(ctx: Ctx, flowIds: readonly number[] | undefined): Promise<HeadFlow[]> {
  const { sql, project } = ctx;
  const chosen = flowIds ? sql`and a.id = any(${[...flowIds]}::bigint[])` : sql``;
  return [
    ...(await sql<HeadFlow[]>`
      select a.id as "flowId", a.name, a.version,
        coalesce((select json_agg(n.activity_id order by n.seq, n.id) from flow_activity n where n.flow_id = a.id and n.activity_id is not null), '[]') as "activityIds",
        coalesce((select json_agg(n.activity_id order by n.seq, n.id) from flow_activity n where n.flow_id = a.id and n.is_milestone and n.activity_id is not null), '[]') as "milestoneIds",
        coalesce((select json_agg(json_build_array(x.activity_id, y.activity_id, r.type, r.offset_days) order by r.id) from flow_relation r
          join flow_activity x on x.id = r.pre_node_id join flow_activity y on y.id = r.node_id
          where r.flow_id = a.id and x.activity_id is not null and y.activity_id is not null), '[]') as relations
      from activity_flow a
      where a.project_id = ${project.id} and a.draft_of is null and a.version > 0 ${chosen}
      order by lower(a.name)`),
  ];
}

type Texts = { columns: Record<string, string>; activityColumns: Record<string, string>; choices: Record<string, Record<string, string>> };

/** Titles of columns and of their fixed choices in the caller's language. */
export function columnTitles(ctx: Pick<Ctx, "locale">) {
  const texts = loadMessages(ctx.locale)["rollout-plan"] as unknown as Texts;
  return {
    du: (key: DuColumnKey) => texts.columns[key] ?? key,
    activity: (key: ActivityColumnKey) => texts.activityColumns[key] ?? key,
    choice: (key: string, value: string) => texts.choices[key]?.[value] ?? value,
  };
}

/** Slots of a flow's activities in the order of its released version, by flow id, with that version. */
export async function readFlowOrders(ctx: {
  sql: Ctx["sql"];
  project: Pick<Ctx["project"], "id">;
}): Promise<Map<number, { version: number; slots: number[] }>> {
  const rows = await ctx.sql<{ id: number; version: number; slots: number[] | null }[]>`
    select a.id, a.version, array_agg(l.slot order by n.seq, n.id)::int[] as slots
    from activity_flow a
    join flow_activity n on n.flow_id = a.id
    join activity_library l on l.id = n.activity_id
    where a.project_id = ${ctx.project.id} and a.draft_of is null
    group by a.id`;
  return new Map(rows.map((row) => [row.id, { version: row.version, slots: row.slots ?? [] }]));
}

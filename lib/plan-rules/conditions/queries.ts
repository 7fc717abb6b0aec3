import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { ModeCtx } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { type ColumnType, type DuColumn, type DuColumnKey, duColumnKeys, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import { attributeColumnType } from "#lib/rollout-plan/columns/logic.ts";
import {
  columnTitles,
  duColumnSql,
  duSource,
  listEveryPlanAttribute,
  listPlanAttributes,
  type PlanAttribute,
} from "#lib/rollout-plan/columns/queries.ts";
import type { ObjectType } from "./limits.ts";
import { type ConditionColumn, type ConditionObject, conditionColumn } from "./logic.ts";

/** How a column's values are asked; null for columns that no condition looks at: plan facts, other DUs, and what is yes or no. */
function objectType(type: ColumnType): ObjectType | null {
  switch (type) {
    case "text":
    case "month":
      return "text";
    case "integer":
    case "number":
      return "number";
    case "date":
    case "time":
    case "datetime":
    case "choice":
      return type;
    default:
      return null;
  }
}

/** Columns that come from the plan of a DU, not from the DU. */
const planColumns: readonly DuColumnKey[] = ["planEndDate", "nextPlanEnd", "icActualEnd", "decomActualEnd", "releaseState"];

/** Everything the caller's conditions on a DU can look at: its fields, then the attributes of the DU that the plan shows, with the choices there are now. */
export async function listConditionObjects(ctx: ModeCtx & Pick<Ctx, "locale" | "scope">): Promise<ConditionObject[]> {
  return makeObjects(ctx, await listPlanAttributes(ctx), ctx.scope.company(ctx.sql`id`));
}

/** Everything stored conditions can look at, whoever asks: for judging DUs, never for a reply. */
export async function listEveryConditionObject(ctx: Pick<Ctx, "sql" | "project" | "locale">): Promise<ConditionObject[]> {
  return makeObjects(ctx, await listEveryPlanAttribute(ctx), ctx.sql`true`);
}

async function makeObjects(
  ctx: Pick<Ctx, "sql" | "project" | "locale">,
  attributes: readonly Omit<PlanAttribute, "mode">[],
  companiesTold: PendingQuery<Row[]>,
): Promise<ConditionObject[]> {
  const { sql, project } = ctx;
  const [regions, companies] = await Promise.all([
    sql<{ id: number; name: string }[]>`
      select id, name from delivery_region where project_id = ${project.id} and deleted_at is null and status = 'ACTIVE' order by sort_no, name`,
    sql<
      { id: number; name: string }[]
    >`select id, name from subcontractor where project_id = ${project.id} and ${companiesTold} order by name collate natural_order`,
  ]);
  const titles = columnTitles(ctx);
  const named = (list: readonly { id: number; name: string }[]) => list.map(({ id, name }) => ({ value: String(id), title: name }));
  const fields = duColumnKeys.flatMap((key): ConditionObject[] => {
    if (planColumns.includes(key)) return [];
    const given = { key: `du.${key}`, ref: { k: "DU" as const, f: key }, title: titles.du(key) };
    if (key === "region") return [{ ...given, type: "choice", choices: named(regions) }];
    if (key === "subcontractor") return [{ ...given, type: "choice", choices: named(companies) }];
    const column: DuColumn = duColumns[key];
    const type = objectType(column.type);
    if (type === null) return [];
    const choices = column.choices?.map((value) => ({ value, title: titles.choice(key, value) }));
    return [{ ...given, type, ...(choices ? { choices } : {}) }];
  });
  const extensions = attributes
    .filter(({ level }) => level === "DU")
    .map(({ id, name, type, enums }): ConditionObject => {
      const key = `a${id}`;
      const kind = objectType(attributeColumnType(type)) ?? "text";
      const choices = enums.map((choice) => ({ value: String(choice.id), title: choice.value }));
      const lookup = type === "LOOKUP_ENUM" ? { lookup: true } : {};
      return { key, ref: { k: "ATTR", key }, title: name, type: kind, ...(kind === "choice" ? { choices, ...lookup } : {}) };
    });
  return [...fields, ...extensions];
}

/** What became of attributes that conditions were written for. */
export type AttributeState = { name: string; type: ObjectType; shown: boolean; deleted: boolean };

/** Attributes of DUs by key, deleted ones too. */
export async function readAttributeStates(
  { sql, project }: Pick<Ctx, "sql"> & { project: { id: number } },
  ids: readonly number[],
): Promise<Map<string, AttributeState>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: number; name: string; type: Parameters<typeof attributeColumnType>[0]; shown: boolean; deleted: boolean }[]>`
    select id, name, type, in_rollout_plan and level = 'DU' as shown, deleted_at is not null as deleted from attribute
    where project_id = ${project.id} and id = any(${[...new Set(ids)]}::bigint[])`;
  return new Map(rows.map(({ id, type, ...row }) => [`a${id}`, { ...row, type: objectType(attributeColumnType(type)) ?? "text" }]));
}

/** DUs in the order of their ids with the columns that were asked for. */
export type ConditionBlock = { duIds: number[]; regionIds: (number | null)[]; columns: Map<string, ConditionColumn> };

/**
 * Values of objects for DUs, read by one statement.
 * @param within condition on the aliases of `duSource`, such as `f.flow_id is null`
 * @param objects types by key; keys that are not among them are left out
 */
export async function readConditionBlock(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  keys: readonly string[],
  objects: ReadonlyMap<string, { type: ObjectType }>,
  { within, after, limit }: { within: PendingQuery<Row[]>; after: number; limit: number },
): Promise<ConditionBlock> {
  const known = keys.filter((key) => objects.has(key));
  const values = known.map((key, at) => {
    const name = sql.unsafe(`c${at}`);
    if (key.startsWith("du.")) return sql`${sql.unsafe(duColumnSql[key.slice(3) as DuColumnKey])} as ${name}`;
    return objects.get(key)!.type === "number"
      ? sql`case when jsonb_typeof(du.ext -> ${key}) = 'number' then (du.ext ->> ${key})::numeric end as ${name}`
      : sql`du.ext ->> ${key} as ${name}`;
  });
  const rows = await sql<({ id: number; region: number | null } & Record<`c${number}`, unknown>)[]>`
    select du.id, du.region_id as region ${values.reduce((left, right) => sql`${left}, ${right}`, sql``)} from ${sql.unsafe(duSource)}
    where du.project_id = ${project.id} and du.deleted_at is null and du.id > ${after} and ${within} order by du.id limit ${limit}`;
  const columns = known.map((key, at): [string, ConditionColumn] => [
    key,
    conditionColumn(
      objects.get(key)!.type,
      rows.map((row) => row[`c${at}`]),
    ),
  ]);
  return { duIds: rows.map(({ id }) => id), regionIds: rows.map(({ region }) => region), columns: new Map(columns) };
}

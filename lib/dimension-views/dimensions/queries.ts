import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { ModeCtx } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { attributeKey } from "#lib/rollout-plan/columns/logic.ts";
import { duColumn, duColumnSql, listPlanAttributes, type PlanAttribute } from "#lib/rollout-plan/columns/queries.ts";
import { type DimensionField, dimensionFields, dimensionTypes, suggestedActivities, suggestionsMax } from "./limits.ts";

/** Where the value of a field comes from, on the aliases `du` and `s` (its site): the plan's columns, and the cluster, which is none. */
const fieldSql: Record<Exclude<DimensionField, "subcontractor">, string> = {
  region: duColumnSql.region,
  cluster: "du.cluster_id",
  deliveryType: duColumnSql.deliveryType,
  productLine: duColumnSql.productLine,
  deliveryBatchNo: duColumnSql.deliveryBatchNo,
  town: duColumnSql.town,
};

/** Something a tab may be cut by: a DU field, or an extension attribute with its name. */
export type Dimension = { key: string; field: DimensionField | null; name: string | null; attributeId: number | null; isEnum: boolean };

const ofField = (key: DimensionField): Dimension => ({ key, field: key, name: null, attributeId: null, isEnum: false });
const ofAttribute = ({ id, name, type }: PlanAttribute): Dimension => ({
  key: attributeKey(id),
  field: null,
  name,
  attributeId: id,
  isEnum: type !== "TEXT",
});

/** Everything a tab may be cut by: enumerations and texts of DUs, then the fields. */
export async function listDimensions(ctx: ModeCtx): Promise<Dimension[]> {
  const attributes = await listPlanAttributes(ctx);
  const fit = attributes.filter(({ level, type }) => level === "DU" && (dimensionTypes as readonly string[]).includes(type));
  return [...fit.map(ofAttribute), ...dimensionFields.map(ofField)];
}

/**
 * What a tab is cut by.
 * @throws NOT_FOUND for a field or attribute there is not, or no longer
 */
export async function getDimension(ctx: ModeCtx, key: string): Promise<Dimension> {
  const found = (await listDimensions(ctx)).find((dimension) => dimension.key === key);
  if (!found) throw new AppError("NOT_FOUND", { object: key });
  return found;
}

/** The value of a DU, on the aliases `du` and `s` (its site): an attribute as jsonb, which may hold several, a field as text. */
export function dimensionValue(ctx: Pick<Ctx, "sql" | "scope">, { key, field }: Dimension): PendingQuery<Row[]> {
  const { sql } = ctx;
  if (field === null) return sql`du.ext -> ${key}`;
  return field === "subcontractor" ? sql`${duColumn(ctx, field)}::text` : sql`${sql.unsafe(fieldSql[field])}::text`;
}

/** Titles of values, as far as they are not their own: names of regions, clusters and companies, texts of enumerations. */
export async function readTitles(ctx: ModeCtx & Pick<Ctx, "scope">, dimension: Dimension): Promise<Map<string, string>> {
  const { sql, project } = ctx;
  const named = async (rows: PromiseLike<{ id: string; title: string }[]>) => new Map((await rows).map(({ id, title }) => [id, title]));
  if (dimension.field === "region")
    return named(
      sql<{ id: string; title: string }[]>`select id::text, name as title from delivery_region where project_id = ${project.id}`,
    );
  if (dimension.field === "cluster")
    return named(sql<{ id: string; title: string }[]>`select id::text, name as title from cluster where project_id = ${project.id}`);
  if (dimension.field === "subcontractor")
    return named(
      sql<
        { id: string; title: string }[]
      >`select id::text, name as title from subcontractor where project_id = ${project.id} and ${ctx.scope.company(sql`id`)}`,
    );
  if (dimension.attributeId !== null && dimension.isEnum)
    return named(
      sql<{ id: string; title: string }[]>`
        select id::text, value as title from attribute_enum where attribute_id = ${dimension.attributeId}
        union all select v.id::text, v.value from lookup_value v join attribute a on a.lookup_list_id = v.list_id where a.id = ${dimension.attributeId}`,
    );
  return new Map();
}

/** A tab an empty view may begin with. */
export type Suggestion = { dimension: string; filled: number; activityIds: number[] };

/** The dimensions with how many DUs the caller sees have a value, and the tabs an empty view suggests: the enumerations with most values, then fields. */
export async function listDimensionChoices(ctx: Ctx): Promise<{ dimensions: Dimension[]; suggestions: Suggestion[] }> {
  const { sql } = ctx;
  const dimensions = await listDimensions(ctx);
  const filled = dimensions.map((dimension) =>
    dimension.field === null
      ? sql`count(*) filter (where du.ext ? ${dimension.key})::int`
      : sql`count(${dimensionValue(ctx, dimension)})::int`,
  );
  const [[row], activityIds] = await Promise.all([
    sql<{ filled: number[] }[]>`
      select array[${filled.reduce((left, right) => sql`${left}, ${right}`)}] as filled
      from du join customer_site s on s.id = du.site_id where ${ctx.scope.where("rollout.view")}`,
    listFirstActivities(ctx),
  ]);
  const count = new Map(dimensions.map(({ key }, at) => [key, row!.filled[at] as number]));
  const suggestions = dimensions
    .filter(({ isEnum, field }) => isEnum || field !== null)
    .map(({ key, isEnum }) => ({ dimension: key, isEnum, filled: count.get(key) as number, activityIds }))
    .filter((given) => given.filled > 0)
    .sort((left, right) => Number(right.isEnum) - Number(left.isEnum) || right.filled - left.filled)
    .slice(0, activityIds.length > 0 ? suggestionsMax : 0)
    .map(({ isEnum: _isEnum, ...rest }) => rest);
  return { dimensions, suggestions };
}

/** What a suggested tab counts: the milestones of released flows, else their first activities, in the order of the flows. */
async function listFirstActivities({ sql, project }: Ctx): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select n.activity_id as id from flow_activity n join activity_flow f on f.id = n.flow_id
    where f.project_id = ${project.id} and f.status = 'released' and f.draft_of is null and n.activity_id is not null
    group by n.activity_id order by bool_or(n.is_milestone) desc, min(n.seq), n.activity_id limit ${suggestedActivities}`;
  return rows.map(({ id }) => id);
}

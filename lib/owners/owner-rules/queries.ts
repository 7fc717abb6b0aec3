import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Sql } from "#db/client.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { conditionValuesMax } from "#lib/plan-rules/conditions/limits.ts";
import { type ConditionObject, type ConditionObjects, refKey } from "#lib/plan-rules/conditions/logic.ts";
import { listConditionObjects, readAttributeStates } from "#lib/plan-rules/conditions/queries.ts";
import { listExecuting } from "#lib/plan-rules/runs/queries.ts";
import { judgeAccounts } from "../people/queries.ts";
import type { FillMode, InvalidReason, RuleField, RuleStatus } from "./limits.ts";
import {
  type FillValue,
  type OwnerRuleFacts,
  type OwnerRuleFault,
  ownerConditionFaults,
  ownerRuleFaults,
  regionsOf,
  type TypedCondition,
} from "./logic.ts";
import { CONDITION_REPEATED } from "./rules.ts";
import type { SaveOwnerRule } from "./schema.ts";

/** Who reads rules: a call, or a run nobody started. */
export type OwnerRuleCtx = { sql: Sql; project: { id: number }; today: string };

/** A rule as it is stored. */
export type OwnerRule = {
  id: number;
  name: string;
  sortNo: number;
  flowIds: number[];
  flowText: string;
  activityIds: number[];
  ownerFields: RuleField[];
  fillMode: FillMode;
  fillValue: FillValue;
  overwrite: boolean;
  description: string | null;
  expireDate: string | null;
  status: RuleStatus;
  invalidReason: InvalidReason | null;
  rowVersion: number;
  createdBy: number;
  conditions: TypedCondition[];
};

const ruleColumns = `r.id, r.name, r.sort_no as "sortNo", r.flow_ids as "flowIds", r.flow_text as "flowText", r.activity_ids as "activityIds",
  r.owner_fields as "ownerFields", r.fill_mode as "fillMode", coalesce(r.fill_value, '{}') as "fillValue", r.overwrite, r.description,
  r.expire_date as "expireDate", r.status, r.invalid_reason as "invalidReason", r.row_version as "rowVersion", r.created_by as "createdBy",
  coalesce((select jsonb_agg(jsonb_build_object('object', case when c.field is null then jsonb_build_object('k', 'ATTR', 'key', 'a' || c.attribute_id)
      else jsonb_build_object('k', 'DU', 'f', c.field) end, 'operator', c.operator, 'values', c.values, 'type', c.type) order by c.seq)
    from owner_rule_condition c where c.rule_id = r.id), '[]') as conditions`;

/**
 * Rules of the project in the order in which they decide.
 * @param ids only these
 * @param lock keeps them as they are until the transaction ends
 */
export async function readOwnerRules(
  { sql, project }: Pick<OwnerRuleCtx, "sql" | "project">,
  { ids, lock = false }: { ids?: readonly number[]; lock?: boolean } = {},
): Promise<OwnerRule[]> {
  const where = sql`r.project_id = ${project.id} and r.deleted_at is null ${ids ? sql`and r.id = any(${[...ids]}::bigint[])` : sql``}`;
  // A statement that has waited for a rule still reads its conditions as they were.
  if (lock) await sql`select 1 from owner_rule r where ${where} order by r.id for update`;
  const rows = await sql<OwnerRule[]>`select ${sql.unsafe(ruleColumns)} from owner_rule r where ${where}`;
  return [...rows].sort((a, b) => a.sortNo - b.sortNo || a.id - b.id);
}

type Resting = Pick<OwnerRule, "flowIds" | "activityIds" | "fillMode" | "fillValue" | "conditions">;

/**
 * What rules rest on, as it is now.
 * @param lock keeps the flows as they are until the transaction ends
 */
export async function readOwnerRuleFacts(
  ctx: OwnerRuleCtx,
  rules: readonly Resting[],
  { lock = false }: { lock?: boolean } = {},
): Promise<OwnerRuleFacts> {
  const { sql, project } = ctx;
  const attributes = rules.flatMap(({ conditions, fillMode, fillValue }) => [
    ...conditions.flatMap(({ object }) => (object.k === "ATTR" ? Number(object.key.slice(1)) : [])),
    ...(fillMode === "ATTRIBUTE" ? [fillValue.attributeId!] : []),
  ]);
  const flows = await sql<{ id: number; name: string; released: boolean }[]>`
    select id, name, status = 'released' as released from activity_flow
    where project_id = ${project.id} and draft_of is null and id = any(${rules.flatMap(({ flowIds }) => flowIds)}::bigint[])
    order by id ${lock ? sql`for share` : sql``}`;
  const activities = await sql<{ id: number; name: string; valid: boolean }[]>`
    select id, name, disabled_at is null as valid from activity_library
    where project_id = ${project.id} and id = any(${rules.flatMap(({ activityIds }) => activityIds)}::bigint[])`;
  const regions = await sql<{ id: number; name: string; valid: boolean }[]>`
    select id, name, deleted_at is null and status = 'ACTIVE' as valid from delivery_region
    where project_id = ${project.id} and id = any(${rules.flatMap(({ conditions }) => regionsOf(conditions))}::bigint[])`;
  const groups = await sql<{ id: number; name: string }[]>`
    select id, name from res_group where project_id = ${project.id} and id = any(${rules.flatMap(({ fillValue }) => fillValue.groupId ?? [])}::bigint[])`;
  const byId = <T extends { id: number }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));
  return {
    today: ctx.today,
    flows: byId(flows),
    activities: byId(activities),
    regions: byId(regions),
    attributes: await readAttributeStates(ctx, attributes),
    groups: new Map(groups.map(({ id, name }) => [id, name])),
  };
}

/** A typed rule as it is stored: its people as ids, its conditions with the type of what they look at, the names of its flows. */
export type CheckedOwnerRule = Pick<
  OwnerRule,
  "flowIds" | "flowText" | "activityIds" | "fillMode" | "fillValue" | "conditions" | "expireDate"
>;

/**
 * A rule that was typed, with everything it names found and its conditions judged.
 * @throws NOT_FOUND for what is of another project, CONDITION_REPEATED, what is wrong with conditions at their row and part
 */
export async function checkOwnerRule(ctx: Ctx, input: SaveOwnerRule): Promise<CheckedOwnerRule & { objects: ConditionObjects }> {
  const { sql, project } = ctx;
  const objects = new Map((await listConditionObjects(ctx)).map((object) => [object.key, object]));
  const flows = await sql<{ id: number; name: string }[]>`
    select id, name from activity_flow where project_id = ${project.id} and draft_of is null and id = any(${input.flowIds}::bigint[])`;
  const activities = await sql<{ id: number }[]>`
    select id from activity_library where project_id = ${project.id} and id = any(${input.activityIds}::bigint[])`;
  const names = new Map(flows.map(({ id, name }) => [id, name]));
  const known = new Set(activities.map(({ id }) => id));
  const problems: Problem[] = [];
  const missing = (path: string, object: string | number) => problems.push({ path, code: "NOT_FOUND", params: { object } });
  for (const id of input.flowIds) if (!names.has(id)) missing("flowIds", id);
  for (const id of input.activityIds) if (!known.has(id)) missing("activityIds", id);
  const keys = input.conditions.map(({ object }) => refKey(object));
  keys.forEach((key, at) => {
    problems.push(...brokenRules([CONDITION_REPEATED], { key, before: keys.slice(0, at) }, `conditions.${at}.object`));
  });
  for (const { row, part, code, params } of ownerConditionFaults(input.conditions, objects, conditionValuesMax))
    problems.push({ path: `conditions.${row}.${part}`, code, ...(params && { params }) });
  const fill = await checkFill(ctx, input, objects, problems);
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, problems);
  const { flowIds, activityIds, fillMode, expireDate } = input;
  return {
    flowIds,
    activityIds,
    fillMode,
    expireDate,
    fillValue: fill,
    flowText: flowIds.map((id) => names.get(id)).join(", "),
    conditions: input.conditions.map((condition) => ({ ...condition, type: objects.get(refKey(condition.object))!.type })),
    objects,
  };
}

async function checkFill(
  ctx: Ctx,
  { fillMode, fillValue }: SaveOwnerRule,
  objects: ReadonlyMap<string, ConditionObject>,
  problems: Problem[],
): Promise<FillValue> {
  switch (fillMode) {
    case "ATTRIBUTE": {
      const { attributeId } = fillValue as { attributeId: number };
      if (objects.get(`a${attributeId}`)?.type !== "text")
        problems.push({ path: "fillValue.attributeId", code: "NOT_FOUND", params: { object: attributeId } });
      return { attributeId };
    }
    case "FIXED": {
      const { ids, refuse } = await judgeAccounts(ctx, fillValue.accounts!);
      const params = refuse(fillValue.accounts!);
      if (params) problems.push({ path: "fillValue.accounts", code: "OWNER_NOT_RESOURCE", params });
      return { userIds: [...new Set(ids.values())] };
    }
    case "GROUP_LEADER": {
      const groupId = fillValue.groupId!;
      const [group] = await ctx.sql`select 1 from res_group where id = ${groupId} and project_id = ${ctx.project.id}`;
      if (!group) problems.push({ path: "fillValue.groupId", code: "NOT_FOUND", params: { object: groupId } });
      return { groupId };
    }
    default:
      return {};
  }
}

/** A rule with what a list shows of it. */
export type OwnerRuleRow = OwnerRule & {
  /** What keeps the rule from being enabled now. */
  faults: OwnerRuleFault[];
  executing: boolean;
  updatedByName: string;
  updatedAt: Date;
};

const orders: Record<string, string> = {
  sortNo: "r.sort_no",
  name: "r.name collate natural_order",
  status: "r.status",
  expireDate: "r.expire_date",
  updatedAt: "r.updated_at",
};

/** A page of the rules, in the order in which they decide. */
export async function listOwnerRules(ctx: Ctx, input: ListInput): Promise<Page<OwnerRuleRow>> {
  const { sql, project } = ctx;
  const where = input.filters.reduce<PendingQuery<Row[]>>(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    sql`r.project_id = ${project.id} and r.deleted_at is null`,
  );
  const order = (input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir} nulls last`).concat("r.sort_no", "r.id");
  const rows = await sql<(OwnerRule & { updatedByName: string; updatedAt: Date; total: number })[]>`
    select ${sql.unsafe(ruleColumns)}, u.name as "updatedByName", r.updated_at as "updatedAt", count(*) over ()::int as total
    from owner_rule r join app_user u on u.id = r.updated_by
    where ${where} order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const facts = await readOwnerRuleFacts(ctx, rows);
  const executing = await listExecuting(ctx, "OWNER");
  return {
    records: rows.map(({ total: _total, ...row }) => ({ ...row, faults: ownerRuleFaults(row, facts), executing: executing.has(row.id) })),
    total: rows[0]?.total ?? 0,
    page: input.page,
    size: input.size,
  };
}

function condition({ sql }: Ctx, { field, values }: Filter): PendingQuery<Row[]> {
  const texts = values.map(String);
  switch (field) {
    case "status":
      return sql`r.status = any(${texts}::text[])`;
    case "fillMode":
      return sql`r.fill_mode = any(${texts}::text[])`;
    case "field":
      return sql`r.owner_fields && ${texts}::text[]`;
    case "flowId":
      return sql`r.flow_ids && ${values.map(Number).filter(Number.isSafeInteger)}::bigint[]`;
    default:
      return sql`position(lower(${texts[0] ?? ""}) in lower(r.name)) > 0`;
  }
}

/** A person as a rule names him. */
export type NamedPerson = { id: number; account: string; name: string };

/** A rule with what a form about it can choose from; without `id` the choices alone. */
export type OwnerRuleDetail = {
  rule: (OwnerRule & { people: NamedPerson[] }) | null;
  objects: ConditionObject[];
  flows: { id: number; name: string; activityIds: number[] }[];
  activities: { id: number; name: string }[];
  groups: { id: number; name: string }[];
};

/** A rule, and what its conditions, flows and activities can be. @throws NOT_FOUND */
export async function getOwnerRule(ctx: Ctx, { id }: { id?: number | undefined }): Promise<OwnerRuleDetail> {
  const { sql, project } = ctx;
  const [rule] = id === undefined ? [] : await readOwnerRules(ctx, { ids: [id] });
  if (id !== undefined && !rule) throw new AppError("NOT_FOUND", { object: id });
  const people = rule?.fillValue.userIds ?? [];
  const [objects, flows, activities, groups, named] = await Promise.all([
    listConditionObjects(ctx),
    sql<{ id: number; name: string; activityIds: number[] }[]>`
      select f.id, f.name, coalesce((select array_agg(a.activity_id) from flow_activity a where a.flow_id = f.id and a.activity_id is not null), '{}') as "activityIds"
      from activity_flow f where f.project_id = ${project.id} and f.draft_of is null
        and (f.status = 'released' or f.id = any(${rule?.flowIds ?? []}::bigint[])) order by f.name collate natural_order`,
    sql<{ id: number; name: string }[]>`
      select id, name from activity_library where project_id = ${project.id} and (disabled_at is null or id = any(${rule?.activityIds ?? []}::bigint[]))
      order by name collate natural_order`,
    sql<
      { id: number; name: string }[]
    >`select id, name from res_group where project_id = ${project.id} order by name collate natural_order`,
    sql<NamedPerson[]>`
      select u.id, u.account, u.name from unnest(${people}::bigint[]) with ordinality p(id, place) join app_user u on u.id = p.id order by p.place`,
  ]);
  return {
    rule: rule ? { ...rule, people: [...named] } : null,
    objects,
    flows: [...flows],
    activities: [...activities],
    groups: [...groups],
  };
}

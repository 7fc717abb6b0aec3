import "server-only";
import type { Sql } from "#db/client.ts";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { conditionValuesMax, type ObjectType } from "#lib/plan-rules/conditions/limits.ts";
import type { ConditionRow } from "#lib/plan-rules/conditions/logic.ts";
import { type ConditionObject, conditionFaults, refKey } from "#lib/plan-rules/conditions/logic.ts";
import { listConditionObjects, listEveryConditionObject, readAttributeStates } from "#lib/plan-rules/conditions/queries.ts";
import type { InvalidReason, RuleStatus } from "./limits.ts";
import { type RuleFacts, type RuleFault, regionsOf, ruleFaults } from "./logic.ts";
import type { FlowRuleInput } from "./schema.ts";

/** Who reads rules: a call, or a run nobody started. */
export type RuleCtx = { sql: Sql; project: { id: number } };

/** A rule as it is stored. */
export type FlowRule = {
  id: number;
  name: string;
  flowId: number;
  regionId: number | null;
  priority: number;
  conditions: (ConditionRow & { type: ObjectType })[];
  status: RuleStatus;
  invalidReason: InvalidReason | null;
  rowVersion: number;
};

/**
 * Rules of the project by priority.
 * @param ids only these
 * @param lock keeps them as they are until the transaction ends
 */
export async function readRules(
  { sql, project }: RuleCtx,
  { ids, lock = false }: { ids?: readonly number[]; lock?: boolean } = {},
): Promise<FlowRule[]> {
  const rows = await sql<FlowRule[]>`
    select id, name, flow_id as "flowId", region_id as "regionId", priority, conditions, status, invalid_reason as "invalidReason", row_version as "rowVersion"
    from du_flow_rule where project_id = ${project.id} ${ids ? sql`and id = any(${[...ids]}::bigint[])` : sql``}
    order by id ${lock ? sql`for update` : sql``}`;
  return [...rows].sort((a, b) => a.priority - b.priority);
}

/**
 * What rules rest on, as it is now.
 * @param lock keeps the flows as they are until the transaction ends
 */
export async function readRuleFacts(
  ctx: RuleCtx,
  rules: readonly Pick<FlowRule, "flowId" | "regionId" | "conditions">[],
  { lock = false }: { lock?: boolean } = {},
): Promise<RuleFacts> {
  const { sql, project } = ctx;
  const regions = rules.flatMap(regionsOf);
  const attributes = rules.flatMap(({ conditions }) =>
    conditions.flatMap(({ object }) => (object.k === "ATTR" ? Number(object.key.slice(1)) : [])),
  );
  const flowRows = await sql<{ id: number; name: string; released: boolean }[]>`
    select id, name, status = 'released' as released from activity_flow
    where project_id = ${project.id} and draft_of is null and id = any(${rules.map(({ flowId }) => flowId)}::bigint[]) order by id ${lock ? sql`for share` : sql``}`;
  const regionRows = await sql<{ id: number; name: string; valid: boolean }[]>`
    select id, name, deleted_at is null and status = 'ACTIVE' as valid from delivery_region where project_id = ${project.id} and id = any(${regions}::bigint[])`;
  return {
    flows: new Map(flowRows.map(({ id, ...row }) => [id, row])),
    regions: new Map(regionRows.map(({ id, ...row }) => [id, row])),
    attributes: await readAttributeStates(ctx, attributes),
  };
}

type Condition = ConditionRow & { type?: ObjectType };
const isHidden = ({ object }: Pick<Condition, "object">, hidden: ReadonlySet<number>): boolean =>
  object.k === "ATTR" && hidden.has(Number(object.key.slice(1)));

/** Conditions as somebody sees them from whom some attributes are hidden: what they ask of those is left out. */
const withoutHidden = <Row extends Condition>(conditions: readonly Row[], hidden: ReadonlySet<number>): Row[] =>
  conditions.map((row) => (isHidden(row, hidden) ? { ...row, values: [] } : row));

/** Conditions as they were typed, with what is hidden from the person as it is stored: the rows of a hidden attribute in their order. */
function keepHidden(typed: readonly ConditionRow[], stored: readonly ConditionRow[], hidden: ReadonlySet<number>): ConditionRow[] {
  const kept = stored.filter((row) => isHidden(row, hidden));
  return typed.map((row) => {
    const at = isHidden(row, hidden) ? kept.findIndex((one) => refKey(one.object) === refKey(row.object)) : -1;
    const [found] = at >= 0 ? kept.splice(at, 1) : [];
    return found ? { ...row, operator: found.operator, values: found.values } : row;
  });
}

/**
 * A rule that was typed, with its conditions judged and typed. Conditions on attributes that are hidden from the person stay as they are stored.
 * @param stored the conditions the rule has
 * @throws NOT_FOUND for a flow or region of another project, what is wrong with conditions at their row and part
 */
export async function checkRule(
  ctx: Ctx,
  input: FlowRuleInput,
  stored: readonly ConditionRow[] = [],
): Promise<Pick<FlowRule, "flowId" | "regionId" | "conditions"> & { objects: Map<string, ConditionObject> }> {
  const { sql, project } = ctx;
  const [visible, every, hidden] = await Promise.all([listConditionObjects(ctx), listEveryConditionObject(ctx), readHidden(ctx)]);
  const keptKeys = new Set(stored.filter((row) => isHidden(row, hidden)).map(({ object }) => refKey(object)));
  const objects = new Map([...visible, ...every.filter(({ key }) => keptKeys.has(key))].map((object) => [object.key, object]));
  const given = keepHidden(input.conditions, stored, hidden);
  const [found] = await sql<{ flow: boolean; region: boolean }[]>`
    select exists (select from activity_flow where id = ${input.flowId} and project_id = ${project.id} and draft_of is null) as flow,
      ${input.regionId}::bigint is null or exists (
        select from delivery_region where id = ${input.regionId} and project_id = ${project.id} and deleted_at is null) as region`;
  const problems: Problem[] = [];
  if (!found!.flow) problems.push({ path: "flowId", code: "NOT_FOUND", params: { object: input.flowId } });
  if (!found!.region) problems.push({ path: "regionId", code: "NOT_FOUND", params: { object: input.regionId! } });
  for (const { row, part, code, params } of conditionFaults(given, objects, conditionValuesMax))
    problems.push({ path: `conditions.${row}.${part}`, code, ...(params && { params }) });
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, problems);
  const conditions = given.map((row) => ({ ...row, type: objects.get(refKey(row.object))!.type }));
  return { flowId: input.flowId, regionId: input.regionId, conditions, objects };
}

/** Rules named by runs that are not over. A daily run that nobody has finished within the hour holds nothing any more. */
export async function listExecuting({ sql, project }: RuleCtx, now: Date): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select distinct unnest(r.rule_ids) as id from du_flow_run r left join task t on t.id = r.task_id
    where r.project_id = ${project.id} and r.finished_at is null
      and (t.status in ('queued', 'running') or (r.task_id is null and r.started_at > ${new Date(now.getTime() - 3_600_000)}))`;
  return new Set(rows.map(({ id }) => id));
}

export type FlowRuleRow = FlowRule & {
  flowName: string;
  regionName: string | null;
  /** What keeps the rule from being enabled now. */
  faults: RuleFault[];
  executing: boolean;
  /** DUs bound by the rule that still follow its flow, as far as counts are shown. */
  duCount: number | null;
  lastRunAt: Date | null;
  updatedByName: string;
  updatedAt: Date;
};

/** The rules of the project by priority, with what their conditions can look at. */
export async function listFlowRules(ctx: Ctx): Promise<{ rules: FlowRuleRow[]; objects: ConditionObject[] }> {
  const { sql, project } = ctx;
  const rules = await readRules(ctx);
  const [known, hidden] = await Promise.all([readRuleFacts(ctx, rules), readHidden(ctx)]);
  const { hiddenAttribute } = loadMessages(ctx.locale)["flow-rules"] as { hiddenAttribute: string };
  const facts = {
    ...known,
    attributes: new Map(
      [...known.attributes].map(([key, state]) => [key, hidden.has(Number(key.slice(1))) ? { ...state, name: hiddenAttribute } : state]),
    ),
  };
  const named = new Set(
    rules.flatMap(({ conditions }) => conditions.filter((row) => isHidden(row, hidden)).map(({ object }) => refKey(object))),
  );
  const unseen = (await listEveryConditionObject(ctx)).filter(({ key }) => named.has(key));
  const executing = await listExecuting(ctx, ctx.now);
  const more = await sql<Pick<FlowRuleRow, "id" | "flowName" | "regionName" | "duCount" | "lastRunAt" | "updatedByName" | "updatedAt">[]>`
    select r.id, f.name as "flowName", g.name as "regionName", r.last_run_at as "lastRunAt", u.name as "updatedByName", r.updated_at as "updatedAt",
      (select count(*)::int from du_flow b join du on du.id = b.du_id where b.rule_id = r.id and b.unbound_at is null and ${ctx.scope.where("flow.view")}) as "duCount"
    from du_flow_rule r join activity_flow f on f.id = r.flow_id left join delivery_region g on g.id = r.region_id join app_user u on u.id = r.updated_by
    where r.project_id = ${project.id}`;
  const counted = ctx.can("rollout.duCountHide");
  const byId = new Map(more.map((row) => [row.id, row]));
  return {
    rules: rules.map((rule) => {
      const { duCount, ...row } = byId.get(rule.id)!;
      return {
        ...rule,
        conditions: withoutHidden(rule.conditions, hidden),
        ...row,
        duCount: counted ? null : duCount,
        faults: ruleFaults(rule, facts),
        executing: executing.has(rule.id),
      };
    }),
    objects: [
      ...(await listConditionObjects(ctx)),
      ...unseen.map(
        ({ key, ref, type }): ConditionObject => ({
          key,
          ref,
          type,
          title: hiddenAttribute,
          ...(type === "choice" ? { choices: [] } : {}),
        }),
      ),
    ],
  };
}

import "server-only";
import { createTranslator } from "use-intl/core";
import type { z } from "zod";
import { projectTime } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import type { Locale } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { conditionValuesMax } from "#lib/plan-rules/conditions/limits.ts";
import {
  type ConditionFault,
  type ConditionObject,
  conditionFaults,
  hasSpecialCharacter,
  refKey,
} from "#lib/plan-rules/conditions/logic.ts";
import { type FieldCatalog, listFieldCatalog, type RuleField } from "#lib/plan-rules/fields/queries.ts";
import { actDates, dateColumns, frequencyDefault, type RuleType } from "#lib/plan-rules/limits.ts";
import {
  activitiesOf,
  attributeId,
  attributeOf,
  attributesOf,
  fieldKey,
  filterRows,
  findLoop,
  isSameRule,
  type PlanRule,
  type RuleAction,
  type RuleFacts,
  type RuleFault,
  regionsOf,
  regionsOverlap,
  ruleEdges,
  ruleFaults,
  ruleSentence,
  type SourceRef,
  storedValue,
  valueKind,
} from "#lib/plan-rules/logic.ts";
import { listExecuting } from "#lib/plan-rules/runs/queries.ts";
import { nextRun } from "#lib/plan-rules/slots/logic.ts";
import type { AttributeType } from "#lib/rollout-plan/columns/limits.ts";
import { columnTitles } from "#lib/rollout-plan/columns/queries.ts";
import { actionRules, DATE_ORDER, RULE_EVENT_FIELD, wholePaths, wholeRules } from "./rules.ts";
import type { CheckRepeated, FindDates, PlanRuleInput } from "./schema.ts";

/** Who reads rules: a call, or a run nobody started. */
export type RuleCtx = Pick<Ctx, "sql"> & { project: { id: number } };

type Texts = (key: string, values?: Record<string, string | number>) => string;

/** Text of the rules in a language. */
export function ruleTexts(lang: Locale): Texts {
  return createTranslator({ locale: lang, messages: loadMessages(lang), namespace: "plan-rules", onError: () => {} }) as unknown as Texts;
}

type Stored = Omit<PlanRule, "lastSlot"> & { lastSlot: string | null };

/**
 * Rules of the project by priority, deleted ones left out.
 * @param ids only these
 * @param lock keeps them as they are until the transaction ends
 */
export async function readRules(
  { sql, project }: RuleCtx,
  { ids, flowId, effective = false, lock = false }: { ids?: readonly number[]; flowId?: number; effective?: boolean; lock?: boolean } = {},
): Promise<PlanRule[]> {
  const where = sql`r.project_id = ${project.id} and r.deleted_at is null ${ids ? sql`and r.id = any(${[...ids]}::bigint[])` : sql``}
    ${flowId === undefined ? sql`` : sql`and r.flow_id = ${flowId}`} ${effective ? sql`and r.status = 'EFFECTIVE'` : sql``}`;
  if (lock) await sql`select 1 from plan_rule r where ${where} order by r.id for update`;
  const rows = await sql<Stored[]>`
    select r.id, r.name, r.rule_type as "ruleType", r.flow_id as "flowId", r.region_ids as "regionIds", r.du_filter as "duFilter", r.status,
      r.invalid_reason as "invalidReason", r.events, r.since_seq as "sinceSeq", r.effective_at as "effectiveAt", r.expire_date as "expireDate",
      r.auto_execute as "autoExecute", r.frequency_hours as frequency, to_char(r.last_slot, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "lastSlot", r.next_run_at as "nextRunAt",
      r.sort_no as "sortNo", r.description, r.row_version as "rowVersion", r.created_by as "createdBy", r.created_at as "createdAt",
      coalesce((select json_agg(json_build_object('open', c.open_count, 'object', c.object, 'type', c.object_type, 'operator', c.operator, 'values', c."values",
          'close', c.close_count, 'logic', c.logic) order by c.seq) from plan_rule_condition c where c.rule_id = r.id), '[]') as conditions,
      coalesce((select json_agg(json_build_object('sources', a.sources, 'aggregate', a.aggregate, 'blanks', a.blanks, 'offset', a.offset_days,
          'target', a.target, 'types', a.types, 'overwrite', a.overwrite) order by a.seq) from plan_rule_action a where a.rule_id = r.id), '[]') as actions
    from plan_rule r where ${where} order by r.sort_no, r.id`;
  return rows.map(({ lastSlot, ...rule }) => ({ ...rule, lastSlot: lastSlot === null ? null : new Date(lastSlot) }));
}

/** One rule. @throws NOT_FOUND */
export async function getRule(ctx: RuleCtx, id: number, lock = false): Promise<PlanRule> {
  const [rule] = await readRules(ctx, { ids: [id], lock });
  if (!rule) throw new AppError("NOT_FOUND", { object: id });
  return rule;
}

type Resting = Pick<PlanRule, "flowId" | "regionIds" | "duFilter" | "conditions" | "actions" | "events">;

/**
 * What rules rest on, as it is now.
 * @param lock keeps the flows as they are until the transaction ends
 */
export async function readRuleFacts(
  { sql, project, today }: RuleCtx & Pick<Ctx, "today">,
  rules: readonly Resting[],
  { lock = false }: { lock?: boolean } = {},
): Promise<RuleFacts> {
  const flowIds = [...new Set(rules.map(({ flowId }) => flowId))];
  const attributes = [...new Set(rules.flatMap(attributesOf))].map(attributeId);
  if (lock)
    await sql`select 1 from activity_flow where project_id = ${project.id} and id = any(${flowIds}::bigint[]) order by id for share`;
  const [flows, regions, activities, states] = [
    await sql<{ id: number; name: string; released: boolean; activities: number[] }[]>`
      select f.id, f.name, f.status = 'released' and f.draft_of is null as released,
        coalesce((select array_agg(n.activity_id) from flow_activity n where n.flow_id = f.id and n.activity_id is not null), '{}') as activities
      from activity_flow f where f.project_id = ${project.id} and f.id = any(${flowIds}::bigint[])`,
    await sql<{ id: number; name: string; valid: boolean }[]>`
      select id, name, deleted_at is null and status = 'ACTIVE' as valid from delivery_region
      where project_id = ${project.id} and id = any(${[...new Set(rules.flatMap(regionsOf))]}::bigint[])`,
    await sql<{ id: number; name: string; valid: boolean; milestone: boolean }[]>`
      select l.id, l.name, l.disabled_at is null as valid, l.kind = 'milestone' or exists (
        select from flow_activity n where n.activity_id = l.id and n.is_milestone and n.flow_id = any(${flowIds}::bigint[])) as milestone
      from activity_library l where l.project_id = ${project.id} and l.id = any(${[...new Set(rules.flatMap(activitiesOf))]}::bigint[])`,
    await readAttributeFacts({ sql, project }, attributes),
  ] as const;
  return {
    flows: new Map(flows.map(({ id, activities: all, ...row }) => [id, { ...row, activities: new Set(all) }])),
    regions: new Map(regions.map(({ id, ...row }) => [id, row])),
    activities: new Map(activities.map(({ id, ...row }) => [id, row])),
    attributes: states,
    today,
  };
}

const objectTypes = { day: "date", datetime: "datetime", time: "time", number: "number", text: "text", enum: "choice" } as const;

async function readAttributeFacts({ sql, project }: RuleCtx, ids: readonly number[]): Promise<RuleFacts["attributes"]> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: number; name: string; type: AttributeType; shown: boolean; deleted: boolean }[]>`
    select id, name, type, in_rollout_plan and level in ('DU', 'ACTIVITY') as shown, deleted_at is not null as deleted from attribute
    where project_id = ${project.id} and id = any(${[...ids]}::bigint[])`;
  return new Map(rows.map(({ id, ...row }) => [`a${id}`, { ...row, choice: objectTypes[valueKind(row.type)] }]));
}

/** A rule that was typed, as it would be stored. */
export type CheckedRule = Pick<
  PlanRule,
  | "name"
  | "ruleType"
  | "flowId"
  | "regionIds"
  | "duFilter"
  | "events"
  | "effectiveAt"
  | "expireDate"
  | "autoExecute"
  | "frequency"
  | "conditions"
  | "actions"
> & { description: string | null; catalog: FieldCatalog };

const noFrequency: readonly RuleType[] = ["EXT_EVENT", "ORG_TARGET"];

/**
 * A rule that was typed, judged and with the types of what it names.
 * @throws NOT_FOUND for a flow or region of another project; everything that is wrong, at its row and field
 */
export async function checkRule(ctx: Ctx, input: PlanRuleInput): Promise<CheckedRule> {
  const { sql, project } = ctx;
  const catalog = await listFieldCatalog(ctx, input.flowId);
  const objects = new Map(catalog.objects.map((object) => [object.key, object]));
  const [found] = await sql<{ flow: boolean; regions: number[] }[]>`
    select exists (select from activity_flow where id = ${input.flowId} and project_id = ${project.id} and draft_of is null) as flow,
      coalesce((select array_agg(id) from delivery_region
        where id = any(${input.regionIds}::bigint[]) and project_id = ${project.id} and deleted_at is null), '{}') as regions`;
  const problems: Problem[] = [];
  if (!found!.flow) problems.push({ path: "flowId", code: "NOT_FOUND", params: { object: input.flowId } });
  for (const id of input.regionIds)
    if (!found!.regions.includes(id)) problems.push({ path: "regionIds", code: "NOT_FOUND", params: { object: id } });
  problems.push(...conditionProblems(input, objects));
  if (input.ruleType === "ORG_TARGET" && input.conditions.length > 0)
    problems.push({ path: "conditions", code: "TOO_MANY", params: { max: 0 } });
  problems.push(...actionProblems(input, catalog), ...eventProblems(input, catalog));
  const effectiveDay = input.effectiveAt && projectTime(input.effectiveAt, project.tzOffset).toISOString().slice(0, 10);
  problems.push(...brokenRules([DATE_ORDER], { effectiveDay, expireDate: input.expireDate }, "expireDate"));
  const [first] = problems;
  if (first) throw new AppError(first.code, first.params, problems);
  const types = new Map(catalog.attributes.map(({ id, type }) => [`a${id}`, type]));
  const timed = input.autoExecute && !noFrequency.includes(input.ruleType);
  return {
    ...input,
    description: input.description || null,
    events: input.ruleType === "EXT_EVENT" ? input.events : null,
    autoExecute: input.ruleType === "EXT_EVENT" || (input.ruleType !== "ORG_TARGET" && input.autoExecute),
    frequency: timed ? (input.frequency ?? frequencyDefault) : null,
    conditions: input.conditions.map((row) => ({ ...row, type: objects.get(refKey(row.object))!.type })),
    actions: input.actions.map((action) => ({ ...action, types: typesOf(action, types) })),
    catalog,
  };
}

type Asked = Pick<PlanRuleInput, "duFilter" | "conditions">;

function conditionProblems({ duFilter, conditions }: Asked, objects: ReadonlyMap<string, ConditionObject>): Problem[] {
  const problems: Problem[] = [];
  const tell = (path: string, faults: readonly ConditionFault[]) => {
    for (const { row, part, code, params } of faults) problems.push({ path: `${path}.${row}.${part}`, code, ...(params && { params }) });
  };
  duFilter.forEach(({ type }, row) => {
    if (type === "preset") problems.push({ path: `duFilter.${row}.type`, code: "RELATIVE_VALUE" });
  });
  tell(
    "duFilter",
    conditionFaults(
      filterRows(duFilter, (key) => objects.get(key)?.type),
      objects,
      conditionValuesMax,
    ),
  );
  tell("conditions", conditionFaults(conditions, objects, conditionValuesMax));
  return problems;
}

/** Conditions that are being typed, with the types of what they look at. @throws what is wrong with them */
export async function checkConditions(ctx: Ctx, input: Asked & { flowId: number }): Promise<PlanRule["conditions"]> {
  const catalog = await listFieldCatalog(ctx, input.flowId);
  const objects = new Map(catalog.objects.map((object) => [object.key, object]));
  const problems = conditionProblems(input, objects);
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  return input.conditions.map((row) => ({ ...row, type: objects.get(refKey(row.object))!.type }));
}

function typesOf({ sources, target }: RuleAction, types: ReadonlyMap<string, AttributeType>): Record<string, AttributeType> {
  const keys = [...sources, target].flatMap((ref) => attributeOf(ref) ?? []);
  return Object.fromEntries(keys.flatMap((key) => (types.has(key) ? [[key, types.get(key)!]] : [])));
}

function actionProblems(input: PlanRuleInput, { fields, attributes }: FieldCatalog): Problem[] {
  const known = new Map(fields.map((field) => [field.key, field]));
  const kindOf = (ref: SourceRef) => (ref.k === "FIXED" ? "text" : (known.get(fieldKey(ref))?.kind ?? null));
  const problems: Problem[] = [];
  input.actions.forEach((action, row) => {
    for (const { part, rule } of actionRules)
      problems.push(...brokenRules([rule], { ruleType: input.ruleType, action, kindOf }, `actions.${row}.${part}`));
    const key = attributeOf(action.target);
    const attribute = attributes.find(({ id }) => `a${id}` === key);
    for (const source of action.sources) {
      if (source.k !== "FIXED" || !attribute) continue;
      if (typeof source.value === "string" && hasSpecialCharacter(source.value) && valueKind(attribute.type) === "text")
        problems.push({ path: `actions.${row}.sources`, code: "SPECIAL_CHARACTERS", params: { value: source.value } });
      const value = storedValue(attribute, source.value);
      if ("code" in value) problems.push({ path: `actions.${row}.sources`, ...value });
    }
  });
  for (const { path, ...problem } of brokenRules(wholeRules, input, "actions"))
    problems.push({ ...problem, path: wholePaths[problem.code as keyof typeof wholePaths] ?? path });
  return problems;
}

function eventProblems({ events }: PlanRuleInput, catalog: FieldCatalog): Problem[] {
  const activities = new Set(catalog.activities.map(({ id }) => id));
  const attributes = new Set(catalog.attributes.map(({ id }) => id));
  return events.flatMap((event, row) => brokenRules([RULE_EVENT_FIELD], { event, activities, attributes }, `events.${row}`));
}

/**
 * Refuses a rule that says what another says, or that would close a circle with those in force.
 * @throws RULE_DUPLICATE, RULE_LOOP with the fields of the circle
 */
export async function guardOthers(_ctx: RuleCtx & Pick<Ctx, "locale">, rule: CheckedRule, others: readonly PlanRule[]): Promise<void> {
  const same = others.find((other) => isSameRule(rule, other));
  if (same) throw new AppError("RULE_DUPLICATE", { name: same.name }, [], { ruleId: same.id, ruleName: same.name });
  const path = loopOf(rule, others);
  if (!path) return;
  const titles = new Map(rule.catalog.fields.map(({ key, title }) => [key, title]));
  throw new AppError("RULE_LOOP", { path: path.map((key) => titles.get(key) ?? key).join(" -> ") }, [], { path });
}

/** The circle a rule would close with the others in force of its flow, by the keys of its fields. */
export function loopOf(rule: Pick<PlanRule, "flowId" | "actions">, others: readonly PlanRule[]): string[] | null {
  const inForce = others.filter(({ flowId, status }) => flowId === rule.flowId && status === "EFFECTIVE");
  return findLoop(
    ruleEdges(rule.actions),
    inForce.flatMap(({ actions }) => ruleEdges(actions)),
  );
}

/** A rule in force that fills the same field for some of the same DUs. */
export type Overlap = { ruleId: number; name: string; field: string };

/** Rules in force that fill a field of this one too. */
export function overlapsOf(
  rule: Pick<CheckedRule, "flowId" | "regionIds" | "actions" | "catalog">,
  others: readonly PlanRule[],
): Overlap[] {
  const titles = new Map(rule.catalog.fields.map(({ key, title }) => [key, title]));
  const mine = new Set(rule.actions.map(({ target }) => fieldKey(target)));
  return others.flatMap(({ id, name, status, flowId, regionIds, actions }) => {
    if (status !== "EFFECTIVE" || flowId !== rule.flowId || !regionsOverlap(regionIds, rule.regionIds)) return [];
    const shared = actions.map(({ target }) => fieldKey(target)).find((key) => mine.has(key));
    return shared === undefined ? [] : [{ ruleId: id, name, field: titles.get(shared) ?? shared }];
  });
}

/** Whether a rule like the one that is typed is there already. [RUL-32] */
export async function checkRepeated(
  ctx: Ctx,
  { ruleType, rule, excludeId }: z.output<typeof CheckRepeated>,
): Promise<{ repeated: boolean; ruleId?: number; ruleName?: string }> {
  const typed = { ...rule, ruleType, events: ruleType === "EXT_EVENT" ? rule.events : null };
  const others = await readRules(ctx, { flowId: rule.flowId });
  const same = others.find((other) => other.id !== excludeId && isSameRule(typed, other));
  return same ? { repeated: true, ruleId: same.id, ruleName: same.name } : { repeated: false };
}

/** What the editor of a rule offers; lists of choices that many objects share are told once. */
export type RuleObjects = Pick<FieldCatalog, "objects" | "fields" | "activities"> & { lists: NonNullable<ConditionObject["choices"]>[] };

/** What conditions of a flow can look at, what rules can read and fill, and its activities. Shared choices are places in `lists`, as `choices: []` with `list`. */
export async function listObjects(ctx: Ctx, { flowId }: { flowId?: number | undefined }): Promise<RuleObjects> {
  const { objects, fields, activities } = await listFieldCatalog(ctx, flowId ?? null);
  const lists: RuleObjects["lists"] = [];
  const places = new Map<unknown, number>();
  return {
    activities,
    fields,
    objects: objects.map((object) => {
      if (!object.choices) return object;
      let list = places.get(object.choices);
      if (list === undefined) {
        list = lists.push(object.choices) - 1;
        places.set(object.choices, list);
      }
      return { ...object, choices: [], list };
    }),
    lists,
  };
}

/** A field that can be used as a date. */
export type DateField = Pick<RuleField, "key" | "ref" | "title">;

/** Dates that rules of a flow can read, fill or ask: those of its activities, and attributes that are dates. [RUL-33] */
export async function findDates(ctx: Ctx, { flowId, usage }: z.output<typeof FindDates>): Promise<{ fields: DateField[] }> {
  const { fields } = await listFieldCatalog(ctx, flowId ?? null);
  return {
    fields: fields
      .filter(({ kind, fillable }) => (kind === "day" || kind === "datetime") && (usage !== "TARGET" || fillable))
      .map(({ key, ref, title }) => ({ key, ref, title })),
  };
}

/** A rule as its list shows it. */
export type RuleRow = Pick<
  PlanRule,
  | "id"
  | "name"
  | "ruleType"
  | "flowId"
  | "regionIds"
  | "status"
  | "invalidReason"
  | "effectiveAt"
  | "expireDate"
  | "autoExecute"
  | "frequency"
  | "sortNo"
  | "rowVersion"
> & {
  flowName: string;
  regionNames: string[];
  targets: string[];
  nextRunAt: Date | null;
  executing: boolean;
  lastRun: { id: number; status: string; at: Date; changed: number; skipped: number } | null;
  creatorName: string;
  createdAt: Date;
  updatedByName: string;
  updatedAt: Date;
};

const orders: Record<string, string> = { sortNo: "r.sort_no", name: "r.name collate natural_order", updatedAt: "r.updated_at" };

/** Rules of the project by priority, with what their last run did. */
export async function listRules(ctx: Ctx, input: ListInput): Promise<Page<RuleRow>> {
  const { sql, project } = ctx;
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    sql`r.project_id = ${project.id} and r.deleted_at is null`,
  );
  const order = (input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir}`).concat("r.sort_no", "r.id");
  const from = sql`plan_rule r join activity_flow f on f.id = r.flow_id join app_user c on c.id = r.created_by join app_user u on u.id = r.updated_by where ${where}`;
  const rows = await sql<Omit<RuleRow, "targets" | "nextRunAt" | "executing">[]>`
    select r.id, f.name as "flowName", c.name as "creatorName", r.created_at as "createdAt", u.name as "updatedByName", r.updated_at as "updatedAt",
      coalesce((select json_agg(g.name order by g.sort_no, g.name) from delivery_region g where g.id = any(r.region_ids)), '[]') as "regionNames",
      (select json_build_object('id', x.id, 'status', x.status, 'at', x.started_at, 'changed', coalesce(y.changed, 0),
          'skipped', (select coalesce(sum(e.value::int), 0) from jsonb_each_text(y.skipped_by_reason) e))
        from rule_run x left join rule_run_rule y on y.run_id = x.id and y.rule_id = r.id
        where x.project_id = r.project_id and x.kind = 'PLAN' and x.mode <> 'PREVIEW' and r.id = any(x.rule_ids) order by x.id desc limit 1) as "lastRun"
    from ${from} order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const [count] = await sql<{ total: number }[]>`select count(*)::int as total from ${from}`;
  const ids = rows.map(({ id }) => id);
  const rules = new Map((await readRules(ctx, { ids })).map((rule) => [rule.id, rule]));
  const [executing, titles] = [await listExecuting(ctx, "PLAN"), await readTitles(ctx, [...rules.values()])];
  return {
    records: rows.map((row) => {
      const rule = rules.get(row.id)!;
      return {
        ...row,
        ...pickRow(rule),
        nextRunAt: nextRunOf(rule, ctx),
        executing: executing.has(rule.id),
        targets: rule.actions.map(({ target }) => titles(target)),
      };
    }),
    total: count!.total,
    page: input.page,
    size: input.size,
  };
}

const pickRow = ({
  name,
  ruleType,
  flowId,
  regionIds,
  status,
  invalidReason,
  effectiveAt,
  expireDate,
  autoExecute,
  frequency,
  sortNo,
  rowVersion,
}: PlanRule) => ({
  name,
  ruleType,
  flowId,
  regionIds,
  status,
  invalidReason,
  effectiveAt,
  expireDate,
  autoExecute,
  frequency,
  sortNo,
  rowVersion,
});

/** The moment a rule runs next by itself; null when it does not. */
export function nextRunOf(rule: Omit<PlanRule, "id">, { now, project }: Pick<Ctx, "now"> & { project: { tzOffset: number } }): Date | null {
  if (rule.status !== "EFFECTIVE" || rule.frequency === null) return null;
  return nextRun({ ...rule, frequency: rule.frequency, firstDay: firstDayOf(rule, project.tzOffset) }, now, project.tzOffset);
}

/** The project's day that every second day of a rule is counted from. */
export function firstDayOf({ effectiveAt, createdAt }: Pick<PlanRule, "effectiveAt" | "createdAt">, offset: number): string {
  return projectTime(effectiveAt ?? createdAt, offset)
    .toISOString()
    .slice(0, 10);
}

function condition({ sql }: Ctx, { field, type, values }: Filter) {
  const texts = values.map(String);
  const numbers = values.map(Number).filter(Number.isSafeInteger);
  const text = texts[0] ?? "";
  switch (field) {
    case "type":
      return sql`r.rule_type = any(${texts}::text[])`;
    case "flow":
      return sql`r.flow_id = any(${numbers}::bigint[])`;
    case "region":
      return sql`(r.region_ids = '{}' or r.region_ids && ${numbers}::bigint[])`;
    case "status":
      return sql`r.status = any(${texts}::text[])`;
    case "auto":
      return sql`r.auto_execute = ${values[0] === true || text === "true" || text === "Y"}`;
    case "creator":
      return sql`position(lower(${text}) in lower(c.name)) > 0`;
    case "target":
      return sql`exists (select from plan_rule_action a left join activity_library l on l.id = (a.target ->> 'a')::bigint
        left join attribute t on t.project_id = r.project_id and 'a' || t.id = a.target ->> 'key'
        where a.rule_id = r.id and (position(lower(${text}) in lower(coalesce(l.name, ''))) > 0 or position(lower(${text}) in lower(coalesce(t.name, ''))) > 0))`;
    default:
      return type === "like" ? sql`position(lower(${text}) in lower(r.name)) > 0` : sql`true`;
  }
}

/** Titles of the fields that rules name, those of activities with their name. */
export async function readTitles(
  ctx: RuleCtx & Pick<Ctx, "locale">,
  rules: readonly Pick<PlanRule, "conditions" | "actions" | "events">[],
): Promise<(ref: SourceRef) => string> {
  const { sql, project } = ctx;
  const activities = await sql<{ id: number; name: string }[]>`
    select id, name from activity_library where project_id = ${project.id} and id = any(${[...new Set(rules.flatMap(activitiesOf))]}::bigint[])`;
  const attributes = await readAttributeFacts(ctx, [...new Set(rules.flatMap(attributesOf))].map(attributeId));
  const names = new Map(activities.map(({ id, name }) => [id, name]));
  const field = columnTitles(ctx);
  const own = (loadMessages(ctx.locale)["plan-rules"] as { field: Record<string, string> }).field;
  const titled: Record<string, string> = { STATUS: field.activity("status"), FIX_PLAN: own.fixPlan ?? "" };
  titled.PLAN_OWNER = field.activity("planOwner");
  titled.ACTUAL_OWNER = field.activity("actualOwner");
  for (const date of actDates) titled[date] = field.activity(dateColumns[date] as Parameters<typeof field.activity>[0]);
  return (ref) => {
    if (ref.k === "FIXED") return String(ref.value);
    const key = attributeOf(ref);
    const title = key === null ? (ref.k === "ACT" ? (titled[ref.f] ?? ref.f) : "") : (attributes.get(key)?.name ?? key);
    return ref.k === "ACT" ? `${names.get(ref.a) ?? ref.a} · ${title}` : title;
  };
}

/** A rule with everything its editor shows. */
export type RuleDetail = Omit<PlanRule, "events"> & {
  events: NonNullable<PlanRule["events"]>;
  flowName: string;
  sentence: string | null;
  faults: RuleFault[];
  executing: boolean;
};

/** One rule with its sentence, and what keeps it from being in force. @throws NOT_FOUND */
export async function getRuleDetail(ctx: Ctx, { id }: { id: number }): Promise<RuleDetail> {
  const rule = await getRule(ctx, id);
  const facts = await readRuleFacts(ctx, [rule]);
  const catalog = await listFieldCatalog(ctx, rule.flowId);
  const executing = await listExecuting(ctx, "PLAN");
  return {
    ...rule,
    events: rule.events ?? [],
    nextRunAt: nextRunOf(rule, ctx),
    flowName: facts.flows.get(rule.flowId)?.name ?? "",
    sentence: await sentenceText(ctx, rule, catalog),
    faults: ruleFaults(rule, facts),
    executing: executing.has(id),
  };
}

async function sentenceText(ctx: Ctx, rule: PlanRule, { objects }: FieldCatalog): Promise<string | null> {
  const t = ruleTexts(ctx.locale);
  const words = createTranslator({
    locale: ctx.locale,
    messages: loadMessages(ctx.locale),
    namespace: "conditions",
    onError: () => {},
  }) as unknown as Texts;
  const titles = await readTitles(ctx, [rule]);
  const known = new Map(objects.map((object): [string, ConditionObject] => [object.key, object]));
  return ruleSentence(rule.conditions, rule.actions, {
    AND: words("AND"),
    OR: words("OR"),
    every: words("everyDu"),
    field: titles,
    row: ({ object, operator, values }) => {
      const found = known.get(refKey(object));
      const shown = values.map((value) => found?.choices?.find((choice) => choice.value === String(value))?.title ?? String(value));
      return [found?.title ?? words("gone"), words(`operator.${operator}`), shown.join(operator === "between" ? " – " : ", ")]
        .filter(Boolean)
        .join(" ");
    },
    rule: (parts) => t("sentence.rule", parts),
    action: ({ aggregate, ...parts }) => t(`sentence.${aggregate ?? "one"}`, parts),
  });
}

/** What keeps a rule from being in force, in words. */
export function faultText(faults: readonly RuleFault[], t: Texts): string {
  return faults.map(({ reason, name }) => t(`fault.${reason}`, { name })).join("; ");
}

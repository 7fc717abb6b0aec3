import "server-only";
import { createTranslator } from "use-intl/core";
import type { z } from "zod";
import type { Sql } from "#db/client.ts";
import { readHidden } from "#lib/attributes/modes/queries.ts";
import { dayNumber, isIsoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { setCell } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { dependencyRow, idsOf, type NamedEvent, objectOf } from "./logic.ts";
import {
  type DependencyEvent,
  type DependencyRule,
  findLoop,
  findViolations,
  namedAttributes,
  type ObjectEvent,
  type ObjectRule,
  type RuleStatus,
} from "./rule-set/logic.ts";
import { listEffectiveRules, listShownAttributes, readMaintained, readNodeNames } from "./rule-set/queries.ts";
import type { CheckLoop, FindViolations } from "./schema.ts";

/** Who reads rules: a call, or a run nobody started. */
type RuleCtx = { sql: Sql; project: { id: number } };

type StoredEvent = { kind: string; id: number; event: DependencyEvent };

/** A rule by the objects it names. */
export type StoredRule = ObjectRule & { id: number; status: RuleStatus; expireDate: string | null; rowVersion: number };

/** Every rule of the project; locked where the caller changes some. */
export async function readStoredRules({ sql, project }: RuleCtx, { lock = false } = {}): Promise<StoredRule[]> {
  const rows = await sql<
    (Omit<StoredRule, "target" | "prerequisites"> & {
      kind: string;
      object: number;
      event: DependencyEvent;
      prerequisites: StoredEvent[];
    })[]
  >`
    select r.id, r.flow_id as "flowId", r.target_kind as kind, r.target_id as object, r.target_event as event, r.status, r.expire_date::text as "expireDate",
      r.row_version as "rowVersion", coalesce((
        select json_agg(json_build_object('kind', p.kind, 'id', p.object_id, 'event', p.event) order by p.seq) from dep_rule_prereq p where p.rule_id = r.id
      ), '[]') as prerequisites
    from dep_rule r where r.project_id = ${project.id} order by r.id ${lock ? sql`for update` : sql``}`;
  return rows.map(({ kind, object, event, prerequisites, ...rule }) => ({
    ...rule,
    target: objectOf({ kind, id: object, event }),
    prerequisites: prerequisites.map(objectOf),
  }));
}

/** A rule as the screen lists it. */
export type DependencyEntry = {
  id: number;
  flowId: number | null;
  flowName: string | null;
  target: NamedEvent;
  prerequisites: NamedEvent[];
  status: RuleStatus;
  expireDate: string | null;
  /** DUs in which the target has happened without its prerequisites; null for a rule that is not in force. */
  violations: number | null;
  rowVersion: number;
  updatedByName: string;
  updatedAt: Date;
};

/** A page of the rules, those in force first, with how many DUs violate each of them now and how many rules are in force. */
export async function listDependencies(ctx: Ctx, input: ListInput): Promise<Page<DependencyEntry> & { effective: number }> {
  const { sql, project } = ctx;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, sql`r.project_id = ${project.id}`);
  const [stored, heads, [count]] = await Promise.all([
    readStoredRules(ctx),
    sql<{ id: number; flowName: string | null; updatedByName: string; updatedAt: Date }[]>`
      select r.id, f.name as "flowName", u.name as "updatedByName", r.updated_at as "updatedAt"
      from dep_rule r left join activity_flow f on f.id = r.flow_id join app_user u on u.id = r.updated_by
      where ${where} order by r.status, r.id limit ${input.size} offset ${(input.page - 1) * input.size}`,
    sql<{ total: number; effective: number }[]>`
      select count(*) filter (where ${where})::int as total, count(*) filter (where r.status = 'EFFECTIVE')::int as effective
      from dep_rule r where r.project_id = ${project.id}`,
  ]);
  const byId = new Map(stored.map((rule) => [rule.id, rule]));
  const rules = heads.map((head) => ({ ...head, ...(byId.get(head.id) as StoredRule) }));
  const [name, violations] = await Promise.all([
    readEventNames(
      ctx,
      rules.flatMap(({ target, prerequisites }) => [target, ...prerequisites]),
    ),
    rules.some(({ status }) => status === "EFFECTIVE") ? countViolations(ctx) : new Map<number, number>(),
  ]);
  return {
    records: rules.map(({ target, prerequisites, ...rule }) => ({
      ...rule,
      target: name(target),
      prerequisites: prerequisites.map(name),
      violations: rule.status === "EFFECTIVE" ? (violations.get(rule.id) ?? 0) : null,
    })),
    total: count?.total ?? 0,
    effective: count?.effective ?? 0,
    page: input.page,
    size: input.size,
  };
}

function condition({ sql }: Ctx, { field, values }: Filter) {
  const [value] = values;
  // What is no id is the id of nothing.
  const id = typeof value === "number" && Number.isSafeInteger(value) ? value : 0;
  switch (field) {
    case "flowId":
      return sql`r.flow_id = ${id}`;
    case "status":
      return sql`r.status = ${String(value)}`;
    default: {
      const kind = field === "activityId" ? "ACTIVITY" : "ATTRIBUTE";
      return sql`((r.target_kind = ${kind} and r.target_id = ${id}) or exists (
        select from dep_rule_prereq p where p.rule_id = r.id and p.kind = ${kind} and p.object_id = ${id}))`;
    }
  }
}

/** Names of events; an attribute that is not shown to the caller has none. */
export async function readEventNames(ctx: Ctx, events: readonly ObjectEvent[]): Promise<(event: ObjectEvent) => NamedEvent> {
  const activityIds = events.flatMap((event) => (event.event === "MAINTAIN" ? [] : [event.activityId]));
  const attributeIds = events.flatMap((event) => (event.event === "MAINTAIN" ? [event.attributeId] : []));
  const [activities, attributes] = await Promise.all([
    ctx.sql<{ id: number; name: string }[]>`
      select id, name from activity_library where project_id = ${ctx.project.id} and id = any(${activityIds}::bigint[])`,
    listShownAttributes(ctx, attributeIds),
  ]);
  const names = new Map(activities.map(({ id, name }) => [id, name]));
  return (event) => ({
    ...event,
    name: (event.event === "MAINTAIN" ? attributes.get(event.attributeId) : names.get(event.activityId)) ?? null,
  });
}

/** DUs in which the target of a rule has happened without its prerequisites, by rule: the plans of the project are read once for all rules. */
async function countViolations(ctx: Ctx): Promise<Map<number, number>> {
  const rules = await listEffectiveRules(ctx);
  const dus = await ctx.sql<{ id: number }[]>`select du.id from du where ${ctx.scope.where("rollout.view")}`;
  const counts = new Map<number, number>();
  for (const { rule, happened } of await violationsOf(
    ctx,
    rules,
    dus.map(({ id }) => id),
    [],
  ))
    if (happened) counts.set(rule.id as number, (counts.get(rule.id as number) ?? 0) + 1);
  return counts;
}

async function violationsOf(ctx: Ctx, rules: readonly DependencyRule[], duIds: readonly number[], edits: FindViolations["edits"]) {
  if (rules.length === 0) return [];
  const block = await readPlanRows(ctx, duIds, { fields: ["actualStart", "actualEnd", "state"] });
  const slots =
    edits.length > 0 ? new Map((await listLibraryActivities(ctx)).map(({ id, slot }) => [id, slot])) : new Map<number, number>();
  const rows = new Map(block.duIds.map((duId, row) => [duId, row]));
  const held = await readMaintained(ctx, block.duIds, namedAttributes(rules));
  for (const { duId, activityId, field, value } of edits) {
    const row = rows.get(duId);
    if (row === undefined) continue;
    const filled = value !== null && value !== "";
    const slot = activityId === undefined ? undefined : slots.get(activityId);
    if (slot !== undefined && slot < block.width && (field === "actualStart" || field === "actualEnd"))
      setCell(block, row, slot, field, typeof value === "string" && isIsoDay(value) ? dayNumber(value) : 0);
    else if (activityId === undefined && /^a\d+$/.test(field)) {
      const known = held.get(duId) ?? new Set();
      held.set(duId, known);
      if (filled) known.add(Number(field.slice(1)));
      else known.delete(Number(field.slice(1)));
    }
  }
  return block.duIds.flatMap((duId, row) =>
    findViolations(
      rules,
      block.flowIds[row] as number,
      dependencyRow(block, row, (attributeId) => held.get(duId)?.has(attributeId) ?? false),
    ).map((violation) => ({ ...violation, duId })),
  );
}

/** A target that waits for others, in words; `happened`: it has happened all the same. */
export type DependencyViolation = {
  duId: number;
  activityId?: number;
  attributeId?: number;
  event: DependencyEvent;
  happened: boolean;
  unmet: string[];
};

/** What of some DUs waits for prerequisites, with edits that are not saved yet taken as saved. DUs the caller does not see are left out. */
export async function findDependencyViolations(ctx: Ctx, { duIds, edits }: FindViolations): Promise<{ violations: DependencyViolation[] }> {
  const rules = await listEffectiveRules(ctx);
  if (rules.length === 0) return { violations: [] };
  const seen = await ctx.sql<{ id: number }[]>`
    select du.id from du where ${ctx.scope.where("rollout.view")} and du.id = any(${duIds}::bigint[])`;
  const found = await violationsOf(
    ctx,
    rules,
    seen.map(({ id }) => id),
    edits,
  );
  const [names, library] = await Promise.all([
    readNodeNames(
      ctx,
      found.flatMap(({ unmet }) => unmet),
    ),
    listLibraryActivities(ctx),
  ]);
  const activityOf = new Map(library.map(({ id, slot }) => [slot, id]));
  const t = createTranslator({
    locale: ctx.locale,
    messages: loadMessages(ctx.locale),
    namespace: "dependency-rules.refusal",
    onError: () => {},
  }) as unknown as (key: string, values?: Record<string, string>) => string;
  return {
    violations: found.map(({ duId, target, happened, unmet }) => ({
      duId,
      ...idsOf(target, activityOf),
      event: target.event,
      happened,
      unmet: [
        ...new Set(
          unmet.map((node) => {
            const name = node.event === "MAINTAIN" ? names.attributes.get(node.attributeId) : names.slots.get(node.slot);
            return name === undefined ? t("hidden") : t(`unmet.${node.event}`, { name });
          }),
        ),
      ],
    })),
  };
}

/** The circle a configuration would close, with the names along it. */
export async function checkDependencyLoop(ctx: Ctx, { draft }: z.output<typeof CheckLoop>): Promise<{ loop: boolean; path: NamedEvent[] }> {
  const inForce = (await readStoredRules(ctx)).filter(({ id, status }) => status === "EFFECTIVE" && id !== draft.id);
  const { flowId, prerequisites, targets } = draft;
  const path = findLoop(
    inForce,
    targets.map((target) => ({ flowId, target, prerequisites })),
  );
  if (!path) return { loop: false, path: [] };
  const name = await readEventNames(ctx, path);
  return { loop: true, path: path.map(name) };
}

/** What rules can name: activities in use, attributes of the DU that are shown, flows that DUs may follow. */
export type DependencyChoices = {
  activities: { id: number; name: string }[];
  attributes: { id: number; name: string }[];
  flows: { id: number; name: string }[];
};

/** What a rule can be made of. */
export async function listDependencyChoices(ctx: Ctx): Promise<DependencyChoices> {
  const { sql, project } = ctx;
  const [activities, attributes, flows, hidden] = await Promise.all([
    sql<{ id: number; name: string }[]>`
      select id, name from activity_library where project_id = ${project.id} and disabled_at is null order by slot`,
    sql<{ id: number; name: string }[]>`
      select id, name from attribute where project_id = ${project.id} and level = 'DU' and deleted_at is null order by sort_no, id`,
    sql<{ id: number; name: string }[]>`
      select id, name from activity_flow where project_id = ${project.id} and draft_of is null and status = 'released' order by name collate natural_order, id`,
    readHidden(ctx),
  ]);
  return { activities: [...activities], attributes: attributes.filter(({ id }) => !hidden.has(id)), flows: [...flows] };
}

/** Whether objects and flow of rules are there and in use, by rule. */
export async function readValidity(
  { sql, project }: RuleCtx,
  rules: readonly ObjectRule[],
): Promise<(rule: ObjectRule) => { objectsValid: boolean; flowValid: boolean }> {
  const events = rules.flatMap(({ target, prerequisites }) => [target, ...prerequisites]);
  const activityIds = events.flatMap((event) => (event.event === "MAINTAIN" ? [] : [event.activityId]));
  const attributeIds = events.flatMap((event) => (event.event === "MAINTAIN" ? [event.attributeId] : []));
  const [row] = await sql<{ activities: number[]; attributes: number[]; flows: number[] }[]>`
    select array(select id from activity_library where project_id = ${project.id} and disabled_at is null and id = any(${activityIds}::bigint[])) as activities,
      array(select id from attribute where project_id = ${project.id} and deleted_at is null and level = 'DU'
        and id = any(${attributeIds}::bigint[])) as attributes,
      array(select id from activity_flow where project_id = ${project.id} and draft_of is null and status = 'released'
        and id = any(${rules.flatMap(({ flowId }) => flowId ?? [])}::bigint[])) as flows`;
  const [activities, attributes, flows] = [new Set(row?.activities), new Set(row?.attributes), new Set(row?.flows)];
  const isValid = (event: ObjectEvent) =>
    event.event === "MAINTAIN" ? attributes.has(event.attributeId) : activities.has(event.activityId);
  return ({ flowId, target, prerequisites }) => ({
    objectsValid: isValid(target) && prerequisites.every(isValid),
    flowValid: flowId === null || flows.has(flowId),
  });
}

/** The rules named, in their order. @throws NOT_FOUND when one is not there */
export function chosenRules(rules: readonly StoredRule[], ids: readonly number[]): StoredRule[] {
  const chosen = rules.filter(({ id }) => ids.includes(id));
  if (chosen.length !== ids.length) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  return chosen;
}

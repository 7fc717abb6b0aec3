import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { isApplicable } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import { addressedToCaller, type Distribution, decisionOf, leads, readableDus } from "../distributions/queries.ts";
import type { Decision, Mapping } from "./limits.ts";
import { type Fit, mapAnswers, type NamedActivity, type NamedDu, rememberedKey, suggest } from "./logic.ts";
import type { SuggestMapping } from "./schema.ts";

/** An answer with what was told, what is planned now, and what became of it. [VER-02] */
export type FeedbackRow = {
  id: number;
  distributionId: number;
  versionCode: string;
  recipientName: string;
  rawDu: string;
  rawActivity: string;
  duId: number | null;
  duCode: string | null;
  activityId: number | null;
  activityName: string | null;
  toldStart: string | null;
  toldEnd: string | null;
  /** The plan of today; only for who leads distributions. */
  planStart: string | null;
  planEnd: string | null;
  proposedStart: string | null;
  proposedEnd: string | null;
  remark: string | null;
  mapping: Mapping;
  decision: Decision;
  comment: string | null;
  decidedByName: string | null;
  decidedAt: Date | null;
  late: boolean;
  submittedByName: string;
  submittedAt: Date;
};

const orders: Record<string, string> = {
  submittedAt: "f.submitted_at",
  rawDu: "f.raw_du collate natural_order",
  proposedEnd: "f.proposed_end",
};

/** Answers of the project, newest first: all for who leads distributions, else those to what was sent to the caller or his company. */
export async function listFeedback(ctx: Ctx, input: ListInput): Promise<Page<FeedbackRow>> {
  const { sql, project } = ctx;
  const { page, size } = input;
  const reach = leads(ctx) ? sql`true` : addressedToCaller(ctx);
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${condition(ctx, filter)}`,
    sql`f.project_id = ${project.id} and ${reach} and (f.du_id is null or (${readableDus(ctx)}))`,
  );
  const order = (input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir} nulls last`).concat("f.id desc");
  const day = (array: string) => sql`date '2000-01-01' + nullif(${sql.unsafe(array)}[f.slot], 0)::int`;
  const rows = await sql<(FeedbackRow & { total: number })[]>`
    select f.id, f.distribution_id as "distributionId", v.code as "versionCode", coalesce(d.email, s.name, u.name) as "recipientName", f.raw_du as "rawDu",
      f.raw_activity as "rawActivity", f.du_id as "duId", du.code as "duCode", a.id as "activityId", a.name as "activityName",
      ${day("r.plan_start")} as "toldStart", ${day("r.plan_end")} as "toldEnd",
      case when ${leads(ctx)} then ${day("p.plan_start")} end as "planStart", case when ${leads(ctx)} then ${day("p.plan_end")} end as "planEnd",
      f.proposed_start as "proposedStart", f.proposed_end as "proposedEnd", f.remark, f.mapping, ${decisionOf(sql)} as decision, f.comment,
      c.name as "decidedByName", f.decided_at as "decidedAt", f.late, b.name as "submittedByName", f.submitted_at as "submittedAt", count(*) over ()::int as total
    from plan_feedback f join plan_distribution d on d.id = f.distribution_id join plan_version v on v.id = d.version_id join app_user b on b.id = f.submitted_by
    left join app_user u on u.id = d.recipient_user_id left join subcontractor s on s.id = d.subcontractor_id
    left join app_user c on c.id = f.decided_by left join du on du.id = f.du_id
    left join activity_library a on a.project_id = f.project_id and a.slot = f.slot
    left join plan_version_row r on r.version_id = d.version_id and r.du_id = f.du_id left join du_plan p on p.du_id = f.du_id
    where ${where} order by ${sql.unsafe(order.join(", "))} limit ${size} offset ${(page - 1) * size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page, size };
}

function condition({ sql }: Ctx, { field, values }: Filter) {
  const text = String(values[0] ?? "");
  switch (field) {
    case "distributionId":
      return sql`f.distribution_id::text = ${text}`;
    case "versionId":
      return sql`d.version_id::text = ${text}`;
    case "mapping":
      return sql`f.mapping = ${text}`;
    case "decision":
      return sql`${decisionOf(sql)} = any(${values.map(String)}::text[])`;
    case "late":
      return sql`f.late = ${text === "true"}`;
    default:
      return sql`(position(lower(${text}) in lower(f.raw_du)) > 0 or position(lower(${text}) in lower(f.raw_activity)) > 0 or position(lower(${text}) in lower(coalesce(du.code, ''))) > 0)`;
  }
}

type VersionDu = NamedDu & { state: number[] };

/** DUs of a distribution that the caller reads, chosen by a condition on `r`, the row of the version. */
async function listToldDus(
  ctx: Ctx,
  { versionId, duIds }: Pick<Distribution, "versionId" | "duIds">,
  chosen: ReturnType<Ctx["scope"]["where"]>,
) {
  return ctx.sql<VersionDu[]>`
    select r.du_id as id, r.du_code as code, r.du_name as name, r.flow_id as "flowId", r.state from plan_version_row r join du on du.id = r.du_id
    where r.version_id = ${versionId} and r.du_id = any(${duIds}::bigint[]) and ${readableDus(ctx)} and ${chosen}`;
}

/** Slots by the names flows give their activities, by flow. */
async function readFlowNames({ sql, project }: Ctx, flowIds: readonly number[]): Promise<Map<number, Map<string, number>>> {
  const rows = await sql<{ flowId: number; name: string; slot: number }[]>`
    select n.flow_id as "flowId", n.name, a.slot from flow_activity n join activity_library a on a.id = n.activity_id and a.project_id = ${project.id}
    where n.flow_id = any(${[...new Set(flowIds)]}::bigint[])`;
  return new Map(
    [...Map.groupBy(rows, ({ flowId }) => flowId)].map(([flowId, list]) => [flowId, new Map(list.map(({ name, slot }) => [name, slot]))]),
  );
}

/** Of which DU and activity each answer to a distribution speaks, as far as its words say it. */
export async function findMeanings(
  ctx: Ctx,
  distribution: Pick<Distribution, "versionId" | "duIds">,
  rows: readonly { du: string; activity: string }[],
): Promise<{ duId: number | null; slot: number | null }[]> {
  const { sql, project } = ctx;
  const words = [...new Set(rows.map(({ du }) => du.trim()))];
  const keys = [...new Set(rows.flatMap(({ du, activity }) => [rememberedKey(du), rememberedKey(activity)]))];
  const [remembered, activities] = await Promise.all([
    sql<{ kind: "du" | "activity"; text: string; duId: number | null; slot: number | null }[]>`
      select m.kind, m.raw_text as text, m.du_id as "duId", a.slot from feedback_mapping m left join activity_library a on a.id = m.activity_id
      where m.project_id = ${project.id} and m.raw_text = any(${keys}::text[])`,
    listLibraryActivities(ctx),
  ]);
  const rememberedDus = new Map(remembered.flatMap(({ text, duId }) => (duId === null ? [] : [[text, duId] as const])));
  const dus = await listToldDus(
    ctx,
    distribution,
    sql`(r.du_code = any(${words}::text[]) or r.du_name = any(${words}::text[]) or r.du_id = any(${[...rememberedDus.values()]}::bigint[]))`,
  );
  const states = new Map(dus.map(({ id, state }) => [id, state]));
  return mapAnswers(rows, {
    dus,
    activities,
    flowNames: await readFlowNames(
      ctx,
      dus.flatMap(({ flowId }) => flowId ?? []),
    ),
    rememberedDus,
    rememberedActivities: new Map(remembered.flatMap(({ text, slot }) => (slot === null ? [] : [[text, slot] as const]))),
    applies: (duId, slot) => isApplicable(states.get(duId)?.[slot - 1] ?? 0),
  });
}

/** An answer as mapping and deciding need it. */
export type Answer = {
  id: number;
  distributionId: number;
  versionId: number;
  told: boolean;
  rawDu: string;
  rawActivity: string;
  duId: number | null;
  slot: number | null;
  mapping: Mapping;
  decision: Decision;
  proposedStart: string | null;
  proposedEnd: string | null;
};

/**
 * Answers by their ids, locked in their order: all for who leads distributions, else those about DUs whose plan the caller may edit.
 * @throws NOT_FOUND for the first that is none of them
 */
export async function lockAnswers(ctx: Ctx, ids: readonly number[]): Promise<Answer[]> {
  const { sql, project, scope } = ctx;
  const mine = leads(ctx) ? sql`true` : sql`exists (select 1 from du where du.id = f.du_id and ${scope.where("rollout.edit")})`;
  const rows = await sql<Answer[]>`
    select f.id, f.distribution_id as "distributionId", d.version_id as "versionId", f.raw_du as "rawDu", f.raw_activity as "rawActivity", f.du_id as "duId", f.slot,
      f.mapping, ${decisionOf(sql)} as decision, f.proposed_start as "proposedStart", f.proposed_end as "proposedEnd"
    from plan_feedback f join plan_distribution d on d.id = f.distribution_id
    where f.project_id = ${project.id} and f.id = any(${[...ids]}::bigint[]) and ${mine} order by f.id for update of f`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const found = byId.get(id);
    if (!found) throw new AppError("NOT_FOUND", { object: id });
    return found;
  });
}

/** Which places the distributions of answers told of: whether a DU is in it, and whether an activity applies there. */
export async function readToldPlaces(
  { sql }: Pick<Ctx, "sql">,
  answers: readonly Pick<Answer, "distributionId">[],
  duIds: readonly number[],
): Promise<(distributionId: number, duId: number, slot: number | null) => boolean> {
  const rows = await sql<{ distributionId: number; duId: number; state: number[] }[]>`
    select d.id as "distributionId", r.du_id as "duId", r.state from plan_distribution d join plan_version_row r on r.version_id = d.version_id and r.du_id = any(d.du_ids)
    where d.id = any(${[...new Set(answers.map(({ distributionId }) => distributionId))]}::bigint[]) and r.du_id = any(${[...new Set(duIds)]}::bigint[])`;
  const states = new Map(rows.map(({ distributionId, duId, state }) => [`${distributionId} ${duId}`, state]));
  return (distributionId, duId, slot) => {
    const state = states.get(`${distributionId} ${duId}`);
    return state !== undefined && (slot === null || isApplicable(state[slot - 1] ?? 0));
  };
}

/** What an answer could mean. */
export type Suggestions = {
  dus: { id: number; code: string; name: string; fit: Fit }[];
  activities: { id: number; name: string; fit: Fit }[];
};

/** DUs and activities whose names come near those of an answer: equal, equal but for case and separators, or two letters apart. @throws NOT_FOUND */
export async function suggestMapping(ctx: Ctx, { id }: z.output<typeof SuggestMapping>): Promise<Suggestions> {
  const { sql, project } = ctx;
  const [answer] = await sql<{ rawDu: string; rawActivity: string; duId: number | null; versionId: number; duIds: number[] }[]>`
    select f.raw_du as "rawDu", f.raw_activity as "rawActivity", f.du_id as "duId", d.version_id as "versionId", d.du_ids as "duIds"
    from plan_feedback f join plan_distribution d on d.id = f.distribution_id where f.id = ${id} and f.project_id = ${project.id}`;
  if (!answer) throw new AppError("NOT_FOUND", { object: id });
  const [dus, library] = await Promise.all([listToldDus(ctx, answer, sql`true`), listLibraryActivities(ctx)]);
  const du = dus.find((one) => one.id === answer.duId);
  const flowNames = await readFlowNames(ctx, du?.flowId ? [du.flowId] : dus.flatMap(({ flowId }) => flowId ?? []));
  const applying = library.filter(({ slot }) => (du ? [du] : dus).some(({ state }) => isApplicable(state[slot - 1] ?? 0)));
  const namesOf = ({ code, name, slot }: NamedActivity) => [
    code,
    name,
    ...[...flowNames.values()].flatMap((names) => [...names].flatMap(([word, at]) => (at === slot ? [word] : []))),
  ];
  return {
    dus: suggest(answer.rawDu, dus, ({ code, name }) => [code, name]).map(({ candidate: { id: duId, code, name }, fit }) => ({
      id: duId,
      code,
      name,
      fit,
    })),
    activities: suggest(answer.rawActivity, applying, namesOf).map(({ candidate: { id: activityId, name }, fit }) => ({
      id: activityId,
      name,
      fit,
    })),
  };
}

/** Whether answers without decision hang on versions, by version. */
export async function listOpenFeedback(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  versionIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await sql<{ id: number; count: number }[]>`
    select d.version_id as id, count(*)::int as count from plan_distribution d join plan_feedback f on f.distribution_id = d.id
    where d.project_id = ${project.id} and d.version_id = any(${[...versionIds]}::bigint[]) and ${decisionOf(sql)} = 'open' group by d.version_id`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Distributions answers can be brought in for. */
export async function listOpenDistributions(ctx: Ctx): Promise<{ value: number; label: string }[]> {
  const { sql, project } = ctx;
  const rows = await sql<{ value: number; label: string }[]>`
    select d.id as value, concat_ws(' · ', v.code, coalesce(d.email, s.name, u.name), d.due_date) as label
    from plan_distribution d join plan_version v on v.id = d.version_id
    left join app_user u on u.id = d.recipient_user_id left join subcontractor s on s.id = d.subcontractor_id
    where d.project_id = ${project.id} and d.status <> 'closed' order by d.id desc limit 200`;
  return [...rows];
}

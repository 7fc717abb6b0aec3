import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import type { ConditionObjects } from "#lib/plan-rules/conditions/logic.ts";
import { type ConditionBlock, listEveryConditionObject, readConditionBlock } from "#lib/plan-rules/conditions/queries.ts";
import { ruleFaults } from "../flow-rules/logic.ts";
import { checkRule, type FlowRule, readRuleFacts, readRules } from "../flow-rules/queries.ts";
import { previewDusMax, type RunMode, runBlockDus, type UnmatchedReason, unmatchedReasons } from "./limits.ts";
import { compileRule, type Matches, matchRules, type RunRule } from "./logic.ts";
import type { PreviewFlowRules } from "./schema.ts";

/** The next DUs without a flow, with what the rules ask of them. @param after id of the last DU judged before */
export function readUnbound(
  ctx: Pick<Ctx, "sql" | "project">,
  rules: readonly RunRule[],
  objects: ConditionObjects,
  after: number,
): Promise<ConditionBlock> {
  const keys = [...new Set(rules.flatMap(({ compiled }) => compiled?.keys ?? []))];
  return readConditionBlock(ctx, keys, objects, { within: ctx.sql`f.flow_id is null`, after, limit: runBlockDus });
}

type Candidate = Pick<FlowRule, "flowId" | "regionId" | "conditions" | "name" | "priority"> & { id: number | null; asked: boolean };

export type RulePreview = {
  id: number | null;
  name: string;
  priority: number;
  /** DUs without a flow that the region and the conditions fit, and those of them that no earlier rule takes. */
  matched: number;
  bound: number;
  /** The first of those that it would bind, by code. */
  dus: { id: number; code: string; name: string; region: string | null }[];
  /** It cannot be put into force as it is. */
  faulty: boolean;
};
export type Preview = {
  /** DUs without a flow. */
  scope: number;
  rules: RulePreview[];
  /** DUs that rules in force would take which were not asked for. */
  others: number;
  unmatched: Record<UnmatchedReason, number>;
};

/**
 * What rules would do if they were in force now, beside those that are: nothing is written.
 * @throws NOT_FOUND, what is wrong with the conditions of a rule that is being typed
 */
export async function previewFlowRules(ctx: Ctx, input: z.output<typeof PreviewFlowRules>): Promise<Preview> {
  const stored = await readRules(ctx);
  const objects: ConditionObjects = new Map((await listEveryConditionObject(ctx)).map((object) => [object.key, object]));
  const rules = await candidates(ctx, stored, input);
  const facts = await readRuleFacts(ctx, rules);
  const faulty = new Set(rules.filter((rule) => ruleFaults(rule, facts).length > 0));
  const taking = rules.map((rule) => {
    const known = stored.find(({ id }) => id === rule.id);
    return { ...rule, inForce: (rule.asked || known?.status === "enabled") && !faulty.has(rule), compiled: compileRule(rule, objects) };
  });
  const counts = await countMatches(ctx, taking, objects);
  const asked = taking.flatMap((rule, place) => (rule.asked ? [{ rule, place }] : []));
  const labels = await readLabels(
    ctx,
    asked.flatMap(({ place }) => counts.first[place]!),
  );
  const taken = (wanted: boolean) => taking.reduce((sum, rule, place) => sum + (rule.asked === wanted ? counts.bound[place]! : 0), 0);
  return {
    scope: counts.scope,
    others: taken(false),
    unmatched: counts.unmatched,
    rules: asked.map(({ rule, place }) => ({
      id: rule.id,
      name: rule.name,
      priority: rule.priority,
      matched: counts.matched[place]!,
      bound: counts.bound[place]!,
      dus: counts.first[place]!.flatMap((id) => labels.get(id) ?? []),
      faulty: faulty.has(rules[place]!),
    })),
  };
}

/** All rules by priority, the asked ones marked; one that is being typed stands in for the stored one. */
async function candidates(ctx: Ctx, stored: readonly FlowRule[], { ids, rule }: z.output<typeof PreviewFlowRules>): Promise<Candidate[]> {
  if (!rule) {
    const missing = ids!.filter((id) => !stored.some((known) => known.id === id));
    if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
    return stored.map((known) => ({ ...known, asked: ids!.includes(known.id) }));
  }
  const before = stored.find(({ id }) => id === rule.id);
  if (rule.id !== undefined && !before) throw new AppError("NOT_FOUND", { object: rule.id });
  const { objects: _objects, ...checked } = await checkRule(ctx, rule, before?.conditions);
  const behind = Math.max(0, ...stored.map(({ priority }) => priority)) + 1;
  const typed = { ...checked, id: rule.id ?? null, name: rule.name, priority: rule.priority ?? before?.priority ?? behind, asked: true };
  return [...stored.filter((known) => known !== before).map((known) => ({ ...known, asked: false })), typed].sort(
    (a, b) => a.priority - b.priority,
  );
}

type Counts = { scope: number; matched: number[]; bound: number[]; first: number[][]; unmatched: Record<UnmatchedReason, number> };

async function countMatches(ctx: Ctx, rules: readonly RunRule[], objects: ConditionObjects): Promise<Counts> {
  const counts: Counts = {
    scope: 0,
    matched: rules.map(() => 0),
    bound: rules.map(() => 0),
    first: rules.map(() => []),
    unmatched: { NO_RULE: 0, RULE_INVALID: 0, NO_REGION: 0 },
  };
  for (let after = 0; ; ) {
    const block = await readUnbound(ctx, rules, objects, after);
    addBlock(counts, rules, block, matchRules(rules, block));
    if (block.duIds.length < runBlockDus) return counts;
    after = block.duIds.at(-1)!;
  }
}

function addBlock(
  counts: Counts,
  rules: readonly RunRule[],
  { duIds, regionIds }: ConditionBlock,
  { winners, reasons, holds }: Matches,
): void {
  counts.scope += duIds.length;
  duIds.forEach((duId, at) => {
    rules.forEach(({ regionId }, place) => {
      if (holds[place]![at] === 1 && (regionId === null || regionId === regionIds[at])) counts.matched[place]!++;
    });
    const winner = winners[at]!;
    const reason = reasons[at];
    if (reason) counts.unmatched[reason]++;
    if (winner < 0) return;
    counts.bound[winner]!++;
    if (counts.first[winner]!.length < previewDusMax) counts.first[winner]!.push(duId);
  });
}

async function readLabels(ctx: Ctx, duIds: readonly number[]): Promise<Map<number, RulePreview["dus"][number]>> {
  const rows = await ctx.sql<RulePreview["dus"]>`
    select du.id, du.code, du.name, g.name as region from du left join delivery_region g on g.id = du.region_id
    where ${ctx.scope.where("flow.view")} and du.id = any(${[...duIds]}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

export type RunRow = {
  id: number;
  mode: RunMode;
  status: "running" | "done" | "failed";
  startedByName: string | null;
  startedAt: Date;
  finishedAt: Date | null;
  scopeCount: number;
  boundCount: number;
  unmatchedCount: number;
  /** DUs bound by each rule, by its name at that time. */
  rules: { id: number; name: string; bound: number }[];
};

/** Runs of the rules, the newest first. */
export async function listRuns(ctx: Ctx, input: ListInput): Promise<Page<RunRow>> {
  const rows = await ctx.sql<(RunRow & { total: number })[]>`
    select r.id, r.mode, case when r.finished_at is not null then 'done' when t.status in ('queued', 'running') then 'running'
        when r.task_id is null and r.started_at > ${new Date(ctx.now.getTime() - 3_600_000)} then 'running' else 'failed' end as status,
      u.name as "startedByName", r.started_at as "startedAt", r.finished_at as "finishedAt", r.scope_count as "scopeCount", r.bound_count as "boundCount",
      r.unmatched_count as "unmatchedCount", r.rules, count(*) over ()::int as total
    from du_flow_run r left join app_user u on u.id = r.started_by left join task t on t.id = r.task_id
    where r.project_id = ${ctx.project.id} order by r.id desc limit ${input.size} offset ${(input.page - 1) * input.size}`;
  return { records: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, page: input.page, size: input.size };
}

export type UnmatchedRow = {
  id: number;
  code: string;
  name: string;
  region: string | null;
  deliveryType: string | null;
  reason: UnmatchedReason;
  at: Date;
};

const orders: Record<string, string> = { code: "du.code collate natural_order", reason: "m.reason" };

/** DUs that the last run left without a flow, as far as they still have none. */
export async function listUnmatched(ctx: Ctx, input: ListInput): Promise<Omit<Page<UnmatchedRow>, "total"> & { total: number | null }> {
  const { sql } = ctx;
  const where = input.filters.reduce((left, filter) => sql`${left} and ${condition(ctx, filter)}`, ctx.scope.where("flow.view"));
  const order = (input.sort ?? []).map(({ field, dir }) => `${orders[field]} ${dir}`).concat("du.code collate natural_order", "du.id");
  const from = sql`du_flow_unmatched m join du on du.id = m.du_id
    where m.project_id = ${ctx.project.id} and ${where} and not exists (select from du_flow b where b.du_id = du.id and b.unbound_at is null)`;
  const rows = await sql<UnmatchedRow[]>`
    select du.id, du.code, du.name, (select name from delivery_region g where g.id = du.region_id) as region, du.delivery_type as "deliveryType", m.reason, m.at
    from ${from} order by ${sql.unsafe(order.join(", "))} limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const hidden = ctx.can("rollout.duCountHide");
  const [count] = hidden ? [] : await sql<{ total: number }[]>`select count(*)::int as total from ${from}`;
  return { records: [...rows], total: count?.total ?? null, page: input.page, size: input.size };
}

function condition({ sql }: Ctx, { field, values }: Filter) {
  if (field === "reason")
    return sql`m.reason = any(${values.map(String).filter((value) => (unmatchedReasons as readonly string[]).includes(value))}::text[])`;
  const text = String(values[0] ?? "");
  return sql`(position(lower(${text}) in lower(du.code)) > 0 or position(lower(${text}) in lower(du.name)) > 0)`;
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { type Outcome, outcomes, type RunKind, type RunMode, type RunStatus } from "./limits.ts";

/** A run as its job reads it. */
export type StoredRun = {
  id: number;
  mode: RunMode;
  kind: RunKind;
  status: RunStatus;
  ruleIds: number[];
  duIds: number[] | null;
  /** DUs of each rule by its id, where rules look at some only. */
  ruleDus: Record<string, number[]> | null;
  startedBy: number | null;
  startedAt: Date;
  previewRunId: number | null;
  revertsRunId: number | null;
};

/** One run of the project. @throws NOT_FOUND */
export async function getRun({ sql, project }: Pick<Ctx, "sql" | "project">, runId: number, kind: RunKind): Promise<StoredRun> {
  const [run] = await sql<StoredRun[]>`
    select id, mode, kind, status, rule_ids as "ruleIds", du_ids as "duIds", rule_dus as "ruleDus", started_by as "startedBy", started_at as "startedAt",
      preview_run_id as "previewRunId", reverts_run_id as "revertsRunId"
    from rule_run where id = ${runId} and project_id = ${project.id} and kind = ${kind}`;
  if (!run) throw new AppError("NOT_FOUND", { object: runId });
  return run;
}

/** Rules named by runs that wait or run; dry runs hold nobody up. */
export async function listExecuting({ sql, project }: Pick<Ctx, "sql" | "project">, kind: RunKind): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select distinct unnest(rule_ids) as id from rule_run
    where project_id = ${project.id} and kind = ${kind} and mode <> 'PREVIEW' and status in ('QUEUED', 'RUNNING')`;
  return new Set(rows.map(({ id }) => id));
}

/** A run with what its rules did. */
export type RunRow = {
  id: number;
  mode: RunMode;
  status: RunStatus;
  startedByName: string | null;
  startedAt: Date;
  finishedAt: Date | null;
  scopeCount: number;
  matchedCount: number;
  changedCount: number;
  skippedCount: number;
  unchangedCount: number;
  error: string | null;
  revertsRunId: number | null;
  previewRunId: number | null;
  /** Skipped cells by reason. */
  skipped: Partial<Record<Outcome, number>>;
  rules: {
    id: number;
    name: string;
    matched: number;
    changed: number;
    skipped: number;
    superseded: number;
    sourceEmpty: number;
    reverted: boolean;
  }[];
};

/** Runs of a kind, the newest first; filters `runId`, `rule`, `mode`, `status`. Dry runs are there only when they are asked for by id. */
export async function listRuns(ctx: Pick<Ctx, "sql" | "project">, kind: RunKind, input: ListInput): Promise<Page<RunRow>> {
  const { sql, project } = ctx;
  const byId = input.filters.some(({ field }) => field === "runId");
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${runCondition(ctx, filter)}`,
    sql`r.project_id = ${project.id} and r.kind = ${kind} ${byId ? sql`` : sql`and r.mode <> 'PREVIEW'`}`,
  );
  const rows = await sql<RunRow[]>`
    select r.id, r.mode, r.status, u.name as "startedByName", r.started_at as "startedAt", r.finished_at as "finishedAt", r.scope_count as "scopeCount",
      r.matched_count as "matchedCount", r.changed_count as "changedCount", r.skipped_count as "skippedCount", r.unchanged_count as "unchangedCount", r.error,
      r.reverts_run_id as "revertsRunId", r.preview_run_id as "previewRunId",
      coalesce((select jsonb_object_agg(s.key, s.cells) from (
        select e.key, sum(e.value::int) as cells from rule_run_rule x, jsonb_each_text(x.skipped_by_reason) e where x.run_id = r.id group by e.key) s), '{}') as skipped,
      coalesce((select json_agg(json_build_object('id', x.rule_id, 'name', x.name, 'matched', x.matched, 'changed', x.changed, 'superseded', x.superseded,
          'sourceEmpty', x.source_empty, 'reverted', x.reverted, 'skipped', (select coalesce(sum(e.value::int), 0) from jsonb_each_text(x.skipped_by_reason) e)) order by x.rule_id)
        from rule_run_rule x where x.run_id = r.id), '[]') as rules
    from rule_run r left join app_user u on u.id = r.started_by
    where ${where} order by r.id desc limit ${input.size} offset ${(input.page - 1) * input.size}`;
  const [count] = await sql<{ total: number }[]>`select count(*)::int as total from rule_run r where ${where}`;
  return { records: [...rows], total: count!.total, page: input.page, size: input.size };
}

function runCondition({ sql }: Pick<Ctx, "sql">, { field, values }: Filter) {
  const numbers = values.map(Number).filter(Number.isSafeInteger);
  if (field === "runId") return sql`r.id = any(${numbers}::bigint[])`;
  if (field === "rule") return sql`r.rule_ids && ${numbers}::bigint[]`;
  return field === "mode" ? sql`r.mode = any(${values.map(String)}::text[])` : sql`r.status = any(${values.map(String)}::text[])`;
}

/** One cell of a run. */
export type ChangeRow = {
  duId: number;
  code: string;
  name: string;
  flow: string | null;
  /** The field as the rule names it. */
  target: unknown;
  ruleId: number;
  rule: string;
  outcome: Outcome;
  old: number | string | null;
  now: number | string | null;
};

/** Which cells of a run a person may see: condition on the alias `du`, and fields that stay hidden. */
export type ChangeSight = { within: ReturnType<Ctx["scope"]["where"]>; hidden: (target: unknown) => boolean };

/**
 * Cells of one run in the order of DUs; filters `runId`, `rule`, `du`, `outcome` (changed or skipped), `reason`.
 * @throws NOT_FOUND
 */
export async function listChanges(
  ctx: Pick<Ctx, "sql" | "project">,
  kind: RunKind,
  input: Pick<ListInput, "filters" | "page" | "size">,
  sight: ChangeSight,
): Promise<Page<ChangeRow>> {
  const { sql, project } = ctx;
  const asked = Number(input.filters.find(({ field }) => field === "runId")?.values[0]);
  const runId = Number.isSafeInteger(asked) ? asked : 0;
  const [run] = await sql<{ targets: unknown[] }[]>`
    select targets from rule_run where id = ${runId} and project_id = ${project.id} and kind = ${kind}`;
  if (!run) throw new AppError("NOT_FOUND", { object: runId });
  const shown = run.targets.flatMap((target, place) => (sight.hidden(target) ? [] : [place]));
  const where = input.filters.reduce(
    (left, filter) => sql`${left} and ${changeCondition(ctx, filter)}`,
    sql`c.run_id = ${runId} and ${sight.within} and e.target = any(${shown}::smallint[])`,
  );
  const from = sql`rule_run_change c join du on du.id = c.du_id join rule_run r on r.id = c.run_id
    cross join lateral unnest(c.target, c.rule, c.outcome, c.old_value, c.new_value, c.old_text, c.new_text)
      with ordinality as e(target, rule, outcome, old_value, new_value, old_text, new_text, place)
    where ${where}`;
  const rows = await sql<(Omit<ChangeRow, "outcome" | "target"> & { outcome: number; target: number })[]>`
    select p.*, f.name as flow, coalesce(x.name, '') as rule from (
      select c.du_id as "duId", du.code, du.name, e.target, r.rule_ids[e.rule + 1] as "ruleId", e.outcome, e.place,
        coalesce(to_jsonb(e.old_text), to_jsonb(nullif(e.old_value, 0))) as old, coalesce(to_jsonb(e.new_text), to_jsonb(nullif(e.new_value, 0))) as now
      from ${from} order by c.du_id, e.place limit ${input.size} offset ${(input.page - 1) * input.size}
    ) p left join rule_run_rule x on x.run_id = ${runId} and x.rule_id = p."ruleId"
    left join du_flow b on b.du_id = p."duId" and b.unbound_at is null left join activity_flow f on f.id = b.flow_id
    order by p."duId", p.place`;
  const [count] = await sql<{ total: number }[]>`select count(*)::int as total from ${from}`;
  return {
    records: rows.map(({ outcome, target, ...row }) => ({ ...row, target: run.targets[target], outcome: outcomes[outcome]! })),
    total: count!.total,
    page: input.page,
    size: input.size,
  };
}

function changeCondition({ sql }: Pick<Ctx, "sql">, { field, values }: Filter) {
  const texts = values.map(String);
  switch (field) {
    case "rule":
      return sql`r.rule_ids[e.rule + 1] = any(${values.map(Number).filter(Number.isSafeInteger)}::bigint[])`;
    case "du":
      return sql`(position(lower(${texts[0] ?? ""}) in lower(du.code)) > 0 or position(lower(${texts[0] ?? ""}) in lower(du.name)) > 0)`;
    case "outcome":
      return texts.includes("CHANGED") === texts.includes("SKIPPED")
        ? sql`true`
        : texts.includes("CHANGED")
          ? sql`e.outcome = 0`
          : sql`e.outcome > 0`;
    case "reason":
      return sql`e.outcome = any(${texts.map((text) => outcomes.indexOf(text as Outcome)).filter((place) => place > 0)}::smallint[])`;
    default:
      return sql`true`;
  }
}

/** What a run did, in cells and DUs; `differs`: cells in which it did something else than the dry run before it. */
export type Counts = { changed: number; skipped: number; unchanged: number; matched: number; scope: number; differs: number };

/** What a run that has ended well did; null of any other. */
export async function findCounts(ctx: Pick<Ctx, "sql">, { id, previewRunId }: StoredRun): Promise<Counts | null> {
  const [kept] = await ctx.sql<Omit<Counts, "differs">[]>`
    select changed_count as changed, skipped_count as skipped, unchanged_count as unchanged, matched_count as matched, scope_count as scope
    from rule_run where id = ${id} and status = 'DONE'`;
  return kept ? { ...kept, differs: previewRunId === null ? 0 : await readPreviewDifference(ctx, id, previewRunId) } : null;
}

/** Cells in which a run did something else than the dry run before it; all of them when the two cannot be compared. */
async function readPreviewDifference({ sql }: Pick<Ctx, "sql">, runId: number, previewRunId: number): Promise<number> {
  const cells = (id: number) => sql`
    select c.du_id, e.target, r.rule_ids[e.rule + 1] as rule, e.outcome, e.new_value, e.new_text from rule_run r join rule_run_change c on c.run_id = r.id
    cross join lateral unnest(c.target, c.rule, c.outcome, c.new_value, c.new_text) as e(target, rule, outcome, new_value, new_text) where r.id = ${id}
      and r.targets = (select targets from rule_run where id = ${runId})`;
  // Places in a dictionary differ from run to run where texts do not.
  const compared = (id: number) =>
    sql`select du_id, target, rule, outcome, case when new_text is null then new_value else 0 end, new_text from (${cells(id)}) x`;
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from ((${compared(runId)} except ${compared(previewRunId)}) union all (${compared(previewRunId)} except ${compared(runId)})) d`;
  return row!.count;
}

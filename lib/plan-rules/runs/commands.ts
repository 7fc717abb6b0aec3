import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { arraysText, rowBreak } from "#lib/core/arrays-text.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { idleRunDays, lostRunMinutes, previewHours, type RunKind, type RunMode, runMonths, storedDus } from "./limits.ts";
import { type PackedRow, type RuleCounts, skippedOf } from "./logic.ts";

type RunCtx = Pick<Ctx, "sql" | "project" | "now">;

/** What a run begins with. */
export type NewRun = {
  mode: RunMode;
  kind: RunKind;
  ruleIds: readonly number[];
  /** null when nobody started it. */
  startedBy: number | null;
  duIds?: readonly number[] | undefined;
  /** DUs of each rule by its id, where rules look at some only. */
  ruleDus?: Record<number, number[]> | undefined;
  previewRunId?: number | undefined;
  revertsRunId?: number | undefined;
};

/** Notes a run that waits to begin and gives its id. */
export async function addRun({ sql, project, now }: RunCtx, run: NewRun): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into rule_run (project_id, mode, kind, rule_ids, started_by, started_at, du_ids, rule_dus, preview_run_id, reverts_run_id)
    values (${project.id}, ${run.mode}, ${run.kind}, ${[...run.ruleIds]}, ${run.startedBy}, ${now}, ${run.duIds ? [...run.duIds] : null},
      ${run.ruleDus ? sql.json(run.ruleDus as never) : null},
      ${run.previewRunId ?? null}, ${run.revertsRunId ?? null}) returning id`;
  return made!.id;
}

/** Says which task carries a run out. */
export async function setRunTask({ sql }: Pick<Ctx, "sql">, runId: number, taskId: string): Promise<void> {
  await sql`update rule_run set task_id = ${taskId} where id = ${runId}`;
}

/** Marks a run as begun. Gives false when it is over already. */
export async function beginRun({ sql, project }: Pick<Ctx, "sql" | "project">, runId: number): Promise<boolean> {
  const begun = await sql`
    update rule_run set status = 'RUNNING' where id = ${runId} and project_id = ${project.id} and status in ('QUEUED', 'RUNNING')`;
  return begun.count === 1;
}

/** Ends a run without result; what it had done is not written. */
export async function failRun({ sql, project, now }: RunCtx, runId: number, error: string): Promise<void> {
  await sql`
    update rule_run set status = 'FAILED', finished_at = ${now}, error = ${error}
    where id = ${runId} and project_id = ${project.id} and status in ('QUEUED', 'RUNNING')`;
}

/** What became of a run: its fields, its rules with their counts, and its cells packed by DU. */
export type KeptRun = {
  runId: number;
  targets: readonly unknown[];
  scope: number;
  matched: number;
  rules: readonly ({ id: number; name: string } & RuleCounts)[];
  rows: readonly PackedRow[];
};

/** Writes down what became of a run and ends it; part of the transaction that writes its changes. */
export async function keepRun({ sql, project, now }: RunCtx, { runId, targets, scope, matched, rules, rows }: KeptRun): Promise<void> {
  const sum = (of: (counts: RuleCounts) => number) => rules.reduce((all, counts) => all + of(counts), 0);
  const ended = await sql`
    update rule_run set status = 'DONE', finished_at = ${now}, rule_ids = ${rules.map(({ id }) => id)}, targets = ${sql.json([...targets] as never)},
      scope_count = ${scope}, matched_count = ${matched}, changed_count = ${sum(({ changed }) => changed)}, unchanged_count = ${sum(({ unchanged }) => unchanged)},
      skipped_count = ${skippedOf(rules)}
    where id = ${runId} and project_id = ${project.id} and status in ('QUEUED', 'RUNNING')`;
  if (ended.count !== 1) throw new Error(`run ${runId} was over before it ended`);
  if (rules.length > 0)
    await sql`
      insert into rule_run_rule (run_id, project_id, rule_id, name, matched, changed, unchanged, source_empty, superseded, skipped_by_reason)
      select ${runId}::bigint, ${project.id}::bigint, r.id, r.name, r.matched, r.changed, r.unchanged, r."sourceEmpty", r.superseded, r.skipped
      from jsonb_to_recordset(${sql.json(rules as never)}) as r(id bigint, name text, matched int, changed int, unchanged int, "sourceEmpty" int, superseded int, skipped jsonb)`;
  // The database stores some rows while the next are put together; the connection needs a moment to send them.
  const storing: Promise<unknown>[] = [];
  for (let from = 0; from < rows.length; from += storedDus) {
    if (from > 0) await pause(1);
    const stored = storeChanges({ sql, project }, runId, rows.slice(from, from + storedDus));
    stored.catch(() => {});
    storing.push(stored);
  }
  await Promise.all(storing);
}

async function storeChanges({ sql, project }: Pick<RunCtx, "sql" | "project">, runId: number, rows: readonly PackedRow[]): Promise<void> {
  // Texts travel as JSON, for few rows have any; numbers as one text per column.
  const numbers = (of: (row: PackedRow) => readonly number[]) => sql`string_to_array(${arraysText(rows.map(of), "{}")}, ${rowBreak})`;
  const texts = rows.flatMap(({ duId, oldText, nowText }) => (oldText && nowText ? [{ id: duId, old: oldText, now: nowText }] : []));
  await sql`
    insert into rule_run_change (run_id, project_id, du_id, target, rule, outcome, old_value, new_value, old_text, new_text)
    select ${runId}::bigint, ${project.id}::bigint, n.id, n.target::smallint[], n.rule::smallint[], n.outcome::smallint[], n.old::int[], n.now::int[],
      (select array_agg(v.value order by v.place) from jsonb_array_elements_text(t.old) with ordinality v(value, place)),
      (select array_agg(v.value order by v.place) from jsonb_array_elements_text(t.now) with ordinality v(value, place))
    from unnest(string_to_array(${rows.map(({ duId }) => duId).join(",")}, ',')::bigint[], ${numbers(({ target }) => target)},
      ${numbers(({ rule }) => rule)}, ${numbers(({ outcome }) => outcome)}, ${numbers(({ old }) => old)}, ${numbers(({ now }) => now)})
      as n(id, target, rule, outcome, old, now)
    left join jsonb_to_recordset(${sql.json(texts as never)}) as t(id bigint, old jsonb, now jsonb) on t.id = n.id`;
}

/**
 * Ends runs that nobody carries out any more, so that no rule stays locked: their task ended without them, or their worker is gone.
 * @returns the runs ended, with whose they are
 */
export async function endLostRuns(
  { sql, now }: Pick<Ctx, "sql" | "now">,
  over: (run: { id: number; projectId: number; kind: RunKind; ruleIds: number[] }) => Promise<void> = async () => {},
): Promise<number> {
  const lost = await sql<{ id: number; projectId: number; kind: RunKind; ruleIds: number[] }[]>`
    update rule_run r set status = 'FAILED', finished_at = ${now}, error = 'TASK_LOST'
    where r.status in ('QUEUED', 'RUNNING') and case when r.task_id is null then r.started_at < ${new Date(now.getTime() - lostRunMinutes * 60_000)}
      else not exists (select 1 from task t where t.id = r.task_id and t.status in ('queued', 'running')) end
    returning r.id, r.project_id as "projectId", r.kind, r.rule_ids as "ruleIds"`;
  for (const run of lost) await over(run);
  return lost.length;
}

/** Forgets old runs of a project: dry ones after a day, those that changed nothing after a month, the others after a year. */
export async function clearRuns({ sql }: Pick<Ctx, "sql">, projectId: number, now: Date): Promise<void> {
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  await sql`
    delete from rule_run where project_id = ${projectId} and status in ('DONE', 'FAILED') and (
      (mode = 'PREVIEW' and started_at < ${ago(previewHours)}) or (changed_count = 0 and started_at < ${ago(idleRunDays * 24)})
      or started_at < ${now}::timestamptz - make_interval(months => ${runMonths}))`;
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { FieldRef } from "#lib/plan-rules/logic.ts";
import { revertDays } from "#lib/plan-rules/runs/limits.ts";

/** A cell that a run has changed. */
export type ChangedCell = {
  duId: number;
  target: number;
  rule: number;
  old: number;
  now: number;
  oldText: string | null;
  nowText: string | null;
};

/** What a run has changed, by its rules and fields. */
export type ChangedRun = { ruleIds: number[]; names: string[]; targets: FieldRef[]; cells: ChangedCell[] };

/** Rules of a run that can still be taken back. @throws NOT_FOUND, REVERT_TOO_OLD, ALREADY_REVERTED */
export async function getRevertible(
  ctx: Pick<Ctx, "sql" | "project" | "now">,
  runId: number,
  ruleIds: readonly number[] | undefined,
): Promise<{ id: number; name: string }[]> {
  const { sql, project, now } = ctx;
  const [run] = await sql<{ finishedAt: Date }[]>`
    select finished_at as "finishedAt" from rule_run
    where id = ${runId} and project_id = ${project.id} and kind = 'PLAN' and status = 'DONE' and mode in ('AUTO', 'MANUAL', 'EVENT')`;
  if (!run) throw new AppError("NOT_FOUND", { object: runId });
  if (run.finishedAt < new Date(now.getTime() - revertDays * 86_400_000)) throw new AppError("REVERT_TOO_OLD", { max: revertDays });
  const rules = await sql<{ id: number; name: string; reverted: boolean }[]>`
    select rule_id as id, name, reverted from rule_run_rule where run_id = ${runId} ${ruleIds ? sql`and rule_id = any(${[...ruleIds]}::bigint[])` : sql``} order by rule_id`;
  if (rules.length === 0 || (ruleIds && rules.length < ruleIds.length))
    throw new AppError("NOT_FOUND", { object: (ruleIds ?? [runId]).join(", ") });
  const reverted = rules.filter((rule) => rule.reverted);
  // Of a whole run, what was taken back before is left out.
  if (reverted.length === rules.length || (ruleIds && reverted.length > 0))
    throw new AppError("ALREADY_REVERTED", { names: reverted.map(({ name }) => name).join(", ") });
  return rules.filter((rule) => !rule.reverted).map(({ id, name }) => ({ id, name }));
}

/** The cells that rules of a run have changed. */
export async function readChanged(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  runId: number,
  ruleIds: readonly number[],
): Promise<ChangedRun> {
  const [run] = await sql<{ ruleIds: number[]; targets: FieldRef[] }[]>`
    select rule_ids as "ruleIds", targets from rule_run where id = ${runId} and project_id = ${project.id}`;
  const cells = await sql<ChangedCell[]>`
    select c.du_id as "duId", e.target, e.rule, e.old, e.now, e.old_text as "oldText", e.now_text as "nowText"
    from rule_run_change c join rule_run r on r.id = c.run_id
    cross join lateral unnest(c.target, c.rule, c.outcome, c.old_value, c.new_value, c.old_text, c.new_text) as e(target, rule, outcome, old, now, old_text, now_text)
    where c.run_id = ${runId} and e.outcome = 0 and r.rule_ids[e.rule + 1] = any(${[...ruleIds]}::bigint[]) order by c.du_id, e.target`;
  const names = await sql<{ id: number; name: string }[]>`select rule_id as id, name from rule_run_rule where run_id = ${runId}`;
  const byId = new Map(names.map(({ id, name }) => [id, name]));
  return { ruleIds: run!.ruleIds, targets: run!.targets, names: run!.ruleIds.map((id) => byId.get(id) ?? ""), cells: [...cells] };
}

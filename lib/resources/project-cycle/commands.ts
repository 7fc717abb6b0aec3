import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { listCycles } from "./queries.ts";
import { phaseRules } from "./rules.ts";
import type { CycleIds, SaveCycle } from "./schema.ts";

/**
 * Stores the phases of a project number.
 * @throws NOT_FOUND, NOTHING_MODIFIED, STALE, PROJECT_REPEAT, CODE_EXISTS, NAME_EXISTS and DATE_ORDER at the phase
 */
export async function saveCycle(
  ctx: Ctx,
  { id, projectNumber, phases, rowVersion }: SaveCycle,
): Promise<{ id: number; rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  await holdProject(ctx);
  const cycles = await listCycles(ctx);
  const before = cycles.find((cycle) => cycle.id === id);
  if (id !== undefined && !before) throw new AppError("NOT_FOUND", { object: id });
  if (before && before.rowVersion !== rowVersion) throw new AppError("STALE");
  const others = cycles.filter((cycle) => cycle !== before);
  if (others.some((cycle) => cycle.projectNumber.toLowerCase() === projectNumber.toLowerCase()))
    throw new AppError("PROJECT_REPEAT", { project: projectNumber }, [
      { path: "projectNumber", code: "PROJECT_REPEAT", params: { project: projectNumber } },
    ]);
  const taken = others.flatMap((cycle) => cycle.phases.map(({ name }) => name.toLowerCase()));
  const problems = phases.flatMap((phase, index): Problem[] => {
    const earlier = phases.slice(0, index);
    const facts = { ...phase, codes: earlier.map(({ code }) => code), names: [...taken, ...earlier.map(({ name }) => name.toLowerCase())] };
    return brokenRules(phaseRules, facts, `phases.${index}`);
  });
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params, problems);
  refuseUnchanged(before && facts(before), facts({ projectNumber, phases }));
  const [written] = before
    ? await sql<{ id: number }[]>`
        update project_cycle set project_number = ${projectNumber}, row_version = row_version + 1, updated_by = ${user.id}, updated_at = ${now} where id = ${before.id} returning id`
    : await sql<{ id: number }[]>`
        insert into project_cycle (project_id, project_number, updated_by, updated_at) values (${project.id}, ${projectNumber}, ${user.id}, ${now}) returning id`;
  await sql`delete from project_phase where cycle_id = ${written!.id}`;
  await sql`
    insert into project_phase (project_id, cycle_id, code, name, start_date, end_date)
    select ${project.id}, ${written!.id}, n.code, n.name, n."startDate", n."endDate"
    from jsonb_to_recordset(${sql.json(phases)}) n(code text, name text, "startDate" date, "endDate" date)`;
  ctx.audit(`project_cycle ${written!.id}`, before ?? null, { projectNumber, phases });
  return { id: written!.id, rowVersion: (before?.rowVersion ?? 0) + 1 };
}

const facts = ({ projectNumber, phases }: Pick<SaveCycle, "projectNumber" | "phases">) => ({
  projectNumber,
  phases: Object.fromEntries(phases.map(({ code, name, startDate, endDate }) => [code, { name, startDate, endDate }])),
});

/** Deletes cycles with their phases. @throws NOT_FOUND */
export async function deleteCycles(ctx: Ctx, { ids }: CycleIds): Promise<{ deleted: number }> {
  await holdProject(ctx);
  const found = (await listCycles(ctx)).filter(({ id }) => ids.includes(id));
  const missing = ids.filter((id) => !found.some((cycle) => cycle.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  await ctx.sql`delete from project_cycle where id = any(${ids}::bigint[])`;
  ctx.audit("project_cycles", found, null, "deleted");
  return { deleted: found.length };
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { brokenRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { type CompanyConfig, readConfig } from "./queries.ts";
import { capacityRules } from "./rules.ts";
import type { Capacity, UpdateConfig } from "./schema.ts";

/**
 * Stores switches and capacities of a company, or those that hold for all others. [RES-55]
 * @throws NO_PERMISSION without the right for the capacities, NOT_FOUND, NOTHING_MODIFIED, STALE, CAPACITY_LIMIT, LEAD_TIME, REDUNDANCY_RANGE, NUMBER_RANGE at the capacity
 */
export async function updateConfig(
  ctx: Ctx,
  { subcontractorId, config, capacity, rowVersion }: UpdateConfig,
): Promise<{ rowVersion: number }> {
  const { sql, project, user, now } = ctx;
  if (capacity && !ctx.can("capacity.edit")) throw new AppError("NO_PERMISSION", { right: "capacity.edit" });
  await holdProject(ctx);
  if (subcontractorId !== null) {
    const [company] = await sql`
      select 1 from subcontractor where project_id = ${project.id} and id = ${subcontractorId} and ${ctx.scope.company(sql`id`)} for share`;
    if (!company) throw new AppError("NOT_FOUND", { object: subcontractorId });
  }
  const [before] = await sql<{ id: number; rowVersion: number }[]>`
    select id, row_version as "rowVersion" from subcon_setting where project_id = ${project.id} and subcontractor_id is not distinct from ${subcontractorId}::bigint for update`;
  if ((before?.rowVersion ?? 0) !== rowVersion) throw new AppError("STALE");
  if (capacity) await demandCapacities(ctx, capacity);
  const stored = before ? await readConfig(ctx, subcontractorId) : null;
  const [setting] = await sql<{ id: number; rowVersion: number }[]>`
    insert into subcon_setting as s (project_id, subcontractor_id, updated_by, updated_at) values (${project.id}, ${subcontractorId}, ${user.id}, ${now})
    on conflict on constraint subcon_setting_unique do update set row_version = s.row_version + 1, updated_by = ${user.id}, updated_at = ${now}
    returning id, row_version as "rowVersion"`;
  for (const [key, value] of Object.entries(config ?? {}))
    await sql`
      insert into subcon_config (setting_id, project_id, key, value) values (${setting!.id}, ${project.id}, ${key}, ${value})
      on conflict (setting_id, key) do update set value = excluded.value`;
  if (capacity) await replaceCapacities(ctx, setting!.id, capacity);
  // What was given is compared as it is stored.
  if (stored) refuseUnchanged(facts(stored), facts(await readConfig(ctx, subcontractorId)));
  ctx.audit(`subcon_setting ${setting!.id}`, before ?? null, { subcontractorId, config, capacity });
  return { rowVersion: setting!.rowVersion };
}

const facts = ({ config, capacity }: CompanyConfig) => ({ config, capacity: capacity.map(({ id: _id, ...row }) => row) });

async function demandCapacities({ sql, project }: Ctx, capacity: readonly Capacity[]): Promise<void> {
  const problems = capacity.flatMap((row, index): Problem[] => brokenRules(capacityRules, row, `capacity.${index}`));
  const asked = (pick: (row: Capacity) => number | null | undefined) => [...new Set(capacity.flatMap((row) => pick(row) ?? []))];
  const regions = asked(({ regionId }) => regionId);
  const types = asked(({ subconTypeId }) => subconTypeId);
  const rows = await sql<{ kind: string; id: number }[]>`
    select 'region' as kind, id from delivery_region where project_id = ${project.id} and deleted_at is null and id = any(${regions}::bigint[])
    union all select 'type', id from subcon_type where project_id = ${project.id} and id = any(${types}::bigint[])`;
  const known = new Set(rows.map(({ kind, id }) => `${kind} ${id}`));
  const missing = capacity.flatMap(({ regionId, subconTypeId }, index): Problem[] => [
    ...(regionId && !known.has(`region ${regionId}`)
      ? [{ path: `capacity.${index}.regionId`, code: "NOT_FOUND" as const, params: { object: regionId } }]
      : []),
    ...(subconTypeId && !known.has(`type ${subconTypeId}`)
      ? [{ path: `capacity.${index}.subconTypeId`, code: "NOT_FOUND" as const, params: { object: subconTypeId } }]
      : []),
  ]);
  const [first] = [...problems, ...missing];
  if (first) throw new AppError(first.code, first.params, [...problems, ...missing]);
}

async function replaceCapacities(ctx: Ctx, settingId: number, capacity: readonly Capacity[]): Promise<void> {
  const { sql, project } = ctx;
  await sql`delete from subcon_capacity where setting_id = ${settingId}`;
  const rows = capacity.map((row) => ({ ...row, regionId: row.regionId ?? null, subconTypeId: row.subconTypeId ?? null }));
  const made = await sql<{ id: number; regionId: number | null; subconTypeId: number | null }[]>`
    insert into subcon_capacity (project_id, setting_id, region_id, subcon_type_id, baseline, upper_cap, lower_limit, lead_time_weeks, increase_period_weeks, increase_per_cycle,
      redundancy_ratio, start_week)
    select ${project.id}, ${settingId}, n."regionId", n."subconTypeId", n.baseline, n."upperCap", n."lowerLimit", n."leadTimeWeeks", n."increasePeriodWeeks", n."increasePerCycle",
      n."redundancyRatio", n."startWeek"
    from jsonb_to_recordset(${sql.json(rows as never)}) n("regionId" bigint, "subconTypeId" bigint, baseline numeric, "upperCap" numeric, "lowerLimit" numeric,
      "leadTimeWeeks" int, "increasePeriodWeeks" int, "increasePerCycle" numeric, "redundancyRatio" numeric, "startWeek" date)
    returning id, region_id as "regionId", subcon_type_id as "subconTypeId"`;
  const ids = new Map(made.map(({ id, regionId, subconTypeId }) => [`${regionId} ${subconTypeId}`, id]));
  const weeks = rows.flatMap((row) =>
    row.weeks.map(({ week, value }) => ({ id: ids.get(`${row.regionId} ${row.subconTypeId}`), week, value })),
  );
  await sql`
    insert into subcon_capacity_week (capacity_id, project_id, week_start, value)
    select n.id, ${project.id}, n.week, n.value from jsonb_to_recordset(${sql.json(weeks as never)}) n(id bigint, week date, value numeric)`;
}

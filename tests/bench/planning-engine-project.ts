import { type Pool, type Sql, transaction } from "#db/client.ts";
import { takeIds } from "#db/ids.ts";
import { arrayText, copyRows } from "#db/seed/copy.ts";
import { addDays, dayNumber } from "#lib/core/clock.ts";
import { relationKinds } from "#lib/planning-engine/model/limits.ts";
import type { Problem } from "#lib/planning-engine/model/logic.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { allWeekdays } from "#lib/scheduling/calendar/limits.ts";

/**
 * Makes a project with a version of the engine that asks for the plan of a generated roll-out: every day is a working day, RFI of each DU is fixed on its
 * release, and DUs with more weight come first.
 * @param today first day of the plan
 * @returns the version
 */
export function makeEngineProject(pool: Pool, number: string, problem: Problem, userId: number, today: string): Promise<number> {
  return transaction(pool, async (sql) => {
    const [project] = await sql<{ id: number }[]>`
      insert into project (number, name, country, hosting_country, datacenter) values (${number}, ${number}, 'CN', 'CN', 'cn-south-1') returning id`;
    const projectId = project!.id;
    await sql`insert into plan_seq (project_id) values (${projectId})`;
    await sql`
      insert into project_member (project_id, user_id, role, valid_from, granted_at) values (${projectId}, ${userId}, 'PM', ${today}::date - 365, now())`;
    await sql`insert into resource (project_id, user_id, type) values (${projectId}, ${userId}, 'OWN')`;
    await sql`insert into work_calendar (project_id, name, weekdays) values (${projectId}, 'Every day', ${allWeekdays})`;
    const [version] = await sql<{ id: number }[]>`
      insert into engine_plan_version (project_id, version_name, source, is_current, inputs_changed_at, created_by, created_at, updated_by, updated_at)
      values (${projectId}, ${number}, 'page_input', true, now(), ${userId}, now(), ${userId}, now()) returning id`;
    const versionId = version!.id;
    await sql`
      insert into engine_setting (version_id, project_id, direction, plan_start_date, horizon_days, sort_by_rfi, enable_eomonth, enable_cluster, damage_rate,
        reuse_rate, buffer_rate, gap_policy, currency, evaluation_limit, time_budget_s, seed, islands, use_exact, updated_by, updated_at)
      values (${versionId}, ${projectId}, 'forward', ${today}, ${problem.horizonDays}, true, false, false, 0, 1, 0, 'flag', 'USD', 1, 600, 1, 1, false,
        ${userId}, now())`;
    const own: Own = { sql, projectId, versionId, userId, today };
    await makeActivities(own, problem);
    const duIds = await makeDus(own, problem);
    await makeStock(own, problem, duIds);
    return versionId;
  });
}

type Own = { sql: Sql; projectId: number; versionId: number; userId: number; today: string };

const regionName = (region: number) => `Region ${region + 1}`;
const itemCode = (item: number) => `ITEM-${item + 1}`;

/** Copies rows of an input of the version. */
function copyInput(
  { sql, projectId, versionId, userId }: Own,
  table: string,
  columns: string[],
  rows: (string | number | boolean | null)[][],
) {
  const now = new Date().toISOString();
  return copyRows(
    sql,
    table,
    ["project_id", "version_id", "created_by", "created_at", "updated_by", "updated_at", ...columns],
    rows.map((row) => [projectId, versionId, userId, now, userId, now, ...row]),
  );
}

/** The library has a slot for every position; flows take their activities from it. */
async function makeActivities(own: Own, { flows, teams }: Problem): Promise<void> {
  const { sql, projectId, versionId } = own;
  await sql`
    insert into activity_library (project_id, slot, code, name, kind)
    select ${projectId}, n, 'A' || n, name, case n when 1 then 'rfi' else 'normal' end from unnest(${flows[0]!.activities}::text[]) with ordinality a(name, n)`;
  await copyInput(
    own,
    "engine_activity",
    [
      "workflow_name",
      "activity_name",
      "sort",
      "slot",
      "duration_days",
      "material_related",
      "need_subcontractor",
      "disassembly",
      "assembly",
      "skill_type",
    ],
    flows.flatMap(({ name, activities, durations, teamClass, material }) =>
      activities.map((activity, at) => [
        name,
        activity,
        at + 1,
        at + 1,
        durations[at]!,
        at === material,
        teamClass[at]! >= 0,
        false,
        false,
        teamClass[at]! < 0 ? null : `Skill ${teamClass[at]}`,
      ]),
    ),
  );
  const made = await sql<{ id: number; workflow: string; sort: number }[]>`
    select id, workflow_name as workflow, sort from engine_activity where version_id = ${versionId}`;
  const ids = new Map(made.map(({ id, workflow, sort }) => [`${workflow} ${sort}`, id]));
  await copyRows(
    sql,
    "engine_activity_pre",
    ["engine_activity_id", "pre_engine_activity_id", "project_id", "relation", "offset_days"],
    flows.flatMap(({ name, activities, inAt, inFrom, inKind, inOffset }) =>
      activities.flatMap((_, at) =>
        Array.from({ length: inAt[at + 1]! - inAt[at]! }, (_, place) => {
          const arc = inAt[at]! + place;
          const [id, pre] = [ids.get(`${name} ${at + 1}`)!, ids.get(`${name} ${inFrom[arc]! + 1}`)!];
          return [id, pre, projectId, relationKinds[inKind[arc]!]!, inOffset[arc]!];
        }),
      ),
    ),
  );
  await copyInput(
    own,
    "engine_skill_resource",
    ["skill_type", "resource_name", "region", "team_count"],
    Array.from(teams.count, (count, pool) => [`Skill ${teams.skill[pool]}`, "Teams", regionName(teams.region[pool]!), count]),
  );
}

/** DUs with their plan rows. */
async function makeDus(own: Own, { dus, flows, teams }: Problem): Promise<number[]> {
  const { sql, projectId, today } = own;
  const indexes = [...dus.id.keys()];
  const regions = await sql<{ id: number }[]>`
    insert into delivery_region ${sql(Array.from({ length: teams.regions }, (_, region) => ({ project_id: projectId, name: regionName(region), sort_no: region + 1 })))} returning id`;
  const siteIds = await takeIds(sql, "customer_site", indexes.length);
  const duIds = await takeIds(sql, "du", indexes.length);
  const code = (du: number) => `DU-${String(du + 1).padStart(5, "0")}`;
  const siteRows = indexes.map((du) => [siteIds[du]!, projectId, `S-${code(du)}`, code(du)]);
  await copyRows(sql, "customer_site", ["id", "project_id", "code", "name"], siteRows);
  await copyRows(
    sql,
    "du",
    ["id", "project_id", "code", "name", "site_id", "region_id"],
    indexes.map((du) => [duIds[du]!, projectId, code(du), code(du), siteIds[du]!, regions[dus.region[du]!]!.id]),
  );
  const slots = flows[0]!.activities.length;
  const state = new Array<number>(slots).fill(1 << stateBits.inFlow.at);
  state[0]! |= 1 << stateBits.fixed.at;
  const states = arrayText(state);
  const first = dayNumber(today);
  await copyRows(
    sql,
    "du_plan",
    ["du_id", "project_id", "plan_start", "plan_end", "state", "applicable_count"],
    indexes.map((du) => [duIds[du]!, projectId, `{${first + dus.release[du]!}}`, `{${first + dus.release[du]!}}`, states, slots]),
  );
  await copyInput(
    own,
    "engine_du",
    ["du_id", "workflow_name", "du_type", "allow_direct_moving", "region", "rfi_priority", "plan_end_date", "in_scope"],
    indexes.map((du) => [
      duIds[du]!,
      flows[dus.flow[du]!]!.name,
      "both",
      false,
      regionName(dus.region[du]!),
      6 - dus.weight[du]!,
      addDays(today, dus.due[du]!),
      true,
    ]),
  );
  return duIds;
}

/** A warehouse for each region with what comes into it, and what the DUs need. */
async function makeStock(own: Own, { lots, demand, dus, teams }: Problem, duIds: number[]): Promise<void> {
  const { sql, projectId, userId, today } = own;
  const warehouses = await sql<{ id: number }[]>`
    insert into engine_warehouse (project_id, name, priority, type, region, created_by, created_at, updated_by, updated_at)
    select ${projectId}, 'Warehouse ' || name, 1, 'regional', name, ${userId}, now(), ${userId}, now()
    from unnest(${Array.from({ length: teams.regions }, (_, region) => regionName(region))}::text[]) name returning id`;
  await copyInput(
    own,
    "engine_inventory",
    ["warehouse_id", "item_code", "plan_qty", "plan_inbound_date"],
    Array.from(lots.item, (item, lot) => [
      warehouses[lots.region[lot]!]!.id,
      itemCode(item),
      lots.quantity[lot]! / 100,
      addDays(today, lots.day[lot]!),
    ]),
  );
  await copyInput(
    own,
    "engine_du_material",
    ["du_id", "item_code", "install_qty"],
    Array.from(dus.id.keys()).flatMap((du) =>
      Array.from({ length: demand.at[du + 1]! - demand.at[du]! }, (_, place) => {
        const entry = demand.at[du]! + place;
        return [duIds[du]!, itemCode(demand.item[entry]!), demand.quantity[entry]! / 100];
      }),
    ),
  );
}

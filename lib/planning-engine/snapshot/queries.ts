import "server-only";
import { createHash } from "node:crypto";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { readCalendars } from "#lib/scheduling/calendar/queries.ts";
import { engineDusMax } from "../inputs/limits.ts";
import { demandVersion, readSetting } from "../versions/queries.ts";
import { engineCodeVersion, snapshotFormat } from "./limits.ts";
import { type BaseRows, type Fault, makeSnapshot, type Snapshot, type SnapshotRows, tenThousandths } from "./logic.ts";

/** The frozen input of a version, and what is wrong with it or should be looked at; null while there is nothing that could be planned. */
export type ReadSnapshot = { snapshot: Snapshot | null; faults: Fault[] };

/**
 * Reads the inputs of a version, the plan of its DUs and the calendars of their regions, each by one statement, and freezes them.
 * @param base the plan a re-planning starts from: the rollout plan, or the stored rows of an earlier run
 * @param withPlan false where only the faults are wanted: none of them comes from the rollout plan
 * @throws NOT_FOUND
 */
export async function readSnapshot(
  ctx: Pick<Ctx, "sql" | "project" | "today">,
  { versionId, base = null, withPlan = true }: { versionId: number; base?: BaseRows | null; withPlan?: boolean },
): Promise<ReadSnapshot> {
  const { sql, project } = ctx;
  await demandVersion(ctx, versionId);
  const setting = await readSetting(ctx, versionId);
  const found = await sql<(Omit<SnapshotRows["dus"][number], "workflow"> & { workflow: string; deleted: boolean })[]>`
    select e.du_id as id, d.code, e.workflow_name as workflow, e.du_type as type, e.customer_site as site,
      case when e.allow_direct_moving then e.direct_migration_site end as "directSite", e.region, e.longitude, e.latitude, e.cluster,
      e.cluster_priority as "clusterPriority", e.rfi_priority as "rfiPriority", coalesce(e.plan_end_date - date '2000-01-01', 0) as "planEnd",
      coalesce(e.ic_actual_end_date - date '2000-01-01', 0) as "icEnd", coalesce(e.decom_actual_end_date - date '2000-01-01', 0) as "decomEnd",
      coalesce(e.eomonth - date '2000-01-01', 0) as eomonth, d.deleted_at is not null as deleted
    from engine_du e join du d on d.id = e.du_id where e.version_id = ${versionId} and e.in_scope order by e.du_id`;
  const faults: Fault[] = found
    .filter(({ deleted }) => deleted)
    .map(({ id }) => ({ code: "DU_DELETED", level: "warning", block: "du", duId: id }));
  const dus = found.filter(({ deleted }) => !deleted).map(({ deleted: _deleted, ...du }) => du);
  if (!setting) faults.push({ code: "SETTING_MISSING", level: "error", block: "setting" });
  if (dus.length === 0) faults.push({ code: "BLOCK_EMPTY", level: "error", block: "du" });
  if (dus.length > engineDusMax) faults.push({ code: "TOO_MANY_DU", level: "error", block: "du", params: { max: engineDusMax } });
  const activities = await sql<(SnapshotRows["activities"][number] & { changed: boolean })[]>`
    select a.id, a.workflow_name as workflow, a.activity_name as name, a.slot, a.duration_days as days, a.material_related as material,
      a.need_subcontractor as team, a.disassembly, a.assembly, a.skill_type as skill, a.resource_name as resource,
      f.version is distinct from a.flow_version and f.id is not null as changed
    from engine_activity a left join activity_flow f on f.id = a.flow_id where a.version_id = ${versionId} order by a.workflow_name, a.sort, a.id`;
  if (activities.length === 0) faults.push({ code: "BLOCK_EMPTY", level: "error", block: "activity" });
  const used = new Set(dus.map(({ workflow }) => workflow));
  for (const workflow of new Set(activities.flatMap((row) => (row.changed && used.has(row.workflow) ? row.workflow : []))))
    faults.push({ code: "FLOW_CHANGED", level: "warning", block: "activity", params: { workflow } });
  const relevant = activities.filter(({ workflow }) => used.has(workflow));
  const pools = await sql<SnapshotRows["pools"]>`
    select skill_type as skill, resource_name as resource, region, team_count as teams from engine_skill_resource where version_id = ${versionId} order by id`;
  if (pools.length === 0 && relevant.some(({ team, days }) => team && days > 0))
    faults.push({ code: "BLOCK_EMPTY", level: "error", block: "skill_resource" });
  const listed = await sql<SnapshotRows["materials"]>`
    select du_id as du, item_code as item, decom_qty as decom, install_qty as install from engine_du_material where version_id = ${versionId} order by du_id, id`;
  const inScope = new Set(found.map(({ id }) => id));
  const materials = listed.filter(({ du }) => inScope.has(du));
  const stock = await sql<SnapshotRows["stock"]>`
    select warehouse_id as warehouse, item_code as item, inventory_qty as inventory, plan_qty as plan,
      coalesce(plan_inbound_date - date '2000-01-01', 0) as inbound from engine_inventory where version_id = ${versionId} order by id`;
  if (relevant.some(({ material, disassembly }) => material && !disassembly)) {
    if (materials.length === 0) faults.push({ code: "BLOCK_EMPTY", level: "error", block: "du_material" });
    if (stock.length === 0) faults.push({ code: "BLOCK_EMPTY", level: "error", block: "inventory" });
  }
  if (!setting || dus.length === 0 || dus.length > engineDusMax || activities.length === 0) return { snapshot: null, faults };

  const pres = await sql<SnapshotRows["pres"]>`
    select p.engine_activity_id as id, p.pre_engine_activity_id as pre, p.relation, p.offset_days as "offset"
    from engine_activity_pre p join engine_activity a on a.id = p.engine_activity_id where a.version_id = ${versionId}`;
  const links = await sql<SnapshotRows["links"]>`
    select l.engine_activity_id as one, l.other_engine_activity_id as other, l.kind
    from engine_activity_link l join engine_activity a on a.id = l.engine_activity_id where a.version_id = ${versionId}`;
  const warehouses = await sql<SnapshotRows["warehouses"]>`
    select id, name, priority, region from engine_warehouse where project_id = ${project.id} order by id`;
  const substitutes = await sql<SnapshotRows["substitutes"]>`
    select design_item_code as "designItem", design_qty as covers, design_priority as "designPriority", group_name as "group", warehouse_item_code as item,
      warehouse_qty as quantity, substitution_priority as priority from engine_item_substitute where version_id = ${versionId} order by id`;
  const reuse = await sql<SnapshotRows["reuse"]>`
    select item_code as item, damage_rate as damage, reuse_rate as reuse, buffer_rate as buffer, turnaround_days as turnaround
    from engine_reuse_material where version_id = ${versionId} order by id`;
  const [sync] = await sql<{ day: number }[]>`
    select (synced_at + make_interval(hours => 8) + ${project.tzOffset} * interval '1 hour')::date - date '2000-01-01' as day
    from engine_inventory_sync where version_id = ${versionId} and synced_at is not null`;
  const regions = await sql<{ id: number; name: string }[]>`
    select id, name from delivery_region where project_id = ${project.id} and deleted_at is null`;
  const calendars = await readCalendars(ctx);
  const plan = await readPlanRows(ctx, withPlan ? dus.map(({ id }) => id) : [], {
    fields: ["planStart", "planEnd", "actualStart", "actualEnd", "state"],
  });
  const made = makeSnapshot({
    format: snapshotFormat,
    codeVersion: engineCodeVersion,
    today: dayNumber(ctx.today),
    planStart: dayNumber(setting.planStartDate),
    settings: {
      direction: setting.direction,
      horizonDays: setting.horizonDays,
      sortByRfi: setting.sortByRfi,
      enableEomonth: setting.enableEomonth,
      enableCluster: setting.enableCluster,
      clusteringRate: setting.clusteringRate == null ? null : tenThousandths(setting.clusteringRate),
      damageRate: tenThousandths(setting.damageRate),
      reuseRate: tenThousandths(setting.reuseRate),
      bufferRate: tenThousandths(setting.bufferRate),
      maxClusterCutover: setting.maxClusterCutover ?? null,
      anchor: setting.activityAnchor ?? null,
      azimuth: setting.targetAzimuth ?? null,
      strictGaps: setting.gapPolicy === "strict",
      currency: setting.currency,
      evaluationLimit: setting.evaluationLimit,
      timeBudgetS: setting.timeBudgetS,
      seed: setting.seed,
      islands: setting.islands,
      useExact: setting.useExact,
    },
    lastSync: sync?.day ?? 0,
    calendars: {
      project: calendars.project.days,
      regions: new Map(
        regions.flatMap(({ id, name }) => {
          const own = calendars.regions.get(id);
          return own ? [[name, own.days] as const] : [];
        }),
      ),
    },
    dus,
    activities,
    pres: [...pres],
    links: [...links],
    pools: [...pools],
    materials,
    stock: [...stock],
    warehouses: [...warehouses],
    substitutes: [...substitutes],
    reuse: [...reuse],
    plan,
    base,
  });
  return { snapshot: made.snapshot, faults: [...faults, ...made.faults] };
}

/** Hash of the stored text of a snapshot, as a run writes it down. */
export function snapshotHash(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

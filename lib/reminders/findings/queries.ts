import "server-only";
import type { Sql } from "#db/client.ts";
import { dayNumber } from "#lib/core/clock.ts";
import type { CtxProject } from "#lib/core/ctx.ts";
import type { PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import type { PlanBlock } from "#lib/rollout-plan/plan-rows/logic.ts";
import { type LibraryActivity, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { rfiKind } from "./limits.ts";
import { type ChangeRow, type FoundRow, findLate, findWaiting, gatherChanges, type LoggedChange, type Look, slotsOfKind } from "./logic.ts";

export type FindCtx = { sql: Sql; project: CtxProject; now: Date; today: string };

/** The DUs of a project as reminders look at them: rows of the plan by region and by federative state. */
export type PlanView = { block: PlanBlock; byRegion: Map<number, number[]>; byState: Map<string, number[]> };

/**
 * Reads the plan of all DUs once, for every reminder that is due.
 * @param fields kinds the reminders look at; state comes with them
 */
export async function readPlanView(ctx: FindCtx, fields: readonly PlanField[]): Promise<PlanView> {
  const { sql, project } = ctx;
  const dus = await sql<{ id: number; regionId: number | null; stateId: string | null }[]>`
    select du.id, du.region_id as "regionId", s.state_id as "stateId" from du join customer_site s on s.id = du.site_id
    where du.project_id = ${project.id} and du.deleted_at is null order by du.id`;
  const block = await readPlanRows(
    ctx,
    dus.map(({ id }) => id),
    { fields },
  );
  const places = new Map(dus.map((du) => [du.id, du]));
  const byRegion = new Map<number, number[]>();
  const byState = new Map<string, number[]>();
  const add = <Key>(map: Map<Key, number[]>, key: Key | null | undefined, row: number) => {
    if (key === null || key === undefined) return;
    const rows = map.get(key);
    if (rows) rows.push(row);
    else map.set(key, [row]);
  };
  for (const [row, id] of block.duIds.entries()) {
    const place = places.get(id);
    add(byRegion, place?.regionId, row);
    add(byState, place?.stateId, row);
  }
  return { block, byRegion, byState };
}

/** Regions of DUs that were changed, of those that still exist. */
async function readRegions({ sql, project }: FindCtx, duIds: readonly number[]): Promise<Map<number, number | null>> {
  const rows = await sql<{ id: number; regionId: number | null }[]>`
    select id, region_id as "regionId" from du where project_id = ${project.id} and deleted_at is null and id = any(${[...new Set(duIds)]}::bigint[])`;
  return new Map(rows.map(({ id, regionId }) => [id, regionId]));
}

/** Logged changes of the asked cells and attributes between two change numbers, oldest first. */
async function readChanges(
  { sql, project }: FindCtx,
  cells: readonly number[],
  keys: readonly string[],
  since: number,
  until: number,
): Promise<LoggedChange[]> {
  if (since >= until || (cells.length === 0 && keys.length === 0)) return [];
  // Keys of activities carry their slot behind an @.
  const attrs =
    keys.length === 0
      ? sql`false`
      : sql`l.attrs is not null and exists (
    select from jsonb_object_keys(l.attrs) k where split_part(k, '@', 1) = any(${[...keys]}::text[]))`;
  return [
    ...(await sql<LoggedChange[]>`
      select l.du_id as "duId", b.seq, b.at, b.actor_id as "byId", l.cells, l.old, l.new, l.attrs
      from plan_batch b join plan_log l on l.batch_id = b.id
      where b.project_id = ${project.id} and b.seq > ${since} and b.seq <= ${until} and (l.cells && ${[...cells]}::smallint[] or ${attrs})
      order by b.seq, l.du_id`),
  ];
}

/** Finds the rows of a look in what was read for all of them. */
export type Find = (look: Look) => FoundRow[];

const lateFields: readonly PlanField[] = ["planEnd", "actualEnd", "state"];
const rfiFields: readonly PlanField[] = ["actualStart", "actualEnd", "state"];

/**
 * Reads what the looks need, each kind of thing once, and gives what finds their rows without a further statement.
 * @param seq last change number that is told
 */
export async function readFind(ctx: FindCtx, library: readonly LibraryActivity[], looks: readonly Look[], seq: number): Promise<Find> {
  const fields = new Set<PlanField>();
  for (const { what } of looks) for (const field of what === "LATE" ? lateFields : what === "RFI" ? rfiFields : []) fields.add(field);
  const plan = fields.size > 0 ? await readPlanView(ctx, [...fields]) : null;
  const changeLooks = looks.filter((look) => look.what === "CHANGES");
  const log = await readChanges(
    ctx,
    [...new Set(changeLooks.flatMap(({ cells }) => cells))],
    [...new Set(changeLooks.flatMap(({ keys }) => keys))],
    Math.min(...changeLooks.map(({ since }) => since)),
    seq,
  );
  const regions =
    log.length > 0
      ? await readRegions(
          ctx,
          log.map(({ duId }) => duId),
        )
      : new Map<number, number | null>();
  const rfi = slotsOfKind(library, rfiKind);
  const today = dayNumber(ctx.today);
  const rowsOf = ({ block, byRegion }: PlanView, regionIds: readonly number[] | null): Iterable<number> =>
    regionIds === null ? block.duIds.keys() : regionIds.flatMap((id) => byRegion.get(id) ?? []);
  return (look) => {
    switch (look.what) {
      case "LATE":
        return plan ? findLate(plan.block, rowsOf(plan, look.regionIds), look.slots, look.days, today) : [];
      case "RFI":
        return plan ? findWaiting(plan.block, plan.byState.get(look.stateId) ?? [], rfi, look, today) : [];
      case "CHANGES":
        return gatherChanges(log, look, (duId) => inRegions(regions.get(duId), look.regionIds));
      default:
        // Documents are not built yet: nothing is published or changed.
        return [];
    }
  };
}

/** @param region undefined: the DU is deleted */
function inRegions(region: number | null | undefined, wanted: readonly number[] | null): boolean {
  return region !== undefined && (wanted === null || (region !== null && wanted.includes(region)));
}

/** Who owns what was found, as place keys of `ownerKey`. */
export type Owners = {
  /** People of the actual owner set of an activity, else of its plan owner set. */
  ofActivity: Map<string, number[]>;
  ofDu: Map<number, number[]>;
  /** Owners of the region of the DU. */
  ofRegion: Map<number, number[]>;
};
export const ownerKey = (duId: number, slot: number): string => `${duId} ${slot}`;

/** Owners of found rows, in two statements. */
export async function readOwners({ sql, project }: FindCtx, rows: readonly FoundRow[]): Promise<Owners> {
  const owners: Owners = { ofActivity: new Map(), ofDu: new Map(), ofRegion: new Map() };
  if (rows.length === 0) return owners;
  const duIds = [...new Set(rows.map(({ duId }) => duId))];
  const pairs = new Map<string, readonly [number, number]>();
  for (const { duId, slot } of rows) if (slot !== null) pairs.set(ownerKey(duId, slot), [duId, slot]);
  const given = [...pairs.values()];
  const [activities, dus] = await Promise.all([
    sql<{ duId: number; slot: number; userIds: number[] }[]>`
      select n.du_id as "duId", n.slot, o.user_ids as "userIds"
      from unnest(${given.map(([duId]) => duId)}::bigint[], ${given.map(([, slot]) => slot)}::int[]) n(du_id, slot)
      join du_plan p on p.du_id = n.du_id and p.project_id = ${project.id}
      join owner_set o on o.id = coalesce(nullif(p.actual_owner[n.slot], 0), nullif(p.plan_owner[n.slot], 0))`,
    sql<{ duId: number; owners: number[] | null; regional: number[] | null }[]>`
      select du.id as "duId",
        (select array_agg(distinct o.user_id) from du_owner o where o.du_id = du.id and o.owner_kind in ('DU_OWNER', 'SITE_OWNER')) as owners,
        (select array_agg(distinct o.user_id) from region_owner o where o.region_id = du.region_id) as regional
      from du where du.project_id = ${project.id} and du.id = any(${duIds}::bigint[])`,
  ]);
  for (const { duId, slot, userIds } of activities) owners.ofActivity.set(ownerKey(duId, slot), userIds);
  for (const { duId, owners: own, regional } of dus) {
    if (own) owners.ofDu.set(duId, own);
    if (regional) owners.ofRegion.set(duId, regional);
  }
  return owners;
}

/** How DUs, people and attribute values are called in a mail. */
export type Labels = {
  dus: Map<number, { code: string; name: string; region: string | null; state: string | null }>;
  people: Map<number, string>;
  attributes: Map<string, { name: string; values: Map<string, string> }>;
};

/** Names of what a mail lists: read for the rows it shows, not for all that was found. */
export async function readLabels({ sql, project }: FindCtx, rows: readonly FoundRow[], userIds: readonly number[]): Promise<Labels> {
  const changes = rows.filter((row): row is ChangeRow => row.what === "CHANGES");
  const attributeIds = changes.flatMap(({ key }) => (key === null ? [] : Number(key.split("@")[0]?.slice(1))));
  const people = [...new Set([...userIds, ...changes.flatMap(({ steps }) => steps.flatMap(({ byId }) => byId ?? []))])];
  const [dus, users, attributes] = await Promise.all([
    sql<{ id: number; code: string; name: string; region: string | null; state: string | null }[]>`
      select du.id, du.code, du.name, g.name as region, coalesce(s.state_name, s.state_id) as state
      from du join customer_site s on s.id = du.site_id left join delivery_region g on g.id = du.region_id
      where du.project_id = ${project.id} and du.id = any(${[...new Set(rows.map(({ duId }) => duId))]}::bigint[])`,
    sql<{ id: number; name: string }[]>`select id, name from app_user where id = any(${people}::bigint[])`,
    attributeIds.length === 0
      ? []
      : sql<{ id: number; name: string; values: Record<string, string> | null }[]>`
          select a.id, a.name, (select jsonb_object_agg(e.id, e.value) from attribute_enum e where e.attribute_id = a.id) as values
          from attribute a where a.project_id = ${project.id} and a.id = any(${[...new Set(attributeIds)]}::bigint[])`,
  ]);
  return {
    dus: new Map(dus.map(({ id, ...du }) => [id, du])),
    people: new Map(users.map(({ id, name }) => [id, name])),
    attributes: new Map(attributes.map(({ id, name, values }) => [`a${id}`, { name, values: new Map(Object.entries(values ?? {})) }])),
  };
}

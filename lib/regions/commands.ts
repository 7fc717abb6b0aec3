import "server-only";
import { queueRechecks } from "#lib/attributes/config-refs/commands.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import { listRegions, type Region, readRegions, useText } from "./queries.ts";
import { shareRules } from "./rules.ts";
import type { DeleteRegions, SaveRegions, SaveShares, SetRegionStatus, Share } from "./schema.ts";

type Given = SaveRegions["regions"][number];
type Network = { id: number; name: string; regionId: number | null };

/** Refuses what is not there and what somebody else has changed since it was read. */
function demandFresh(present: ReadonlyMap<number, Region>, given: readonly { id: number; rowVersion?: number | undefined }[]): void {
  const missing = given.filter(({ id }) => !present.has(id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.map(({ id }) => id).join(", ") });
  const stale = given.filter(({ id, rowVersion }) => present.get(id)?.rowVersion !== rowVersion);
  if (stale.length > 0) throw new AppError("STALE", {}, [], { regions: stale.map(({ id }) => present.get(id)) });
}

const byId = (regions: readonly Region[]) => new Map(regions.map((region) => [region.id, region]));

/**
 * Stores new and changed regions with the network regions mapped to each; regions that are not named stay as they are. The mapping is judged as it is
 * after the save. [REG-04] [REG-05]
 * @returns the ids, in the order given
 * @throws REGION_REPEAT, NETWORK_REGION_TWICE, NETWORK_REGION_UNMAPPED, REGION_INVALID, NOT_FOUND, NOTHING_MODIFIED, STALE
 */
export async function saveRegions(ctx: Ctx, { regions: given }: SaveRegions): Promise<{ ids: number[] }> {
  await holdProject(ctx);
  const { sql, project } = ctx;
  const present = byId(await readRegions(ctx));
  const changed = given.filter((region): region is Given & { id: number } => region.id !== undefined);
  demandFresh(present, changed);
  demandNames(present, given);
  const networks = await sql<Network[]>`
    select id, name, region_id as "regionId" from network_region where project_id = ${project.id} order by name collate natural_order`;
  demandMapping(present, networks, given);
  const before = given.map((region) => {
    const found = region.id === undefined ? null : present.get(region.id);
    return found
      ? facts({ ...found, networkRegionIds: networks.flatMap(({ id, regionId }) => (regionId === found.id ? [id] : [])) })
      : null;
  });
  const after = given.map(facts);
  refuseUnchanged(before, after);
  const ids = await writeRegions(ctx, present, given);
  await writeMapping(ctx, networks, given, ids);
  for (const [at, id] of ids.entries()) ctx.audit(`region ${id}`, before[at], after[at], "config_changed");
  return { ids };
}

const facts = ({ name, sortNo, networkRegionIds }: Pick<Given, "name" | "sortNo" | "networkRegionIds">) => ({
  name,
  sortNo,
  networkRegionIds: networkRegionIds.toSorted((a, b) => a - b),
});

// A name is repeated within the call, or by a region that is not named in it.
function demandNames(present: ReadonlyMap<number, Region>, given: readonly Given[]): void {
  const named = new Set(given.flatMap(({ id }) => id ?? []));
  const taken = new Set([...present.values()].filter(({ id }) => !named.has(id)).map(({ name }) => name.toLowerCase()));
  const problems = given.flatMap(({ name }, at): Problem[] => {
    const key = name.toLowerCase();
    if (taken.has(key)) return [{ path: `regions.${at}.name`, code: "REGION_REPEAT", params: { name } }];
    taken.add(key);
    return [];
  });
  if (problems[0]) throw new AppError("REGION_REPEAT", problems[0].params, problems);
}

function demandMapping(present: ReadonlyMap<number, Region>, networks: readonly Network[], given: readonly Given[]): void {
  const known = new Map(networks.map((network) => [network.id, network]));
  const asked = given.flatMap(({ networkRegionIds }) => networkRegionIds);
  const unknown = asked.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new AppError("NOT_FOUND", { object: unknown.join(", ") });
  const seen = new Set<number>();
  const twice = new Set<string>();
  for (const id of asked)
    if (seen.has(id)) twice.add(known.get(id)?.name ?? "");
    else seen.add(id);
  if (twice.size > 0) throw new AppError("NETWORK_REGION_TWICE", { names: [...twice].join(", ") });
  for (const { id, name, networkRegionIds } of given)
    if (id !== undefined && networkRegionIds.length > 0 && present.get(id)?.status === "INVALID")
      throw new AppError("REGION_INVALID", { name });
  const named = new Set(given.flatMap(({ id }) => id ?? []));
  const unmapped = networks.filter(({ id, regionId }) => !seen.has(id) && (regionId === null || named.has(regionId)));
  if (unmapped.length > 0) {
    const names = unmapped.map(({ name }) => name);
    throw new AppError("NETWORK_REGION_UNMAPPED", { count: names.length, names: names.slice(0, 10).join(", ") }, [], { names });
  }
}

async function writeRegions(ctx: Ctx, present: ReadonlyMap<number, Region>, given: readonly Given[]): Promise<number[]> {
  const { sql, project } = ctx;
  const renamed = given.flatMap(({ id, name }) => (id !== undefined && present.get(id)?.name !== name ? [id] : []));
  // Two regions may exchange their names: each gives up its own before another takes it.
  if (renamed.length > 0) await sql`update delivery_region set name = '#' || id where id = any(${renamed}::bigint[])`;
  const changed = given.filter(({ id }) => id !== undefined).map(({ id, name, sortNo }) => ({ id, name, sortNo }));
  if (changed.length > 0)
    await sql`
      update delivery_region r set name = g.name, sort_no = g."sortNo", row_version = r.row_version + 1
      from jsonb_to_recordset(${sql.json(changed as never)}) as g(id bigint, name text, "sortNo" int) where r.id = g.id`;
  const fresh = given.filter(({ id }) => id === undefined).map(({ name, sortNo }) => ({ name, sortNo }));
  const made = await sql<{ id: number; name: string }[]>`
    insert into delivery_region (project_id, name, sort_no)
    select ${project.id}, g.name, g."sortNo" from jsonb_to_recordset(${sql.json(fresh as never)}) as g(name text, "sortNo" int)
    returning id, name`;
  const idOf = new Map(made.map(({ id, name }) => [name, id]));
  return given.map(({ id, name }) => id ?? (idOf.get(name) as number));
}

async function writeMapping({ sql }: Ctx, networks: readonly Network[], given: readonly Given[], ids: readonly number[]): Promise<void> {
  const now = new Map(networks.map(({ id, regionId }) => [id, regionId]));
  const moved = given.flatMap(({ networkRegionIds }, at) =>
    networkRegionIds.flatMap((id) => (now.get(id) === ids[at] ? [] : [{ id, regionId: ids[at] }])),
  );
  if (moved.length === 0) return;
  await sql`
    update network_region n set region_id = g."regionId", row_version = n.row_version + 1
    from jsonb_to_recordset(${sql.json(moved as never)}) as g(id bigint, "regionId" bigint) where n.id = g.id`;
}

/**
 * Sets the shares of all regions in use, together. [REG-06]
 * @throws PERCENT_SUM, REGION_MISSING, NOT_FOUND, NOTHING_MODIFIED, STALE
 */
export async function saveShares(ctx: Ctx, { shares }: SaveShares): Promise<void> {
  await holdProject(ctx);
  const regions = (await readRegions(ctx)).filter(({ status }) => status === "ACTIVE");
  demandShares(regions, shares);
  const byRegion = (rows: readonly Share[] | readonly Region[]) => Object.fromEntries(rows.map(({ id, percentage }) => [id, percentage]));
  refuseUnchanged(byRegion(regions), byRegion(shares));
  await writeShares(ctx, regions, shares);
}

function demandShares(regions: readonly Region[], shares: readonly Share[]): void {
  demandFresh(byId(regions), shares);
  const names = new Map(regions.map(({ id, name }) => [id, name]));
  checkRules(shareRules, { names, shares }, "shares");
}

async function writeShares(ctx: Ctx, regions: readonly Region[], shares: readonly Share[]): Promise<void> {
  const { sql } = ctx;
  await sql`
    update delivery_region r set percentage = g.percentage, row_version = r.row_version + 1
    from jsonb_to_recordset(${sql.json(shares as never)}) as g(id bigint, percentage numeric) where r.id = g.id`;
  const told = (rows: readonly { id: number; percentage: number }[]) => rows.map(({ id, percentage }) => ({ id, percentage }));
  ctx.audit("region shares", told(regions), told(shares), "config_changed");
}

/**
 * Takes a region out of use or into use again. Out of use it keeps its DUs, but nothing new can name it; its share goes to the others in the same call.
 * @throws CONFIRM_REQUIRED, PERCENT_SUM, REGION_MISSING, NETWORK_REGION_MAPPED, NOT_FOUND, STALE
 */
export async function setStatus(ctx: Ctx, { id, status, shares, confirm, rowVersion }: SetRegionStatus): Promise<void> {
  await holdProject(ctx);
  const { sql } = ctx;
  const regions = await readRegions(ctx);
  demandFresh(byId(regions), [{ id, rowVersion }]);
  const region = regions.find((one) => one.id === id) as Region;
  if (status === "INVALID" && region.status === "ACTIVE") {
    if (!confirm) throw new AppError("CONFIRM_REQUIRED");
    const mapped = await sql<
      { name: string }[]
    >`select name from network_region where region_id = ${id} order by name collate natural_order`;
    if (mapped.length > 0) throw new AppError("NETWORK_REGION_MAPPED", { names: mapped.map(({ name }) => name).join(", ") });
    const others = regions.filter((one) => one.id !== id && one.status === "ACTIVE");
    if (shares) {
      demandShares(others, shares);
      await writeShares(ctx, others, shares);
    } else if (region.percentage > 0) throw new AppError("PERCENT_SUM", { sum: (100 - region.percentage).toFixed(2) });
  }
  await sql`update delivery_region set status = ${status}, percentage = case when ${status} = 'INVALID' then 0 else percentage end, row_version = row_version + 1 where id = ${id}`;
  ctx.audit(`region ${id}`, { status: region.status }, { status }, "config_changed");
  if (status !== region.status) await queueRechecks(ctx, "REGION", [id]);
}

/**
 * Deletes regions nothing names any more, all or none. [REG-07]
 * @throws REGION_REFERENCED with what names them, NOT_FOUND
 */
export async function deleteRegions(ctx: Ctx, { ids }: DeleteRegions): Promise<{ deleted: number }> {
  await holdProject(ctx);
  const { sql, project, now } = ctx;
  // Who puts a DU into a region keeps its row: he is waited for before what names it is counted.
  await sql`select 1 from delivery_region where project_id = ${project.id} and id = any(${ids}::bigint[]) order by id for update`;
  const regions = await listRegions(ctx, "all");
  const chosen = regions.filter(({ id }) => ids.includes(id));
  const missing = ids.filter((id) => !chosen.some((region) => region.id === id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  // The last region may go with its share: there is none to give it to.
  const isLast = chosen.length === regions.length;
  const used = chosen
    .map((region) => ({ ...region, uses: region.uses.filter(({ kind }) => !(isLast && kind === "share")) }))
    .filter(({ uses }) => uses.length > 0);
  if (used.length > 0)
    throw new AppError("REGION_REFERENCED", { by: used.map(({ name, uses }) => `${name} (${useText(ctx, uses)})`).join("; ") }, [], {
      regions: used.map(({ id, name, uses }) => ({ id, name, uses })),
    });
  await sql`
    update delivery_region set deleted_at = ${now}, percentage = 0, row_version = row_version + 1 where id = any(${ids}::bigint[])`;
  for (const { id, name, sortNo, percentage } of chosen) ctx.audit(`region ${id}`, { name, sortNo, percentage }, null, "config_changed");
  return { deleted: chosen.length };
}

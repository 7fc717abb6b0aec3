import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { type GivenActivity, writeRelations } from "../activity-relations/commands.ts";
import { editVersion } from "../versions/commands.ts";
import { type Block, type BlockName, blocks, type GivenRow, isChanged } from "./logic.ts";
import { columnsOf, type InputRow } from "./queries.ts";

/**
 * Saves rows of an input as its grid gives them, all or none: new ones without id, changed ones with the revision they were read at. [ENG-32]
 * @throws NOTHING_MODIFIED, VERSION_LOCKED, and by row NOT_FOUND, STALE, ENGINE_ROW_REPEAT, NAME_EXISTS, SUBSTITUTE_UNEQUAL, CLUSTER_PRIORITY_UNEQUAL, LOOP, CO_TEAM_SKILL, WORKFLOW_MIXED, VALUE_UNKNOWN
 */
export async function saveRows(
  ctx: Ctx,
  name: BlockName,
  { versionId, rows }: { versionId?: number; rows: readonly GivenRow[] },
): Promise<{ ids: number[] }> {
  const block: Block = blocks[name];
  if (versionId === undefined) await holdProject(ctx);
  else await editVersion(ctx, versionId);
  const stored = await lockRows(
    ctx,
    block,
    rows.flatMap(({ id }) => id ?? []),
    versionId,
  );
  await demandRows(ctx, block, rows, stored);
  const changed = rows.filter((row) => row.id === undefined || isChanged(block, row, stored.get(row.id)!));
  if (changed.length === 0) throw new AppError("NOTHING_MODIFIED");
  const ids = await writeRows(ctx, block, changed, versionId);
  if (name === "activity" && versionId !== undefined) await writeRelations(ctx, versionId, relationRows(rows, changed, ids));
  if (name === "warehouse") await noteStock(ctx, ids);
  if (name === "itemSubstitute" && versionId !== undefined) await demandEqualGroups(ctx, versionId);
  if (name === "du" && versionId !== undefined) await demandEqualPriority(ctx, versionId);
  ctx.audit(
    `${block.table} ${versionId ?? ""}`.trim(),
    changed.flatMap(({ id }) => (id === undefined ? [] : [stored.get(id)])),
    changed,
  );
  return { ids };
}

/** Versions with stock in a warehouse plan with its priority and region: their inputs changed with it. */
async function noteStock({ sql, now }: Ctx, warehouseIds: readonly number[]): Promise<void> {
  await sql`
    update engine_plan_version set inputs_changed_at = ${now}
    where id in (select version_id from engine_inventory where warehouse_id = any(${[...warehouseIds]}::bigint[]))`;
}

/** Changed activities with their ids, and their places among all that were given. */
function relationRows(rows: readonly GivenRow[], changed: readonly GivenRow[], ids: readonly number[]) {
  const places = new Map(rows.map((row, place) => [row, place]));
  return changed.map((row, at) => ({ ...(row as GivenActivity), id: ids[at]!, place: places.get(row)! }));
}

/** Rows by id, locked; of a version only those that belong to it. */
async function lockRows({ sql, project }: Ctx, block: Block, ids: readonly number[], versionId?: number): Promise<Map<number, InputRow>> {
  const version = versionId === undefined ? sql`` : sql`and r.version_id = ${versionId}`;
  const rows = await sql<InputRow[]>`
    select ${sql.unsafe(columnsOf({ ...block, shown: pick(block.shown, block.lists) }))} from ${sql(block.table)} r
    where r.project_id = ${project.id} and r.id = any(${[...ids]}::bigint[]) ${version} order by r.id for update of r`;
  return new Map(rows.map((row) => [row.id, row]));
}

const pick = (shown: Block["shown"] = {}, names: readonly string[] = []) => Object.fromEntries(names.map((name) => [name, shown[name]!]));

/** Every row that is named is there, at the revision it was read at, named once, and refers to what the project has. */
async function demandRows(ctx: Ctx, block: Block, rows: readonly GivenRow[], stored: Map<number, InputRow>): Promise<void> {
  const { sql, project } = ctx;
  const seen = new Set<number>();
  const problems = rows.flatMap((row, index): Problem[] => {
    if (row.id === undefined) return [];
    const own = stored.get(row.id);
    if (!own || seen.has(row.id)) return [{ path: `rows.${index}.id`, code: "NOT_FOUND", params: { object: row.id } }];
    seen.add(row.id);
    return own.rowVersion === row.rowVersion ? [] : [{ path: `rows.${index}.rowVersion`, code: "STALE" }];
  });
  for (const [field, table] of Object.entries(block.refers ?? {})) {
    const alive = table === "du" ? sql`and deleted_at is null` : sql``;
    const found = await sql<{ id: number }[]>`
      select id from ${sql(table)} where project_id = ${project.id} and id = any(${rows.map((row) => Number(row[field]))}::bigint[]) ${alive}`;
    const known = new Set(found.map(({ id }) => id));
    for (const [index, row] of rows.entries())
      if (!known.has(Number(row[field])))
        problems.push({ path: `rows.${index}.${field}`, code: "NOT_FOUND", params: { object: Number(row[field]) } });
  }
  if (problems[0]) throw new AppError(problems[0].code, problems[0].params ?? {}, problems);
}

/** Writes changed rows by one statement and new ones by another; gives the ids in the order of the rows. */
async function writeRows(ctx: Ctx, { table, fields }: Block, rows: readonly GivenRow[], versionId?: number): Promise<number[]> {
  const { sql, project, user, now } = ctx;
  const given = rows.map((row, place) => ({
    place,
    id: row.id ?? null,
    ...Object.fromEntries(Object.keys(fields).map((field) => [field, row[field] ?? null])),
  }));
  const typed = Object.entries(fields).map(([field, [, type]]) => `"${field}" ${type}`);
  const source = sql`jsonb_to_recordset(${sql.json(given as never)}) as n(place int, id bigint, ${sql.unsafe(typed.join(", "))})`;
  const set = Object.entries(fields).map(([field, [column]]) => `${column} = n."${field}"`);
  await sql`
    update ${sql(table)} r set ${sql.unsafe(set.join(", "))}, updated_by = ${user.id}, updated_at = ${now}, row_version = r.row_version + 1
    from ${source} where r.id = n.id and r.project_id = ${project.id}`;
  const columns = Object.values(fields).map(([column]) => column);
  const values = Object.keys(fields).map((field) => `n."${field}"`);
  const version = versionId === undefined ? { column: "", value: sql`` } : { column: "version_id, ", value: sql`${versionId}::bigint, ` };
  // Identities are given in the order of the select, so the new ids stand in the order of the rows.
  const made = await sql<{ id: number }[]>`
    insert into ${sql(table)} (project_id, ${sql.unsafe(version.column)}${sql.unsafe(columns.join(", "))}, created_by, created_at, updated_by, updated_at)
    select ${project.id}, ${version.value}${sql.unsafe(values.join(", "))}, ${user.id}, ${now}, ${user.id}, ${now}
    from ${source} where n.id is null order by n.place returning id`;
  const fresh = made.map(({ id }) => id).sort((one, other) => one - other);
  return rows.map((row) => row.id ?? fresh.shift()!);
}

/** In a group of a design item every row says the same quantity and priority. @throws SUBSTITUTE_UNEQUAL */
async function demandEqualGroups({ sql }: Ctx, versionId: number): Promise<void> {
  const [unequal] = await sql<{ item: string; group: string }[]>`
    select design_item_code as item, group_name as "group" from engine_item_substitute where version_id = ${versionId}
    group by 1, 2 having count(distinct (design_qty, substitution_priority)) > 1 order by 1, 2 limit 1`;
  if (unequal) throw new AppError("SUBSTITUTE_UNEQUAL", unequal);
}

/** All DUs of a cluster say the same priority. @throws CLUSTER_PRIORITY_UNEQUAL */
async function demandEqualPriority({ sql }: Ctx, versionId: number): Promise<void> {
  const [unequal] = await sql<{ cluster: string }[]>`
    select cluster from engine_du where version_id = ${versionId} and cluster is not null
    group by 1 having count(distinct coalesce(cluster_priority, 0)) > 1 order by 1 limit 1`;
  if (unequal) throw new AppError("CLUSTER_PRIORITY_UNEQUAL", unequal);
}

/** Deletes rows of an input, all or none. [ENG-31] @throws NOT_FOUND, VERSION_LOCKED */
export async function deleteRows(ctx: Ctx, name: BlockName, { ids }: { ids: readonly number[] }): Promise<{ deleted: number }> {
  const { sql, project } = ctx;
  const block: Block = blocks[name];
  if (block.scope === "version") {
    const versions = await sql<{ id: number }[]>`
      select distinct version_id as id from ${sql(block.table)} where project_id = ${project.id} and id = any(${[...ids]}::bigint[]) order by 1`;
    for (const { id } of versions) await editVersion(ctx, id);
  }
  const stored = await lockRows(ctx, block, ids);
  const missing = ids.filter((id) => !stored.has(id));
  if (missing.length > 0) throw new AppError("NOT_FOUND", { object: missing.join(", ") });
  await sql`delete from ${sql(block.table)} where project_id = ${project.id} and id = any(${[...ids]}::bigint[])`;
  ctx.audit(block.table, [...stored.values()], null, "deleted");
  return { deleted: stored.size };
}

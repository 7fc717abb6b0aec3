import "server-only";
import type { z } from "zod";
import type { Pool, Sql } from "#db/client.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { JobCtx } from "#lib/core/job.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { enqueueTask, type Outcome } from "#lib/core/task.ts";
import { attributeKey } from "#lib/rollout-plan/columns/logic.ts";
import { type DuPatch, writePlanRows } from "#lib/rollout-plan/plan-rows/commands.ts";
import { getCell, isApplicable } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listAttributeKeys, listLibraryActivities, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { applyChunk, keptDays } from "../limits.ts";
import { getAttribute } from "../queries.ts";
import type { ApplyDefault, ApplyParams } from "../schema.ts";

const titleOf = ({ locale }: Pick<Ctx, "locale">): string =>
  (loadMessages(locale).attributes as unknown as { applyDefault: { task: string } }).applyDefault.task;

/** Starts to put the default of an attribute into its empty cells. @throws NOT_FOUND, VALUE_MISSING without a default, NO_PERMISSION */
export async function startApply(ctx: Ctx, { id }: z.output<typeof ApplyDefault>): Promise<{ taskId: string }> {
  if (!ctx.can("rollout.attributeEdit")) throw new AppError("NO_PERMISSION", { right: "rollout.attributeEdit" });
  const attribute = await getAttribute(ctx, { id });
  if (attribute.level === "TAB") throw new AppError("NOT_FOUND", { object: id });
  if ((attribute.projectDefaultValue ?? attribute.defaultValue) === null) throw new AppError("VALUE_MISSING", { field: attribute.name });
  const taskId = await enqueueTask(ctx, {
    kind: "attributes.applyDefault",
    direction: "process",
    title: `${titleOf(ctx)} ${attribute.name}`,
    params: { id } satisfies ApplyParams,
    dedupeKey: `attributes.applyDefault:${id}`,
  });
  return { taskId };
}

/** Fills the empty cells of an attribute with its default, some DUs at a time; cells that hold a value keep it. Safe to run twice. */
export async function runApply(job: JobCtx, { id }: ApplyParams): Promise<Outcome> {
  const attribute = await getAttribute(job, { id });
  const given = attribute.projectDefaultValue ?? attribute.defaultValue;
  if (given === null) throw new AppError("VALUE_MISSING", { field: attribute.name });
  const value = attribute.type === "NUMBER" ? Number(given) : given;
  const [count] = await job.sql<
    { total: number }[]
  >`select count(*)::int as total from du where ${job.scope.where("rollout.attributeEdit")}`;
  const total = count!.total;
  let seen = 0;
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    after = await job.chunk(async (ctx, tally) => {
      const rows = await ctx.sql<{ id: number; version: number; ext: Record<string, unknown> }[]>`
        select du.id, du.row_version as version, du.ext from du where ${ctx.scope.where("rollout.attributeEdit")} and du.id > ${from}
        order by du.id limit ${applyChunk} for no key update`;
      const written = await fill(ctx, attribute, value, rows);
      seen += rows.length;
      tally.done += written;
      if (written === 0) ctx.audit(`attribute ${id} default`, null, { after: from, cells: 0 });
      return rows.length < applyChunk ? null : (rows.at(-1)?.id ?? null);
    });
    job.progress(seen, total);
  }
  // Cells of all attempts.
  const { doneCount } = job.task;
  return { total: doneCount, message: { key: "attributes.applyDefault.done", args: { count: doneCount } } };
}

async function fill(
  ctx: Ctx,
  { id, level }: { id: number; level: string },
  value: string | number,
  rows: readonly { id: number; version: number; ext: Record<string, unknown> }[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const block = await readPlanRows(
    ctx,
    rows.map((row) => row.id),
    { lock: true },
  );
  const places = new Map(block.duIds.map((duId, row) => [duId, row]));
  const slots = level === "ACTIVITY" ? (await listLibraryActivities(ctx)).map(({ slot }) => slot) : null;
  const patches = rows.flatMap(({ id: duId, version, ext }): DuPatch[] => {
    const row = places.get(duId);
    if (row === undefined) return [];
    const keys = slots
      ? slots.filter((slot) => slot < block.width && isApplicable(getCell(block, row, slot, "state"))).map((slot) => attributeKey(id, slot))
      : [attributeKey(id)];
    const empty = keys.filter((key) => ext[key] === undefined || ext[key] === null);
    return empty.length > 0 ? [{ duId, duVersion: version, ext: Object.fromEntries(empty.map((key) => [key, [null, value]])) }] : [];
  });
  if (patches.length === 0) return 0;
  const { written } = await writePlanRows(ctx, block, { source: "batch", origin: { kind: "attributeDefault", id }, patches });
  const done = new Set(written);
  return patches.reduce((sum, { duId, ext }) => sum + (done.has(duId) ? Object.keys(ext ?? {}).length : 0), 0);
}

/**
 * Removes the values of attributes that were deleted a month ago or longer: nothing that anybody sees changes, so nothing is logged.
 * @returns number of DUs and rows of DU tabs that lost values
 */
export async function clearDeleted(sql: Sql | Pool, projectId: number, now: Date): Promise<number> {
  const gone = await sql<{ id: number }[]>`
    select id from attribute where project_id = ${projectId} and deleted_at < ${now}::timestamptz - make_interval(days => ${keptDays}) order by id`;
  if (gone.length === 0) return 0;
  const keys = await listAttributeKeys(
    { sql, project: { id: projectId } },
    gone.map(({ id }) => id),
  );
  const cleared = await sql`
    with held as (select id from du where project_id = ${projectId} and ext ?| ${keys}::text[] order by id for no key update)
    update du set ext = ext - ${keys}::text[] from held where du.id = held.id`;
  const ofTabs = await sql`
    with held as (select id from du_tab_row where project_id = ${projectId} and data ?| ${keys}::text[] order by id for no key update)
    update du_tab_row r set data = data - ${keys}::text[] from held where r.id = held.id`;
  return cleared.count + ofTabs.count;
}

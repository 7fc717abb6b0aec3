import "server-only";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { listLibraryActivities, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { rfiKind } from "../findings/limits.ts";
import { findWaiting, slotsOfKind, untilSlots } from "../findings/logic.ts";
import { rfiCountry } from "../rfi/limits.ts";

/** A site that waits after RFI: the place of its DU among those asked for, the slot of the RFI, the days, and whether they exceed the longest wait. */
export type GridMark = [at: number, slot: number, days: number, exceeds: boolean];

/**
 * What RFI reminders mark of DUs in the grid, read for all of them together; nothing is read where no state of theirs has such a reminder. The caller has
 * made sure that the DUs may be seen.
 */
export async function readGridMarks(ctx: Pick<Ctx, "sql" | "project" | "today">, duIds: readonly number[]): Promise<GridMark[]> {
  const { sql, project } = ctx;
  if (project.country !== rfiCountry || duIds.length === 0) return [];
  const marked = await sql<{ minDays: number; maxDays: number; untilActivityId: number | null; duIds: number[] }[]>`
    select r.min_days as "minDays", r.max_days as "maxDays", r.until_activity_id as "untilActivityId", array_agg(du.id) as "duIds"
    from rfi_remind r join customer_site s on s.project_id = r.project_id and s.state_id = r.state_id join du on du.site_id = s.id
    where r.project_id = ${project.id} and r.status = 'ENABLED' and 'GRID_MARK' = any(r.remind_types) and du.id = any(${[...duIds]}::bigint[])
    group by r.id`;
  if (marked.length === 0) return [];
  const [library, block] = await Promise.all([
    listLibraryActivities(ctx),
    readPlanRows(
      ctx,
      marked.flatMap((row) => row.duIds),
      { fields: ["actualStart", "actualEnd", "state"] },
    ),
  ]);
  const rows = new Map(block.duIds.map((id, row) => [id, row]));
  const places = new Map(duIds.map((id, at) => [id, at]));
  const rfi = slotsOfKind(library, rfiKind);
  return marked.flatMap(({ minDays, maxDays, untilActivityId, duIds: ids }) =>
    findWaiting(
      block,
      ids.flatMap((id) => rows.get(id) ?? []),
      rfi,
      { min: minDays, max: null, until: untilSlots(library, untilActivityId) },
      dayNumber(ctx.today),
    ).map(({ duId, slot, days }): GridMark => [places.get(duId) as number, slot, days, days > maxDays]),
  );
}

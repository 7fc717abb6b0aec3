import "server-only";
import { type FirstRows, firstAsk, firstRowsCount } from "#components/rollout-plan/first-rows.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { readHead } from "#lib/rollout-plan/columns/queries.ts";
import { packIds } from "#lib/rollout-plan/filters/logic.ts";
import { filterPlan } from "#lib/rollout-plan/filters/queries.ts";
import { FilterInput } from "#lib/rollout-plan/filters/schema.ts";
import { readTile } from "#lib/rollout-plan/tiles/queries.ts";
import { TileInput } from "#lib/rollout-plan/tiles/schema.ts";

/** The rows the grid will ask for first, so that they stand there with the page; null where the question itself fails: the grid then asks and tells. */
export async function readFirstRows(ctx: Ctx, home: unknown, head: Awaited<ReturnType<typeof readHead>>): Promise<FirstRows | null> {
  const { text, input, parts } = firstAsk(home, head);
  const question = FilterInput.safeParse(input);
  if (!question.success) return null;
  try {
    const { duIds, ...filter } = await filterPlan(ctx, question.data);
    const tile = await readTile(ctx, TileInput.parse({ queryId: filter.queryId, from: 0, count: firstRowsCount, parts }));
    return { question: text, filter, ids: duIds ? packIds(duIds) : null, tile, notes: parts.notes };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

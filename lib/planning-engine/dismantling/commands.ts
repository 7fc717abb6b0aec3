import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError, type Problem } from "#lib/core/error.ts";
import { provideOrders } from "#lib/work-orders/commands.ts";
import { readDismantled } from "./queries.ts";
import type { CreateDismantleTask } from "./schema.ts";

/**
 * Makes the work orders of the disassembly of the DUs chosen rows belong to; those that are there already are given as they are. [ENG-38]
 * @throws DIFFERENT_SITE, NO_ACTIVITY with the rows, NOT_FOUND
 */
export async function createDismantleTask(ctx: Ctx, { ids }: z.output<typeof CreateDismantleTask>): Promise<{ workOrderIds: number[] }> {
  const rows = await readDismantled(ctx, ids);
  const [{ site }] = rows as [(typeof rows)[number]];
  if (!site || rows.some((row) => row.site !== site)) throw new AppError("DIFFERENT_SITE");
  const slots = new Map(rows.map(({ duId, slots: own }) => [duId, own]));
  const { orders, refused } = await provideOrders(
    ctx,
    [...slots].map(([duId, own]) => ({ duId, slots: own })),
  );
  const problems = rows.flatMap(({ id, duId }): Problem[] =>
    refused.includes(duId) ? [{ path: `ids.${ids.indexOf(id)}`, code: "NO_ACTIVITY", params: { object: id } }] : [],
  );
  if (problems.length > 0) throw new AppError("NO_ACTIVITY", {}, problems);
  ctx.audit("work orders dismantle", null, { site, rows: ids, workOrders: orders });
  return { workOrderIds: orders };
}

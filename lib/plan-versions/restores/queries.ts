import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { readArrayText } from "#lib/rollout-plan/plan-rows/logic.ts";
import type { KeptRow } from "./logic.ts";

/**
 * DUs of a version that the caller sees: all, or the named ones.
 * @throws DU_NOT_FOUND for a named one that is not in it
 */
export async function listRestorable({ sql, scope }: Ctx, versionId: number, asked: readonly number[] | undefined): Promise<number[]> {
  const named = asked ? sql`du.id = any(${[...asked]}::bigint[])` : sql`true`;
  const rows = await sql<{ id: number }[]>`
    select du.id from plan_version_row r join du on du.id = r.du_id
    where r.version_id = ${versionId} and ${scope.where("rollout.view")} and ${named} order by du.id`;
  const ids = rows.map(({ id }) => id);
  if (asked && ids.length < asked.length) {
    const known = new Set(ids);
    throw new AppError("DU_NOT_FOUND", { code: asked.find((id) => !known.has(id)) ?? 0 });
  }
  return ids;
}

type Texts = {
  duId: number;
  planStart: string | null;
  planEnd: string | null;
  state: string;
  planOwner: string | null;
  actualOwner: string | null;
};

/** What a version holds of DUs, each row made when it is asked for. */
export async function readKeptRows(
  { sql }: Pick<Ctx, "sql">,
  versionId: number,
  duIds: readonly number[],
  width: number,
): Promise<(duId: number) => KeptRow | null> {
  const rows = await sql<Texts[]>`
    select du_id as "duId", plan_start::text as "planStart", plan_end::text as "planEnd", state::text, plan_owner::text as "planOwner",
      actual_owner::text as "actualOwner"
    from plan_version_row where version_id = ${versionId} and du_id = any(${[...duIds]}::bigint[])`;
  const byDu = new Map(rows.map((row) => [row.duId, row]));
  const kept: KeptRow = {
    planStart: new Uint16Array(width),
    planEnd: new Uint16Array(width),
    state: new Int32Array(width),
    planOwner: new Int32Array(width),
    actualOwner: new Int32Array(width),
  };
  return (duId) => {
    const texts = byDu.get(duId);
    if (!texts) return null;
    for (const field of ["planStart", "planEnd", "state", "planOwner", "actualOwner"] as const) {
      kept[field].fill(0);
      readArrayText(texts[field], kept[field], 0, width);
    }
    return kept;
  };
}

import "server-only";
import { holds } from "#lib/access/queries.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { listTargets } from "#lib/templates/sharing/queries.ts";
import type { StoredNode } from "../graph/queries.ts";
import { slotsMax } from "../library/limits.ts";
import { matchKey } from "../library/logic.ts";
import type { TargetLibrary } from "./logic.ts";

/**
 * The project a flow is copied into, as far as the caller may bring flows into it.
 * @throws NOT_AUTHORISED_FOR_PROJECT also where a border is to be crossed that was not declared, PROJECT_CLOSED, NO_PERMISSION
 */
export async function getTarget(ctx: Ctx, number: string, isJob = false): Promise<{ id: number; number: string }> {
  const [target] = await listTargets(ctx, [number]);
  if (!target) throw new AppError("NOT_AUTHORISED_FOR_PROJECT", { project: number });
  // A job has no session: what it crosses was declared when it was started.
  if (target.crossing && !isJob) throw new AppError("NOT_AUTHORISED_FOR_PROJECT", { project: number });
  if (target.status === "closed") throw new AppError("PROJECT_CLOSED", { project: number });
  if (!holds(target.membership, "flow.import")) throw new AppError("NO_PERMISSION", { right: "flow.import" });
  return { id: target.id, number: target.number };
}

/** Library activities of nodes, by id: what they are known by in another project. */
export async function readLibraryOf(
  { sql, project }: Pick<Ctx, "sql" | "project">,
  nodes: readonly Pick<StoredNode, "activityId">[],
): Promise<Map<number, { code: string; name: string; kind: string; automatic: boolean }>> {
  const ids = nodes.flatMap(({ activityId }) => activityId ?? []);
  const rows = await sql<{ id: number; code: string; name: string; kind: string; automatic: boolean }[]>`
    select id, code, name, kind, automatic from activity_library where project_id = ${project.id} and id = any(${ids}::bigint[])`;
  return new Map(rows.map(({ id, ...activity }) => [id, activity]));
}

/** The library of a project by what activities are matched by. */
export async function readTargetLibrary({ sql }: Pick<Ctx, "sql">, projectId: number): Promise<TargetLibrary> {
  const rows = await sql<{ id: number; slot: number; code: string; name: string; open: boolean }[]>`
    select id, slot, code, name, disabled_at is null as open from activity_library where project_id = ${projectId}`;
  const open = rows.filter((row) => row.open);
  return {
    byCode: new Map(open.map(({ id, code }) => [matchKey(code), id])),
    byName: new Map(open.map(({ id, name }) => [matchKey(name), id])),
    closedCodes: new Set(rows.filter((row) => !row.open).map(({ code }) => matchKey(code))),
    room: slotsMax - Math.max(0, ...rows.map(({ slot }) => slot)),
    max: slotsMax,
  };
}

import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { type ExceptionKind, exceptionKinds } from "#lib/rollout-plan/exceptions/limits.ts";
import { readExceptions } from "#lib/rollout-plan/exceptions/queries.ts";
import { getQuery, listReachable } from "#lib/rollout-plan/filters/queries.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import type { ExceptionInput } from "./schema.ts";

/** One exception of one DU; `detail` names the activities and, for an order, the working days each comes too early. */
export type ExceptionRow = {
  duId: number;
  code: string;
  kind: ExceptionKind;
  slots: number[];
  detail: { activityId: number; name: string; days?: number }[];
};
export type ExceptionPage = {
  counts: Record<ExceptionKind, number> | null;
  records: ExceptionRow[];
  total: number | null;
  page: number;
  size: number;
};

/**
 * Exceptions of the DUs of a kept query or of named ones: how many DUs have each kind, and a page of them.
 * @throws QUERY_EXPIRED
 */
export async function listExceptions(ctx: Ctx, input: ExceptionInput): Promise<ExceptionPage> {
  const asked = input.queryId ? (await getQuery(ctx, input.queryId)).duIds : [...new Set(input.duIds)];
  const [dus, library] = await Promise.all([readExceptions(ctx, await listReachable(ctx, asked)), listLibraryActivities(ctx)]);
  const activities = new Map(library.map((activity) => [activity.slot, activity]));
  const counts = Object.fromEntries(exceptionKinds.map((kind) => [kind, 0])) as Record<ExceptionKind, number>;
  const wanted = new Set<ExceptionKind>(input.kinds ?? exceptionKinds);
  const first = (input.page - 1) * input.size;
  const records: ExceptionRow[] = [];
  let total = 0;
  for (const { duId, code, found } of dus)
    for (const { kind, slots, days } of found) {
      counts[kind]++;
      if (!wanted.has(kind)) continue;
      if (total >= first && records.length < input.size) {
        const detail = slots.map((slot, i) => ({
          activityId: activities.get(slot)?.id ?? 0,
          name: activities.get(slot)?.name ?? "",
          ...(days ? { days: days[i] as number } : {}),
        }));
        records.push({ duId, code, kind, slots, detail });
      }
      total++;
    }
  const hidden = ctx.can("rollout.duCountHide");
  return { counts: hidden ? null : counts, records, total: hidden ? null : total, page: input.page, size: input.size };
}

import "server-only";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { getQuery } from "#lib/rollout-plan/filters/queries.ts";
import { activityStatus, type DuStatus, duStatus, rowIndex } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readOwnerSets, readPlanRows } from "#lib/rollout-plan/plan-rows/queries.ts";
import { cardFigures } from "./logic.ts";
import type { CardsInput } from "./schema.ts";

/** A DU as a card: `next` is the incomplete activity whose plan end comes first, `owners` have open work on it, the next first. */
export type Card = {
  duId: number;
  code: string;
  name: string;
  siteId: number;
  siteCode: string;
  siteName: string;
  region: string | null;
  status: DuStatus;
  done: number;
  applicable: number;
  delayed: number;
  next: { activityId: number; name: string; planEnd: string; status: string } | null;
  owners: { id: number; name: string }[];
};

/** A page of cards; `total` is null where numbers of DUs are hidden, `more` says whether another page follows. */
export type CardPage = { records: Card[]; page: number; size: number; total: number | null; more: boolean };

type DuRow = Pick<Card, "duId" | "code" | "name" | "siteId" | "siteCode" | "siteName" | "region"> & {
  flowId: number | null;
  applicableCount: number;
  doneCount: number;
  nextPlanEnd: number;
};

/**
 * DUs of a kept query in its order, as far as the caller still reaches them.
 * @throws QUERY_EXPIRED
 */
export async function listCards(ctx: Ctx, { queryId, page, size }: CardsInput): Promise<CardPage> {
  const kept = await getQuery(ctx, queryId);
  const from = (page - 1) * size;
  const duIds = kept.duIds.slice(from, from + size);
  const [rows, block, library] = await Promise.all([
    readDus(ctx, duIds),
    readPlanRows(ctx, duIds, { fields: ["planEnd", "actualEnd", "planOwner"] }),
    listLibraryActivities(ctx),
  ]);
  const today = dayNumber(ctx.today);
  const place = rowIndex(block);
  const figures = new Map([...place].map(([duId, row]) => [duId, cardFigures(block, row, today)]));
  const people = await readOwners(
    ctx,
    [...figures.values()].flatMap(({ ownerSets }) => ownerSets),
  );
  const activities = new Map(library.map((activity) => [activity.slot, activity]));
  const records = rows.flatMap(({ flowId, applicableCount, doneCount, nextPlanEnd, ...du }): Card[] => {
    const own = figures.get(du.duId);
    if (!own) return [];
    const owners = own.ownerSets.flatMap((set) => people.get(set) ?? []);
    return [
      {
        ...du,
        status: duStatus({ flowId, applicableCount, doneCount, nextPlanEnd }, today),
        done: doneCount,
        applicable: applicableCount,
        delayed: own.delayed,
        next: own.next === null ? null : nextOf(own.next, place.get(du.duId) as number),
        owners: [...new Map(owners.map((person) => [person.id, person])).values()],
      },
    ];
  });
  const hidden = ctx.can("rollout.duCountHide");
  return { records, page, size, total: hidden ? null : kept.total, more: from + size < kept.total };

  function nextOf(slot: number, row: number): Card["next"] {
    const at = row * block.width + slot;
    const [state, end] = [block.state[at] as number, block.planEnd[at] as number];
    const activity = activities.get(slot);
    const status = activityStatus(state, end, 0, today);
    return activity ? { activityId: activity.id, name: activity.name, planEnd: isoDay(end) as string, status } : null;
  }
}

async function readDus(ctx: Ctx, duIds: readonly number[]): Promise<DuRow[]> {
  return [
    ...(await ctx.sql<DuRow[]>`
      select du.id as "duId", du.code, du.name, s.id as "siteId", s.code as "siteCode", s.name as "siteName", r.name as region,
        f.flow_id as "flowId", p.applicable_count as "applicableCount", p.done_count as "doneCount", p.next_plan_end as "nextPlanEnd"
      from unnest(${[...duIds]}::bigint[]) with ordinality u(id, place)
      join du on du.id = u.id
      join du_plan p on p.du_id = du.id
      join customer_site s on s.id = du.site_id
      left join delivery_region r on r.id = du.region_id
      left join du_flow f on f.du_id = du.id and f.unbound_at is null
      where ${ctx.scope.where("rollout.view")} order by u.place`),
  ];
}

/** Members of owner sets with their names, in the order of the set. */
async function readOwners(ctx: Ctx, setIds: readonly number[]): Promise<Map<number, { id: number; name: string }[]>> {
  const sets = await readOwnerSets(ctx, [...new Set(setIds)]);
  const ids = [...new Set([...sets.values()].flat())];
  const rows =
    ids.length === 0 ? [] : await ctx.sql<{ id: number; name: string }[]>`select id, name from app_user where id = any(${ids}::bigint[])`;
  const people = new Map(rows.map((person) => [person.id, person]));
  return new Map([...sets].map(([set, members]) => [set, members.flatMap((id) => people.get(id) ?? [])]));
}

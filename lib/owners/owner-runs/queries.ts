import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { Filter, ListInput, Page } from "#lib/core/paging.ts";
import { type ConditionObjects, compileConditions, holdConditions, refKey } from "#lib/plan-rules/conditions/logic.ts";
import { type ConditionBlock, listEveryConditionObject, readConditionBlock } from "#lib/plan-rules/conditions/queries.ts";
import { type ChangeRow, listChanges, listRuns, type RunRow } from "#lib/plan-rules/runs/queries.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import { conditionRows } from "../owner-rules/logic.ts";
import type { OwnerRule } from "../owner-rules/queries.ts";
import { accountsOf } from "../people/logic.ts";
import { readOwners } from "../people/queries.ts";

/** A rule as a run needs it: what it asks, and where it takes the people from. */
export type AskedRule = Pick<OwnerRule, "flowIds" | "conditions" | "fillMode" | "fillValue">;

/** DUs of flows with what rules ask of them, and for each rule the list of people it gives to each DU. */
export type AskedDus = { duIds: number[]; holds: Uint8Array[]; lists: { places: Int32Array; people: number[][] }[] };

/** DUs read at once; a run goes through all there are. */
const everyDu = 1_000_000;

/**
 * What rules say of the DUs of their flows: whether their conditions hold, and whom they give, in as many statements as there are kinds of sources.
 * @param duIds only these DUs
 */
export async function askRules(
  ctx: Pick<Ctx, "sql" | "project" | "today" | "locale">,
  rules: readonly AskedRule[],
  duIds: readonly number[] | null,
): Promise<AskedDus> {
  const objects: ConditionObjects = new Map((await listEveryConditionObject(ctx)).map((object) => [object.key, object]));
  const compiled = rules.map(({ conditions }) => {
    const usable = conditions.every(({ object, type }) => objects.get(refKey(object))?.type === type);
    return usable ? compileConditions(conditionRows(conditions), objects) : null;
  });
  const keys = new Set([
    ...compiled.flatMap((one) => one?.keys ?? []),
    ...rules.flatMap(({ fillMode, fillValue }) => sourceKey(fillMode, fillValue)),
  ]);
  const flows = [...new Set(rules.flatMap(({ flowIds }) => flowIds))];
  const { sql } = ctx;
  const block = await readConditionBlock(ctx, [...keys], objects, {
    within: sql`f.flow_id = any(${flows}::bigint[]) ${duIds ? sql`and du.id = any(${[...duIds]}::bigint[])` : sql``}`,
    after: 0,
    limit: everyDu,
  });
  const size = block.duIds.length;
  const holds = compiled.map((one) => (one ? holdConditions(one, block.columns, size) : new Uint8Array(size)));
  return { duIds: block.duIds, holds, lists: await readLists(ctx, rules, block) };
}

function sourceKey(mode: OwnerRule["fillMode"], { attributeId }: OwnerRule["fillValue"]): string[] {
  if (mode === "ATTRIBUTE") return [`a${attributeId}`];
  return mode === "SUBCON_PM" ? ["du.subcontractor"] : [];
}

type List = { places: Int32Array; people: number[][] };
type PoolCtx = Pick<Ctx, "sql" | "project" | "today">;

async function readLists(ctx: PoolCtx, rules: readonly AskedRule[], block: ConditionBlock): Promise<List[]> {
  const has = (mode: OwnerRule["fillMode"]) => rules.some(({ fillMode }) => fillMode === mode);
  const groupIds = rules.flatMap(({ fillMode, fillValue }) => (fillMode === "GROUP_LEADER" ? [fillValue.groupId!] : []));
  const texts = rules.flatMap(({ fillMode, fillValue }) =>
    fillMode === "ATTRIBUTE" ? (block.columns.get(`a${fillValue.attributeId}`)?.values ?? []) : [],
  );
  const byDu = has("DU_OWNER") ? await duOwnersOf(ctx, block.duIds) : new Map<number, number[]>();
  const byRegion = has("REGION_OWNER") ? await regionOwnersOf(ctx) : new Map<number, number[]>();
  const byCompany = has("SUBCON_PM") ? await companyManagersOf(ctx) : new Map<number, number[]>();
  const byGroup = groupIds.length > 0 ? await groupLeadersOf(ctx, groupIds) : new Map<number, number[]>();
  const byAccount = await idsOfAccounts(
    ctx,
    texts.flatMap((text) => (text === null ? [] : accountsOf(String(text)))),
  );
  const lists = rules.map((rule): List => {
    const { fillMode, fillValue } = rule;
    switch (fillMode) {
      case "FIXED":
        return always(fillValue.userIds ?? [], block);
      case "GROUP_LEADER":
        return always(byGroup.get(fillValue.groupId!) ?? [], block);
      case "DU_OWNER":
        return keyed(block.duIds, byDu);
      case "REGION_OWNER":
        return keyed(block.regionIds, byRegion);
      default: {
        const column = block.columns.get(fillMode === "ATTRIBUTE" ? `a${fillValue.attributeId}` : "du.subcontractor");
        if (!column) return always([], block);
        const people = column.values.map((value) => {
          if (value === null) return [];
          return fillMode === "ATTRIBUTE"
            ? accountsOf(String(value)).flatMap((account) => byAccount.get(account.toLowerCase()) ?? [])
            : (byCompany.get(Number(value)) ?? []);
        });
        return { places: column.codes, people };
      }
    }
  });
  // Who may not be owner today is left out: he is nobody.
  const known = await readOwners(
    ctx,
    lists.flatMap(({ people }) => people.flat()),
  );
  return lists.map(({ places, people }) => ({
    places,
    people: people.map((list) => list.filter((id) => known.get(id)?.invalid === null).slice(0, ownersMax)),
  }));
}

const always = (people: number[], { duIds }: ConditionBlock): List => ({ places: new Int32Array(duIds.length), people: [people] });

function keyed(keys: readonly (number | null)[], found: ReadonlyMap<number, number[]>): List {
  const people: number[][] = [[]];
  const placeOf = new Map<number, number>();
  for (const [key, list] of found) placeOf.set(key, people.push(list) - 1);
  return { places: Int32Array.from(keys, (key) => (key === null ? 0 : (placeOf.get(key) ?? 0))), people };
}

const mapOf = (rows: readonly { id: number; people: number[] }[]) => new Map(rows.map(({ id, people }) => [id, people]));

async function duOwnersOf({ sql }: PoolCtx, duIds: readonly number[]) {
  return mapOf(
    await sql<{ id: number; people: number[] }[]>`
      select o.du_id as id, array_agg(u.id order by u.name, u.id) as people from du_owner o join app_user u on u.id = o.user_id
      where o.owner_kind = 'DU_OWNER' and o.du_id = any(${[...duIds]}::bigint[]) group by 1`,
  );
}

async function regionOwnersOf({ sql, project }: PoolCtx) {
  return mapOf(
    await sql<{ id: number; people: number[] }[]>`
      select o.region_id as id, array_agg(u.id order by u.name, u.id) as people
      from delivery_region g join region_owner o on o.region_id = g.id join app_user u on u.id = o.user_id where g.project_id = ${project.id} group by 1`,
  );
}

/** Valid project managers of each subcontractor, by name. */
async function companyManagersOf({ sql, project, today }: PoolCtx) {
  return mapOf(
    await sql<{ id: number; people: number[] }[]>`
      select r.subcontractor_id as id, array_agg(u.id order by u.name, u.id) as people
      from resource r join app_user u on u.id = r.user_id
      where r.project_id = ${project.id} and r.subcontractor_id is not null and r.status = 'ACTIVE' and exists (
        select 1 from project_member m where m.project_id = r.project_id and m.user_id = r.user_id and m.role = 'SUBCON_PM'
          and m.valid_from <= ${today} and (m.valid_to is null or m.valid_to >= ${today}))
      group by 1`,
  );
}

async function groupLeadersOf({ sql, project }: PoolCtx, groupIds: readonly number[]) {
  return mapOf(
    await sql<{ id: number; people: number[] }[]>`
      select m.group_id as id, array_agg(u.id order by u.name, u.id) as people
      from res_group_member m join resource r on r.id = m.resource_id join app_user u on u.id = r.user_id
      where m.project_id = ${project.id} and m.is_leader and m.group_id = any(${[...groupIds]}::bigint[]) group by 1`,
  );
}

async function idsOfAccounts({ sql }: PoolCtx, accounts: readonly string[]): Promise<Map<string, number>> {
  if (accounts.length === 0) return new Map();
  const rows = await sql<{ id: number; account: string }[]>`
    select id, lower(account) as account from app_user where lower(account) = any(${[...new Set(accounts.map((account) => account.toLowerCase()))]}::text[])`;
  return new Map(rows.map(({ id, account }) => [account, id]));
}

/** Runs of the owner rules, the newest first. */
export function listOwnerRuns(ctx: Ctx, input: ListInput): Promise<Page<RunRow>> {
  return listRuns(ctx, "OWNER", input);
}

/** One cell of a run with the activity and the people by name. */
export type OwnerChangeRow = Omit<ChangeRow, "old" | "now"> & {
  activity: string | null;
  field: string;
  old: string | null;
  now: string | null;
};

/** Cells of a run that the caller may see, in the order of DUs. @throws NOT_FOUND */
export async function listOwnerChanges(ctx: Ctx, input: ListInput): Promise<Page<OwnerChangeRow>> {
  const { sql, project } = ctx;
  const runId = input.filters.find(({ field }) => field === "runId")?.values[0];
  if (!Number.isSafeInteger(Number(runId))) throw new AppError("NOT_FOUND", { object: String(runId) });
  const page = await listChanges(ctx, "OWNER", input as { page: number; size: number; filters: Filter[] }, {
    within: ctx.scope.where("owner.view"),
    hidden: () => false,
  });
  const sets = page.records.flatMap(({ old, now }) => [old, now].filter((value) => typeof value === "number"));
  const names = await sql<{ id: number; names: string }[]>`
    select o.id, string_agg(u.name, ', ' order by p.place) as names from owner_set o, unnest(o.user_ids) with ordinality p(id, place) join app_user u on u.id = p.id
    where o.project_id = ${project.id} and o.id = any(${[...new Set(sets)] as number[]}::int[]) group by o.id`;
  const activities = await sql<{ id: number; name: string }[]>`select id, name from activity_library where project_id = ${project.id}`;
  const nameOf = new Map(names.map(({ id, names: text }) => [id, text]));
  const activityOf = new Map(activities.map(({ id, name }) => [id, name]));
  const read = (value: number | string | null) => (value === null ? null : (nameOf.get(Number(value)) ?? null));
  return {
    ...page,
    records: page.records.map((row) => {
      const { a, f } = row.target as { a: number; f: string };
      return { ...row, activity: activityOf.get(a) ?? null, field: f, old: read(row.old), now: read(row.now) };
    }),
  };
}

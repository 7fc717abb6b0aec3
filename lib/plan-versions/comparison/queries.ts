import "server-only";
import type { z } from "zod";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Filter } from "#lib/core/paging.ts";
import { readFlowOrders } from "#lib/rollout-plan/columns/queries.ts";
import { encodeDays, getCell, isApplicable, rowIndex } from "#lib/rollout-plan/plan-rows/logic.ts";
import {
  type LibraryActivity,
  listLibraryActivities,
  listOwnSets,
  planColumns,
  readPlanRows,
} from "#lib/rollout-plan/plan-rows/queries.ts";
import { readSlice } from "#lib/rollout-plan/tile-rows/queries.ts";
import { calendarOf, readCalendars } from "#lib/scheduling/calendar/queries.ts";
import { getVersion, type VersionHead } from "../snapshots/queries.ts";
import { type ChangeKind, type CompareField, compareFields, currentSide } from "./limits.ts";
import { type CompareSummary, compareRow, type DateChange, fillSide, newSide, ShiftCounter, type SideTexts, shiftOf } from "./logic.ts";
import type { CompareVersions, ReadVersionTile } from "./schema.ts";

/** One side of a comparison; null: the plan as it is now. */
export type ComparedSide = VersionHead | null;

/** A date that differs. */
export type CompareRow = {
  duId: number;
  duCode: string;
  duName: string;
  regionName: string | null;
  activityId: number;
  activityName: string;
  field: CompareField;
  kind: ChangeKind;
  old: string | null;
  now: string | null;
  days: number | null;
};
export type Comparison = {
  left: ComparedSide;
  right: ComparedSide;
  summary: CompareSummary;
  records: CompareRow[];
  total: number;
  page: number;
  size: number;
};

/**
 * Compares two versions, or one with the plan as it is now, date by date: the summary of all differences and a page of them, ordered by DU and flow.
 * A version of chosen DUs speaks of those alone: DUs outside it are not compared.
 * @throws NOT_FOUND
 */
export async function compareVersions(ctx: Ctx, input: CompareVersions): Promise<Comparison> {
  const { page, size } = input;
  const found = await readDifferences(ctx, input);
  const first = (page - 1) * size;
  const records: CompareRow[] = [];
  let total = 0;
  for (const du of found.dus) {
    // Only DUs that reach into the page are looked at once more.
    if (total + du.rows > first && total < first + size) {
      let at = total;
      for (const change of found.changesOf(du)) {
        if (at >= first && at < first + size) records.push(found.shown(du, change));
        at++;
      }
    }
    total += du.rows;
  }
  return { left: found.left, right: found.right, summary: found.summary, records, total, page, size };
}

type SideRow = { [column in `${"l" | "r"}${number}`]?: string | null } & {
  duId: number;
  code: string;
  name: string;
  flowId: number | null;
  regionId: number | null;
  regionName: string | null;
  leftState: string | null;
  rightState: string | null;
  leftOwner?: string | null;
  rightOwner?: string | null;
  sameState: boolean;
};

/** DU with its differences, as far as the filters choose them. */
export type DifferingDu = SideRow & { rows: number };

export type Differences = {
  left: ComparedSide;
  right: ComparedSide;
  summary: CompareSummary;
  dus: DifferingDu[];
  changesOf: (du: DifferingDu) => DateChange[];
  shown: (du: DifferingDu, change: DateChange) => CompareRow;
  library: ReadonlyMap<number, LibraryActivity>;
  fields: readonly CompareField[];
};

const codes = new Intl.Collator("und", { numeric: true });

/** Everything that differs between two sides: counted, with the DUs in the order of their codes. */
export async function readDifferences(ctx: Ctx, input: Omit<CompareVersions, "page" | "size">): Promise<Differences> {
  const { fields, filters } = input;
  const [left, right] = await Promise.all([readSide(ctx, input.left), readSide(ctx, input.right)]);
  const owner = filters.find(({ field }) => field === "ownerId");
  const [rows, library, orders, calendars, sets] = await Promise.all([
    readRows(ctx, left, right, fields, filters, owner !== undefined),
    listLibraryActivities(ctx),
    readFlowOrders(ctx),
    readCalendars(ctx),
    owner ? listOwnSets(ctx, idOf(owner.values[0])) : null,
  ]);
  const bySlot = new Map(library.map((activity) => [activity.slot, activity]));
  const width = Math.max(0, ...library.map(({ slot }) => slot)) + 1;
  const sides = [newSide(fields.length, width), newSide(fields.length, width)] as const;
  const activityIds = filters.find(({ field }) => field === "activityId")?.values.map(Number);
  const wanted = new Set(library.filter(({ id }) => activityIds?.includes(id) ?? true).map(({ slot }) => slot));
  const slotsByFlow = new Map<number, number[]>();
  const slotsOf = (flowId: number) => {
    const known = slotsByFlow.get(flowId);
    if (known) return known;
    // What the flow no longer contains stands behind what it does.
    const slots = [...new Set([...(orders.get(flowId)?.slots ?? []), ...bySlot.keys()])].filter((slot) => wanted.has(slot));
    slotsByFlow.set(flowId, slots);
    return slots;
  };
  const choose = rowFilter(filters);
  const walk = (row: SideRow, found: (change: DateChange) => void) => {
    fillSide(sides[0], textsOf(row, "l", fields.length), width);
    fillSide(sides[1], textsOf(row, "r", fields.length), width);
    const calendar = calendarOf(calendars, row.regionId).days;
    compareRow(sides[0], sides[1], slotsOf(row.flowId ?? 0), calendar, (change) => {
      if (sets && !sets.has(sides[1].owner[change.slot] || sides[0].owner[change.slot] || 0)) return;
      found(change);
    });
  };
  const counter = new ShiftCounter();
  const dus: DifferingDu[] = [];
  for (const row of rows) {
    let differences = 0;
    let chosen = 0;
    walk(row, (change) => {
      differences++;
      counter.add(change);
      if (choose(change)) chosen++;
    });
    if (differences > 0) counter.dus++;
    if (chosen > 0) dus.push(Object.assign(row, { rows: chosen }));
  }
  dus.sort((a, b) => codes.compare(a.code, b.code) || a.duId - b.duId);
  return {
    left,
    right,
    summary: counter.summary(),
    dus,
    changesOf: (du) => {
      const changes: DateChange[] = [];
      walk(du, (change) => {
        if (choose(change)) changes.push(change);
      });
      return changes;
    },
    shown: (du, { slot, field, old, now, days, kind }) => ({
      duId: du.duId,
      duCode: du.code,
      duName: du.name,
      regionName: du.regionName,
      activityId: bySlot.get(slot)!.id,
      activityName: bySlot.get(slot)!.name,
      field: fields[field] as CompareField,
      kind,
      old: isoDay(old),
      now: isoDay(now),
      days,
    }),
    library: bySlot,
    fields,
  };
}

/** An id of a filter; 0, which nobody has, for what is none. */
const idOf = (value: unknown): number => (Number.isSafeInteger(Number(value)) ? Number(value) : 0);

const readSide = (ctx: Ctx, side: number | typeof currentSide): Promise<ComparedSide> =>
  side === currentSide ? Promise.resolve(null) : getVersion(ctx, side);

/** Which differences are shown as rows. */
function rowFilter(filters: readonly Filter[]): (change: DateChange) => boolean {
  const kinds = filters.filter(({ field }) => field === "kind").flatMap(({ values }) => values.map(String));
  const least = filters.filter(({ field }) => field === "laterThan").map(({ values }) => Number(values[0]));
  return ({ kind, days }) => (kinds.length === 0 || kinds.includes(kind)) && least.every((bound) => days !== null && days > bound);
}

function textsOf(row: SideRow, side: "l" | "r", fields: number): SideTexts {
  // What is equal on both sides travels once, as the left one.
  const texts = Array.from({ length: fields }, (_, at) => {
    const left = row[`l${at}`] ?? null;
    return side === "l" ? left : row[`r${at}`] === equal ? left : (row[`r${at}`] ?? null);
  });
  const state = side === "l" || row.sameState ? row.leftState : row.rightState;
  return { fields: texts, state, owner: (side === "l" ? row.leftOwner : row.rightOwner) ?? null };
}

/** Stands for a right array that equals the left one: no array begins so. */
const equal = "=";

/** DUs in which anything compared may differ, with the arrays of both sides; rows that are alike stay in the database. */
async function readRows(
  ctx: Ctx,
  left: ComparedSide,
  right: ComparedSide,
  fields: readonly CompareField[],
  filters: readonly Filter[],
  withOwner: boolean,
): Promise<SideRow[]> {
  const { sql, scope } = ctx;
  const names = fields.map((field) => planColumns[field]);
  const arrays = names.map(
    (name, at) => `l.${name}::text as l${at}, case when l.${name} = r.${name} then '${equal}' else r.${name}::text end as r${at}`,
  );
  const owners = withOwner ? `, l.plan_owner::text as "leftOwner", r.plan_owner::text as "rightOwner"` : "";
  const differs = [...names, "state"].map((name) => `l.${name} is distinct from r.${name}`).join(" or ");
  const within = filters.reduce((before, filter) => sql`${before} and ${duCondition(ctx, filter)}`, sql`true`);
  const own = scope.all("version.view") ? sql`true` : sql`du.id is not null and ${scope.where("version.view")}`;
  return [
    ...(await sql<SideRow[]>`
      select coalesce(r.du_id, l.du_id) as "duId", coalesce(r.du_code, l.du_code) as code, coalesce(r.du_name, l.du_name) as name,
        coalesce(r.flow_id, l.flow_id) as "flowId", du.region_id as "regionId", g.name as "regionName", l.state::text as "leftState",
        case when l.state = r.state then null else r.state::text end as "rightState", l.state = r.state is true as "sameState",
        ${sql.unsafe(arrays.join(", "))} ${sql.unsafe(owners)}
      from (${sideSource(ctx, left)}) l full join (${sideSource(ctx, right)}) r on r.du_id = l.du_id
      left join du on du.id = coalesce(r.du_id, l.du_id) left join delivery_region g on g.id = du.region_id
      where (${sql.unsafe(differs)}) and ${own} and ${within}
        ${left?.scope === "selection" ? sql`and l.du_id is not null` : sql``} ${right?.scope === "selection" ? sql`and r.du_id is not null` : sql``}`),
  ];
}

function sideSource({ sql, project }: Ctx, side: ComparedSide) {
  if (side) return sql`select * from plan_version_row where version_id = ${side.id} and project_id = ${project.id}`;
  return sql`
    select p.du_id, du.code as du_code, du.name as du_name, f.flow_id, p.plan_start, p.plan_end, p.actual_start, p.actual_end, p.state, p.plan_owner
    from du_plan p join du on du.id = p.du_id and du.deleted_at is null
    left join du_flow f on f.du_id = p.du_id and f.unbound_at is null where p.project_id = ${project.id}`;
}

function duCondition({ sql }: Ctx, { field, values }: Filter) {
  const text = String(values[0] ?? "");
  if (field === "search")
    return sql`(position(lower(${text}) in lower(coalesce(r.du_code, l.du_code))) > 0 or position(lower(${text}) in lower(coalesce(r.du_name, l.du_name))) > 0)`;
  if (field === "regionId") return sql`du.region_id = any(${values.map(Number).filter(Number.isSafeInteger)}::bigint[])`;
  return sql`true`;
}

/** Names a comparison is filtered by. */
export async function listCompareChoices(
  ctx: Ctx,
): Promise<{ regions: { id: number; name: string }[]; activities: { id: number; name: string }[] }> {
  const { sql, project } = ctx;
  const [regions, library] = await Promise.all([
    sql<{ id: number; name: string }[]>`
      select id, name from delivery_region where project_id = ${project.id} and deleted_at is null order by sort_no, name`,
    listLibraryActivities(ctx),
  ]);
  return { regions: [...regions], activities: library.map(({ id, name }) => ({ id, name })) };
}

/** Dates of a version as differences of days per asked slot (plan start, plan end, actual start, actual end), and their shifts until now in working days, 0 where there is none. */
export type VersionTileRow = [duId: number, days: number[], shifts: number[]];
export type VersionTile = { from: number; version: { id: number; code: string; name: string }; rows: VersionTileRow[] };

/**
 * The dates a version holds for the DUs of a part of a query, beside their shift to the present plan. DUs that are not in the version are missing.
 * @throws NOT_FOUND, QUERY_EXPIRED
 */
export async function readVersionTile(ctx: Ctx, input: z.output<typeof ReadVersionTile>): Promise<VersionTile> {
  const { from, slots } = input;
  const { id, code, name } = await getVersion(ctx, input.versionId);
  const { rows } = await readSlice(ctx, input.queryId, from, input.count);
  const duIds = rows.map((row) => row.id);
  const [kept, block, calendars] = await Promise.all([
    readTileDus(ctx, id, duIds),
    readPlanRows(ctx, duIds, { fields: compareFields }),
    readCalendars(ctx),
  ]);
  const rowOf = rowIndex(block);
  const side = newSide(compareFields.length, Math.max(block.width, ...slots.map((slot) => slot + 1)));
  const tile = duIds.flatMap((duId): VersionTileRow[] => {
    const texts = kept.get(duId);
    const row = rowOf.get(duId);
    if (!texts || row === undefined) return [];
    fillSide(side, { fields: compareFields.map((field) => texts[field]), state: texts.state, owner: null }, side.state.length);
    const calendar = calendarOf(calendars, texts.regionId).days;
    const days: number[] = [];
    const shifts: number[] = [];
    for (const slot of slots)
      compareFields.forEach((field, at) => {
        const old = isApplicable(side.state[slot] ?? 0) ? (side.fields[at]![slot] ?? 0) : 0;
        const now = getCell(block, row, slot, field);
        days.push(old);
        shifts.push(old !== 0 && now !== 0 && old !== now ? (shiftOf(calendar, old, now) ?? 0) : 0);
      });
    return [[duId, encodeDays(days), shifts]];
  });
  return { from, version: { id, code, name }, rows: tile };
}

type TileTexts = { duId: number; regionId: number | null; state: string } & Record<CompareField, string | null>;

async function readTileDus({ sql, scope }: Ctx, versionId: number, duIds: readonly number[]): Promise<Map<number, TileTexts>> {
  const arrays = compareFields.map((field) => `r.${planColumns[field]}::text as "${field}"`).join(", ");
  const rows = await sql<TileTexts[]>`
    select r.du_id as "duId", du.region_id as "regionId", r.state::text, ${sql.unsafe(arrays)}
    from plan_version_row r join du on du.id = r.du_id
    where r.version_id = ${versionId} and r.du_id = any(${[...duIds]}::bigint[]) and ${scope.where("version.view")}`;
  return new Map(rows.map((row) => [row.duId, row]));
}

import "server-only";
import { readHidden, readModes } from "#lib/attributes/modes/queries.ts";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { keepAnswer } from "#lib/core/kept-answers.ts";
import type { ListInput, Page } from "#lib/core/paging.ts";
import { type GridMark, readGridMarks } from "#lib/reminders/grid-marks/queries.ts";
import { type DuColumnKey, duColumnKeys, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import { parseAttributeKey } from "#lib/rollout-plan/columns/logic.ts";
import { dayColumns, duColumnSql, duSourceOf, readFlowOrders, selectDuColumns } from "#lib/rollout-plan/columns/queries.ts";
import { compileQuestion } from "#lib/rollout-plan/conditions/queries.ts";
import { PlanQuestion } from "#lib/rollout-plan/conditions/schema.ts";
import { activityStatus, duStatus } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities, readOwnerSets, readPlanRows, readPlanSeq } from "#lib/rollout-plan/plan-rows/queries.ts";
import {
  type Ahead,
  type Attributes,
  readAhead,
  readAttributes,
  readRowTexts,
  readSlice,
  type SliceRow,
} from "#lib/rollout-plan/tile-rows/queries.ts";
import { changedDusMax, keptOwnersMax, keptTilesMax } from "./limits.ts";
import { codeReferences, codeTexts, type TileColumn, type TileNote } from "./logic.ts";
import type { ChangesInput, TileInput } from "./schema.ts";

/** A part of a query's rows, by columns. */
export type Tile = {
  from: number;
  /** Change number of the project when the tile was read. */
  seq: number;
  duIds: number[];
  /** Texts of `encodeTileRow` in the order of `duIds`; only with part plan. */
  rows?: string[];
  /** Members of the owner sets in the rows, and their names. */
  owners?: [setId: number, userIds: number[]][];
  people?: [userId: number, name: string][];
  /** Sites of the tile that wait after RFI, where reminders mark them; left out where there are none. */
  marks?: GridMark[];
  fields: TileColumn[];
  attrs: TileColumn[];
  /** Notes at the asked slots; few activities have one. */
  notes: TileNote[];
};

// Whole tiles by all they depend on. What has no revision of its own, such as a name, is at most this old.
const tileTrustMs = 30_000;
const keptTiles = new Map<string, { tile: Tile; until: number }>();

/** Rows of a kept query, as far as the caller still reaches them. */
export async function readTile(ctx: Ctx, input: TileInput): Promise<Tile> {
  const slicing = readSlice(ctx, input.queryId, input.from, input.count);
  const { plan, released } = input.parts;
  const ahead = readAhead(ctx, input, { plan, released, attributes: input.parts.attrs.length > 0 });
  const [{ rows, seq }, attrs] = await Promise.all([slicing, listShown(ctx, input.parts.attrs)]);
  const parts = { ...input.parts, attrs };
  const revisions = rows.map((row) => `${row.id} ${row.duVersion} ${row.version} ${row.flowId} ${row.flowVersion}`).join();
  const key = JSON.stringify([ctx.project.id, seq, ctx.today, ctx.scope.fingerprint("rollout.view"), input.from, parts, revisions]);
  const kept = keptTiles.get(key);
  keptTiles.delete(key);
  const fresh =
    kept && kept.until > ctx.now.getTime()
      ? kept
      : { tile: keepAnswer(await makeTile(ctx, { from: input.from, parts }, rows, seq, ahead)), until: ctx.now.getTime() + tileTrustMs };
  keptTiles.set(key, fresh);
  if (keptTiles.size > keptTilesMax) keptTiles.delete(keptTiles.keys().next().value as string);
  return fresh.tile;
}

/** The attributes among the keys that are not hidden from the caller. */
async function listShown(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const modes = await readModes(ctx, keys.map(attributeIdOf));
  return keys.filter((key) => (modes.get(attributeIdOf(key)) ?? "HIDDEN") !== "HIDDEN");
}

/** Columns that rows read beside a tile carry with their plan: enough to name a DU and to put it into a lane. */
const rowFields: readonly DuColumnKey[] = ["code", "name", "status", "progress", "region", "subcontractor"];

/** Rows of chosen DUs as a tile that is kept nowhere, with their released dates. */
export function readTileRows(ctx: Ctx, rows: readonly SliceRow[], seq: number): Promise<Tile> {
  return makeTile(ctx, { from: 0, parts: { plan: true, released: true, fields: [...rowFields], attrs: [], notes: [] } }, rows, seq);
}

async function makeTile(
  ctx: Ctx,
  { from, parts }: Pick<TileInput, "from" | "parts">,
  rows: readonly SliceRow[],
  seq: number,
  ahead?: Ahead,
): Promise<Tile> {
  const duIds = rows.map(({ id }) => id);
  const [plan, marks, columns, notes] = await Promise.all([
    parts.plan ? readPlanPart(ctx, rows, parts.released, ahead) : null,
    parts.plan ? readGridMarks(ctx, duIds) : [],
    readDuColumns(ctx, rows, parts.fields, parts.attrs, ahead),
    readTileNotes(ctx, duIds, parts.notes),
  ]);
  return { from, seq, duIds, ...plan, ...(marks.length > 0 && { marks }), ...columns, notes };
}

async function readTileNotes(ctx: Ctx, duIds: readonly number[], slots: readonly number[]): Promise<TileNote[]> {
  if (slots.length === 0) return [];
  const rows = await ctx.sql<(NoteTexts & { duId: number; slot: number })[]>`
    select n.du_id as "duId", n.slot, n.delay_reason as "delayReason", n.score, n.score_remark as "scoreRemark" from du_activity_note n
    where n.du_id = any(${[...duIds]}::bigint[]) and n.slot = any(${[...slots]}::int[])`;
  const places = new Map(duIds.map((id, at) => [id, at]));
  return rows.map(({ duId, slot, delayReason, score, scoreRemark }) => [places.get(duId) as number, slot, delayReason, score, scoreRemark]);
}

type NoteTexts = { delayReason: string | null; score: number | null; scoreRemark: string | null };

async function readPlanPart(
  ctx: Ctx,
  slice: readonly SliceRow[],
  released: boolean,
  ahead: Ahead | undefined,
): Promise<Pick<Tile, "rows" | "owners" | "people">> {
  const rows = await readRowTexts(ctx, slice, released, ahead?.rows);
  const owners = await listOwners(ctx, [...new Set(rows.flatMap((row) => row.sets))]);
  return {
    rows: rows.map(({ text }) => text),
    owners: owners.map(({ id, userIds }) => [id, userIds]),
    people: [...new Map(owners.flatMap(({ people }) => people))],
  };
}

type OwnerSet = { id: number; userIds: number[]; people: [number, string][] };
const keptOwners = new Map<number, { set: OwnerSet; until: number }>();

/** Members of owner sets in their order, and the members' names. The members of a set never change. */
async function listOwners(ctx: Ctx, ids: readonly number[]): Promise<OwnerSet[]> {
  const now = ctx.now.getTime();
  const found = new Map(ids.map((id) => [id, keptOwners.get(id)]));
  const missing = ids.filter((id) => (found.get(id)?.until ?? 0) <= now);
  if (missing.length > 0) {
    const rows = await ctx.sql<OwnerSet[]>`
      select o.id, o.user_ids as "userIds",
        coalesce((select json_agg(json_build_array(u.id, u.name)) from app_user u where u.id = any(o.user_ids)), '[]') as people
      from owner_set o where o.project_id = ${ctx.project.id} and o.id = any(${missing}::int[])`;
    if (keptOwners.size > keptOwnersMax) keptOwners.clear();
    for (const set of rows) {
      const kept = { set, until: now + tileTrustMs };
      keptOwners.set(set.id, kept);
      found.set(set.id, kept);
    }
  }
  return ids.flatMap((id) => found.get(id)?.set ?? []);
}

type FieldRow = Record<string, string | number | boolean | null> & { duId: number };

const statusFacts = `, f.flow_id as "_flow", p.applicable_count as "_applicable", p.done_count as "_done", p.next_plan_end as "_next"`;

/** The DU columns as they are read, each under its key with a comma before it. */
const fieldColumns = (ctx: Ctx, keys: readonly DuColumnKey[]) =>
  ctx.sql`${selectDuColumns(ctx, [...new Set(keys)])}${ctx.sql.unsafe(keys.includes("status") ? statusFacts : "")}`;

/** Puts the texts of what is stored as a number in place of it. */
function finishFields(row: FieldRow, keys: readonly DuColumnKey[], today: number): FieldRow {
  if (keys.includes("status"))
    row.status = duStatus(
      {
        flowId: row._flow as number | null,
        applicableCount: row._applicable as number,
        doneCount: row._done as number,
        nextPlanEnd: row._next as number,
      },
      today,
    );
  if (keys.includes("releaseState")) row.releaseState = duColumns.releaseState.choices[row.releaseState as number] ?? null;
  return row;
}

async function readFields(ctx: Ctx, duIds: readonly number[], keys: readonly DuColumnKey[]): Promise<FieldRow[]> {
  const { sql } = ctx;
  const rows = await sql<FieldRow[]>`
    select du.id as "duId"${fieldColumns(ctx, keys)} from ${sql.unsafe(duSourceOf(keys))} where du.id = any(${[...duIds]}::bigint[])`;
  const byId = new Map(rows.map((row) => [row.duId, row]));
  const today = dayNumber(ctx.today);
  return duIds.map((id) => finishFields(byId.get(id) ?? ({ duId: id } as FieldRow), keys, today));
}

const referenceTables: Partial<Record<DuColumnKey, string>> = {
  region: "delivery_region",
  subcontractor: "subcontractor",
  flow: "activity_flow",
  cluster: "cluster",
  directMigrationSite: "du",
  decomSite: "du",
};

/** The attribute of a key, as the schema has let it in. */
const attributeIdOf = (key: string) => parseAttributeKey(key)?.attributeId as number;

/** The columns of a tile that are one value a DU. */
async function readDuColumns(
  ctx: Ctx,
  slice: readonly SliceRow[],
  fields: readonly DuColumnKey[],
  attrs: readonly string[],
  ahead: Ahead | undefined,
): Promise<Pick<Tile, "fields" | "attrs">> {
  const [first] = slice;
  if (!first || fields.length + attrs.length === 0) return { fields: [], attrs: [] };
  const [{ rows, shown }, values] = await Promise.all([
    readShownFields(ctx, slice, fields, attrs),
    attrs.length > 0 ? readAttributes(ctx, slice, ahead?.attributes) : [],
  ]);
  return {
    fields: fields.map((key) => codeField(key, rows)),
    attrs: attrs.flatMap((key) => codeAttribute(key, shown[attributeIdOf(key)], values)),
  };
}

type DuRow = FieldRow & { _shown: Record<string, string> | null };

/** DU columns of a slice with the names of what they refer to, and the types of those attributes that the plan shows, by one statement. */
async function readShownFields(
  ctx: Ctx,
  slice: readonly SliceRow[],
  fields: readonly DuColumnKey[],
  attrs: readonly string[],
): Promise<{ rows: FieldRow[]; shown: Record<string, string> }> {
  const { sql, project } = ctx;
  const ids = slice.map(({ id }) => id);
  const asked = [...new Set(attrs.map(attributeIdOf))];
  const titles = fields.flatMap((key) => {
    const table = referenceTables[key];
    if (!table) return [];
    const told = table === "subcontractor" ? ctx.scope.company(sql`t.id`) : table === "du" ? ctx.scope.du(sql`t.id`) : sql`true`;
    return [
      sql`, (select ${sql.unsafe(table === "du" ? "t.code" : "t.name")} from ${sql.unsafe(table)} t
        where t.project_id = du.project_id and t.id = ${sql.unsafe(duColumnSql[key])} and ${told}) as ${sql(`_title ${key}`)}`,
    ];
  });
  const columns = titles.reduce((left, right) => sql`${left} ${right}`, fieldColumns(ctx, fields));
  // Which attributes are shown is said once, in the first row.
  const rows = await sql<DuRow[]>`
    select du.id as "duId" ${columns},
      case when du.id = ${ids[0] as number} then (select json_object_agg(id, type) from attribute
        where project_id = ${project.id} and deleted_at is null and in_rollout_plan and id = any(${asked}::bigint[])) end as "_shown"
    from ${sql.unsafe(duSourceOf(fields))} where du.id = any(${ids}::bigint[])`;
  const byId = new Map(rows.map((row) => [row.duId, row]));
  const today = dayNumber(ctx.today);
  return {
    rows: ids.map((id) => finishFields(byId.get(id) ?? ({ duId: id } as FieldRow), fields, today)),
    shown: byId.get(ids[0] as number)?._shown ?? {},
  };
}

function codeField(key: DuColumnKey, rows: readonly FieldRow[]): TileColumn {
  const values = rows.map((row) => row[key] ?? null);
  const { type } = duColumns[key];
  if (type === "reference") {
    const titles = new Map(rows.map((row) => [row[key] as number, row[`_title ${key}`] as string]));
    return codeReferences(key, values as (number | null)[], titles);
  }
  if (type === "text" || type === "choice" || type === "status" || type === "month") return codeTexts(key, values as (string | null)[]);
  return { key, values };
}

/** Nothing when the attribute is not shown. */
function codeAttribute(key: string, type: string | undefined, rows: readonly Attributes[]): TileColumn[] {
  if (type === undefined) return [];
  const values = rows.map((row) => row[key] ?? null);
  if (type === "NUMBER") return [{ key, values }];
  return [
    codeTexts(
      key,
      values.map((value) => (value === null ? null : String(value))),
    ),
  ];
}

/** One activity of a plain row. */
export type PlainActivity = {
  activityId: number;
  status: string;
  planStart: string | null;
  planEnd: string | null;
  actualStart: string | null;
  actualEnd: string | null;
  baselineStart: string | null;
  baselineEnd: string | null;
  planOwners: number[];
  actualOwners: number[];
  delayReason: string | null;
  score: number | null;
  scoreRemark: string | null;
};
export type PlainRow = Record<string, unknown> & { duId: number; activities: PlainActivity[] };

/** Plain rows of the plan, page by page, for scripts and other systems. */
export async function listRows(ctx: Ctx, input: ListInput): Promise<Page<PlainRow> | (Omit<Page<PlainRow>, "total"> & { total: null })> {
  const { sql } = ctx;
  const question = PlanQuestion.parse({ filters: input.filters, sort: input.sort ?? [] });
  const compiled = await compileQuestion(ctx, question);
  const [[count], ids] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::int as total from ${compiled.source} where ${compiled.where}`,
    sql<{ id: number }[]>`
      select du.id from ${compiled.source} where ${compiled.where} order by ${compiled.order} limit ${input.size} offset ${(input.page - 1) * input.size}`,
  ]);
  const records = await readPlainRows(
    ctx,
    ids.map(({ id }) => id),
  );
  const total = ctx.can("rollout.duCountHide") ? null : (count?.total ?? 0);
  return { records, total: total as number, page: input.page, size: input.size };
}

async function readPlainRows(ctx: Ctx, duIds: number[]): Promise<PlainRow[]> {
  if (duIds.length === 0) return [];
  const [fields, block, library, orders] = await Promise.all([
    readFields(ctx, duIds, duColumnKeys),
    readPlanRows(ctx, duIds),
    listLibraryActivities(ctx),
    readFlowOrders(ctx),
  ]);
  const slots = library.map(({ slot }) => slot);
  const notes = new Map((await readTileNotes(ctx, duIds, slots)).map((note) => [`${duIds[note[0]]} ${note[1]}`, note]));
  const activityOf = new Map(library.map(({ id, slot }) => [slot, id]));
  const sets = await readOwnerSets(ctx, [...new Set([...block.planOwner, ...block.actualOwner])].filter(Boolean));
  const today = dayNumber(ctx.today);
  const rowOf = new Map(block.duIds.map((id, row) => [id, row]));
  return fields.map((given) => {
    const { _flow, _applicable, _done, _next, ...plain } = given;
    for (const key of dayColumns) plain[key] = isoDay((plain[key] as number | null) ?? 0);
    const row = rowOf.get(given.duId) as number;
    const activities = (orders.get(block.flowIds[row] as number)?.slots ?? []).map((slot): PlainActivity => {
      const at = row * block.width + slot;
      const note = notes.get(`${given.duId} ${slot}`);
      const day = (column: Uint16Array) => isoDay(column[at] as number);
      return {
        activityId: activityOf.get(slot) as number,
        status: activityStatus(block.state[at] as number, block.planEnd[at] as number, block.actualEnd[at] as number, today),
        planStart: day(block.planStart),
        planEnd: day(block.planEnd),
        actualStart: day(block.actualStart),
        actualEnd: day(block.actualEnd),
        baselineStart: day(block.baselineStart),
        baselineEnd: day(block.baselineEnd),
        planOwners: sets.get(block.planOwner[at] as number) ?? [],
        actualOwners: sets.get(block.actualOwner[at] as number) ?? [],
        delayReason: note?.[2] ?? null,
        score: note?.[3] ?? null,
        scoreRemark: note?.[4] ?? null,
      };
    });
    return { ...plain, duId: given.duId, activities };
  });
}

export type Changes = { seq: number; reload: true } | { seq: number; changed: [duId: number, cells: number[], attrKeys: string[]][] };

/** Cells that changed after a change number, DU by DU, as far as the caller reaches them. */
export async function listChanges(ctx: Ctx, input: ChangesInput): Promise<Changes> {
  const { sql, project } = ctx;
  const seq = await readPlanSeq(ctx);
  if (input.sinceSeq === seq) return { seq, changed: [] };
  // A number without batch is a change of who may edit what: nothing tells which rows it concerns, as neither does a log that no longer reaches back.
  const [logged] = await sql<{ batches: number }[]>`
    select count(*)::int as batches from plan_batch where project_id = ${project.id} and seq > ${input.sinceSeq} and seq <= ${seq}`;
  if (input.sinceSeq > seq || logged!.batches < seq - input.sinceSeq) return { seq, reload: true };
  const rows = await sql<{ duId: number; cells: number[]; keys: string[] }[]>`
    select l.du_id as "duId", coalesce(array_agg(distinct c.cell) filter (where c.cell is not null), '{}')::int[] as cells,
      coalesce(array_agg(distinct k.key) filter (where k.key is not null), '{}') as keys
    from plan_batch b
    join plan_log l on l.batch_id = b.id
    join du on du.id = l.du_id and ${ctx.scope.where("rollout.view")}
    left join lateral unnest(l.cells) c(cell) on true
    left join lateral jsonb_object_keys(l.attrs) k(key) on true
    where b.project_id = ${project.id} and b.seq > ${input.sinceSeq} and b.seq <= ${seq}
    group by l.du_id order by l.du_id limit ${changedDusMax + 1}`;
  if (rows.length > changedDusMax) return { seq, reload: true };
  const hidden = await readHidden(ctx);
  const shown = (key: string) => !hidden.has(parseAttributeKey(key)?.attributeId ?? 0);
  // A row of which only hidden attributes moved has not changed for the caller.
  const changed = rows
    .map((row) => ({ ...row, known: row.keys.filter(shown) }))
    .filter(({ keys, known, cells }) => keys.length === known.length || known.length + cells.length > 0);
  return { seq, changed: changed.map(({ duId, cells, known }) => [duId, cells, known]) };
}

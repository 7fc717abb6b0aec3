import "server-only";
import type { PendingQuery, Row } from "postgres";
import { type Pool, snapshot } from "#db/client.ts";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import type { WriteColumn } from "#lib/core/workbook-write.ts";
import { type ActivityColumnKey, type DuColumnKey, duColumns } from "#lib/rollout-plan/columns/limits.ts";
import { isChoice } from "#lib/rollout-plan/columns/logic.ts";
import {
  columnTitles,
  dayColumns,
  duColumnSql,
  duSource,
  listPlanAttributes,
  type PlanAttribute,
} from "#lib/rollout-plan/columns/queries.ts";
import { listReachable } from "#lib/rollout-plan/filters/queries.ts";
import { ownerFields, type PlanField } from "#lib/rollout-plan/plan-rows/limits.ts";
import { activityStatus, duStatus, type PlanBlock, rowIndex, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import {
  type LibraryActivity,
  listLibraryActivities,
  readOwnerSets,
  readPlanRows,
  readPlanSeq,
} from "#lib/rollout-plan/plan-rows/queries.ts";
import { exportSlice } from "./limits.ts";
import { type ExportColumn, exportColumns, isDayColumn, markText, peopleText } from "./logic.ts";

/** The columns of an export with what their cells are made from. */
export type ExportFrame = { columns: ExportColumn[]; head: WriteColumn[]; attributes: Map<number, PlanAttribute> };

/** Columns by their keys, with titles in the caller's language. An attribute that is named may stand beside the plan. */
export async function readExportFrame(ctx: Ctx, keys: readonly string[]): Promise<ExportFrame> {
  const [library, attributes] = await Promise.all([listLibraryActivities(ctx), listPlanAttributes(ctx, true)]);
  const slots = new Map(library.map((activity) => [activity.id, activity.slot]));
  const columns = exportColumns(keys, slots, new Set(attributes.map((attribute) => attribute.id)));
  const byId = new Map(attributes.map((attribute) => [attribute.id, attribute]));
  const title = titlesOf(ctx, library, byId);
  return {
    columns,
    attributes: byId,
    head: columns.map((column) => ({ key: column.key, title: title(column), kind: isDayColumn(column) ? "day" : "text" })),
  };
}

function titlesOf(
  ctx: Ctx,
  library: readonly LibraryActivity[],
  attributes: ReadonlyMap<number, PlanAttribute>,
): (column: ExportColumn) => string {
  const titles = columnTitles(ctx);
  const names = new Map(library.map((activity) => [activity.id, activity.name]));
  return (column) => {
    if (column.kind === "field") return titles.du(column.field);
    const own =
      column.kind === "attribute"
        ? (attributes.get(column.attributeId)?.name ?? column.key)
        : titles.activity((column.kind === "status" ? "status" : column.field) as ActivityColumnKey);
    return column.activityId === null ? own : `${names.get(column.activityId) ?? column.activityId} · ${own}`;
  };
}

/**
 * The rows of an export in the order of `duIds`, each with its mark behind its cells; DUs the caller no longer reaches are left out. A slice is read with its
 * change number in one snapshot: what the workbook shows is what the log says of that number.
 */
export async function* exportRows(
  ctx: Ctx,
  frame: ExportFrame,
  duIds: readonly number[],
  progress: (done: number) => void,
): AsyncGenerator<Cell[]> {
  const read = (from: number): Promise<Cell[][]> =>
    snapshot(ctx.sql as Pool, async (sql) => {
      const still = { ...ctx, sql };
      const [seq, ids] = await Promise.all([readPlanSeq(still), listReachable(still, duIds.slice(from, from + exportSlice))]);
      const rows = await readExportRows(still, frame, ids);
      for (const [at, cells] of rows.entries()) cells.push(markText({ duId: ids[at] as number, seq }));
      return rows;
    });
  // The database reads a slice while the one before it is written. Whoever stops early does not ask what became of the one on its way.
  const begin = (from: number): Promise<Cell[][]> => {
    const reading = read(from);
    reading.catch(() => {});
    return reading;
  };
  let ahead = begin(0);
  for (let from = 0; from < duIds.length; from += exportSlice) {
    ctx.signal?.throwIfAborted();
    const rows = await ahead;
    if (from + exportSlice < duIds.length) ahead = begin(from + exportSlice);
    yield* rows;
    progress(Math.min(duIds.length, from + exportSlice));
  }
}

type Getter = (duId: number) => Cell;

/** The cells of DUs as the connection sees them, without marks. */
export async function readExportRows(ctx: Ctx, { columns, attributes }: ExportFrame, ids: readonly number[]): Promise<Cell[][]> {
  const kinds = planKinds(columns);
  const [fields, block, notes, extensions] = await Promise.all([
    readFields(ctx, columns, ids),
    kinds.length > 0 ? readPlanRows(ctx, ids, { fields: kinds }) : null,
    readNotes(ctx, columns, ids),
    readExtensions(ctx, columns, ids),
  ]);
  const plan = block ? await planGetters(ctx, columns, block) : new Map<ExportColumn, Getter>();
  const getters = columns.map((column): Getter => {
    switch (column.kind) {
      case "field":
        return (id) => fields.get(id)?.[column.field] ?? null;
      case "note":
        return (id) => notes.get(`${id} ${column.slot}`)?.[column.field] ?? null;
      case "attribute": {
        const cell = attributeCell(attributes.get(column.attributeId));
        return (id) => cell(extensions.get(id)?.[column.stored]);
      }
      default:
        return plan.get(column) as Getter;
    }
  });
  return ids.map((id) => getters.map((get) => get(id)));
}

async function planGetters(ctx: Ctx, columns: readonly ExportColumn[], block: PlanBlock): Promise<Map<ExportColumn, Getter>> {
  const rows = rowIndex(block);
  const today = dayNumber(ctx.today);
  const words = statusWords(ctx);
  const people = columns.some((column) => column.kind === "owners") ? await readPeople(ctx, block) : new Map<number, Cell>();
  const at = (id: number, slot: number): number => (slot < block.width ? (rows.get(id) ?? -1) * block.width + slot : -1);
  const getters = new Map<ExportColumn, Getter>();
  for (const column of columns) {
    if (column.kind === "date") getters.set(column, (id) => block[column.field][at(id, column.slot)] || null);
    else if (column.kind === "owners") getters.set(column, (id) => people.get(block[column.field][at(id, column.slot)] ?? 0) ?? null);
    else if (column.kind === "status")
      getters.set(column, (id) => {
        const place = at(id, column.slot);
        const state = block.state[place] ?? 0;
        if (stateValue(state, "inFlow") === 0) return null;
        return words(activityStatus(state, block.planEnd[place] ?? 0, block.actualEnd[place] ?? 0, today));
      });
  }
  return getters;
}

async function readPeople(ctx: Ctx, block: PlanBlock): Promise<Map<number, Cell>> {
  const ids = [...new Set(ownerFields.flatMap((field) => [...new Set(block[field])]))].filter(Boolean);
  const sets = await readOwnerSets(ctx, ids);
  const users = [...new Set([...sets.values()].flat())];
  const rows = await ctx.sql<
    { id: number; name: string; account: string }[]
  >`select id, name, account from app_user where id = any(${users}::bigint[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map([...sets].map(([id, members]) => [id, peopleText(members.flatMap((user) => byId.get(user) ?? []))]));
}

/** The kinds of the plan that the columns show. */
function planKinds(columns: readonly ExportColumn[]): PlanField[] {
  const kinds = columns.flatMap((column): PlanField[] => {
    if (column.kind === "date" || column.kind === "owners") return [column.field];
    return column.kind === "status" ? ["state", "planEnd", "actualEnd"] : [];
  });
  return [...new Set(kinds)];
}

type FieldValues = Partial<Record<DuColumnKey, Cell>>;
const references = ({ sql, scope }: Ctx): Partial<Record<DuColumnKey, PendingQuery<Row[]>>> => ({
  region: sql`(select name from delivery_region r where r.id = du.region_id)`,
  subcontractor: sql`(select name from subcontractor c where c.id = du.subcontractor_id and ${scope.company(sql`c.id`)})`,
  flow: sql`(select name from activity_flow a where a.id = f.flow_id)`,
  cluster: sql`(select name from cluster k where k.id = du.cluster_id)`,
  directMigrationSite: sql`(select m.code from du m where m.id = du.direct_migration_site_id and ${scope.du(sql`m.id`)})`,
  decomSite: sql`(select m.code from du m where m.id = du.decom_site_id and ${scope.du(sql`m.id`)})`,
});

async function readFields(ctx: Ctx, columns: readonly ExportColumn[], ids: readonly number[]): Promise<Map<number, FieldValues>> {
  const { sql } = ctx;
  const keys = columns.flatMap((column) => (column.kind === "field" ? column.field : []));
  if (keys.length === 0 || ids.length === 0) return new Map();
  const named = references(ctx);
  const selected = keys.map((key) => sql`, ${named[key] ?? sql.unsafe(duColumnSql[key])} as ${sql(key)}`);
  if (keys.includes("status"))
    selected.push(sql`, f.flow_id as "_flow", p.applicable_count as "_applicable", p.done_count as "_done", p.next_plan_end as "_next"`);
  const rows = await sql<(Record<string, string | number | boolean | null> & { duId: number })[]>`
    select du.id as "duId" ${selected.reduce((left, right) => sql`${left}${right}`, sql``)} from ${sql.unsafe(duSource)} where du.id = any(${[...ids]}::bigint[])`;
  const titles = columnTitles(ctx);
  const words = statusWords(ctx);
  const today = dayNumber(ctx.today);
  return new Map(
    rows.map((row) => {
      const values: FieldValues = {};
      for (const key of keys) {
        const value = row[key] ?? null;
        const column: { type: string; choices?: readonly string[] } = duColumns[key];
        if (key === "status") {
          const facts = {
            flowId: row._flow as number | null,
            applicableCount: row._applicable as number,
            doneCount: row._done as number,
            nextPlanEnd: row._next as number,
          };
          values[key] = words(duStatus(facts, today));
        } else if (key === "releaseState") values[key] = titles.choice(key, column.choices?.[value as number] ?? "");
        else if (column.type === "choice" && value !== null) values[key] = titles.choice(key, String(value));
        else values[key] = dayColumns.has(key) && value === 0 ? null : value;
      }
      return [row.duId, values];
    }),
  );
}

type Note = { delayReason: string | null; score: number | null; scoreRemark: string | null };

async function readNotes(ctx: Ctx, columns: readonly ExportColumn[], ids: readonly number[]): Promise<Map<string, Note>> {
  const slots = [...new Set(columns.flatMap((column) => (column.kind === "note" ? column.slot : [])))];
  if (slots.length === 0 || ids.length === 0) return new Map();
  const rows = await ctx.sql<(Note & { duId: number; slot: number })[]>`
    select du_id as "duId", slot, delay_reason as "delayReason", score, score_remark as "scoreRemark" from du_activity_note
    where du_id = any(${[...ids]}::bigint[]) and slot = any(${slots}::int[])`;
  return new Map(rows.map((row) => [`${row.duId} ${row.slot}`, row]));
}

type Extension = Record<string, string | number>;

async function readExtensions(ctx: Ctx, columns: readonly ExportColumn[], ids: readonly number[]): Promise<Map<number, Extension>> {
  if (ids.length === 0 || !columns.some((column) => column.kind === "attribute")) return new Map();
  const rows = await ctx.sql<{ id: number; ext: Extension }[]>`select id, ext from du where id = any(${[...ids]}::bigint[])`;
  return new Map(rows.map(({ id, ext }) => [id, ext]));
}

/** What a cell shows of the stored value of an attribute. */
function attributeCell(attribute: PlanAttribute | undefined): (value: string | number | undefined) => Cell {
  if (attribute && isChoice(attribute.type)) {
    const names = new Map(attribute.enums.map((one) => [String(one.id), one.value]));
    return (value) => (value === undefined ? null : (names.get(String(value)) ?? String(value)));
  }
  if (attribute?.type === "DATE" || attribute?.type === "DATETIME") return (value) => (value === undefined ? null : { d: String(value) });
  return (value) => value ?? null;
}

// The words of the status tags, the codes NA and INV as they are.
function statusWords(ctx: Pick<Ctx, "locale">): (status: string) => string {
  const texts = loadMessages(ctx.locale).dus as { status: Record<string, string> };
  return (status) => texts.status[status] ?? status;
}

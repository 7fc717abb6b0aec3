import "server-only";
import { isoDay } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { readArrayText, stateValue } from "#lib/rollout-plan/plan-rows/logic.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import { readDifferences } from "../comparison/queries.ts";
import { exportSlice } from "./limits.ts";
import type { ExportVersion } from "./schema.ts";

/** A sheet before it is written: titles of its columns, how many rows they hold, and these. */
export type VersionSheet = {
  title: string;
  columns: { title: string; kind: "text" | "day" | "number" }[];
  total: number;
  rows: () => AsyncIterable<Cell[]>;
};

/** Words of the head. */
export type SheetWords = { du: string; name: string; days: string; old: string; now: string; field: (name: string) => string };

const dates = ["planStart", "planEnd", "actualStart", "actualEnd"] as const;

/** A version as a sheet: the dates of every activity of its DUs. */
export async function versionSheet(
  ctx: Ctx,
  version: { id: number; code: string; name: string },
  words: SheetWords,
): Promise<VersionSheet> {
  const { sql } = ctx;
  const within = ctx.scope.all("version.view")
    ? sql`true`
    : sql`r.du_id in (select du.id from du where ${ctx.scope.where("version.view")})`;
  const [library, used, ids] = await Promise.all([
    listLibraryActivities(ctx),
    sql<{ slot: number }[]>`
      select distinct u.slot::int as slot from plan_version_row r, unnest(r.state) with ordinality u(state, slot)
      where r.version_id = ${version.id} and u.state & 1 = 1`,
    sql<{ id: number }[]>`
      select r.du_id as id from plan_version_row r where r.version_id = ${version.id} and ${within} order by r.du_code collate natural_order, r.du_id`,
  ]);
  const slots = new Set(used.map(({ slot }) => slot));
  const activities = library.filter(({ slot }) => slots.has(slot));
  const width = Math.max(0, ...slots) + 1;
  async function* rows(): AsyncGenerator<Cell[]> {
    for (let at = 0; at < ids.length; at += exportSlice) {
      const part = ids.slice(at, at + exportSlice).map(({ id }) => id);
      const read = await sql<({ id: number; code: string; name: string; state: string } & Record<(typeof dates)[number], string | null>)[]>`
        select du_id as id, du_code as code, du_name as name, state::text, plan_start::text as "planStart", plan_end::text as "planEnd",
          actual_start::text as "actualStart", actual_end::text as "actualEnd"
        from plan_version_row where version_id = ${version.id} and du_id = any(${part}::bigint[])`;
      const byId = new Map(read.map((row) => [row.id, row]));
      for (const id of part) {
        const row = byId.get(id);
        if (!row) continue;
        const state = new Int32Array(Math.max(width, row.state.length));
        readArrayText(row.state, state, 0, state.length);
        const days = dates.map((field) => {
          const column = new Uint16Array(state.length);
          readArrayText(row[field], column, 0, column.length);
          return column;
        });
        yield [
          row.code,
          row.name,
          ...activities.flatMap(({ slot }) =>
            days.map((column) => (stateValue(state[slot] ?? 0, "inFlow") ? dayCell(column[slot] ?? 0) : null)),
          ),
        ];
      }
    }
  }
  return {
    title: `${version.code} ${version.name}`,
    columns: [
      { title: words.du, kind: "text" },
      { title: words.name, kind: "text" },
      ...activities.flatMap(({ name }) => dates.map((field) => ({ title: `${name} ${words.field(field)}`, kind: "day" as const }))),
    ],
    total: ids.length,
    rows,
  };
}

/** A comparison as a sheet: per DU the dates that differ, before and after, and by how many working days. */
export async function comparisonSheet(ctx: Ctx, input: ExportVersion, present: string, words: SheetWords): Promise<VersionSheet> {
  const found = await readDifferences(ctx, { left: input.left!, right: input.right!, fields: input.fields, filters: input.filters });
  const places = new Map<string, number>();
  const heads: { title: string; kind: "day" | "number" }[] = [];
  for (const du of found.dus)
    for (const { slot, field } of found.changesOf(du)) {
      const key = `${slot} ${field}`;
      if (places.has(key)) continue;
      places.set(key, places.size);
      const name = `${found.library.get(slot)!.name} ${words.field(found.fields[field]!)}`;
      heads.push(
        { title: `${name} ${words.old}`, kind: "day" },
        { title: `${name} ${words.now}`, kind: "day" },
        { title: `${name} ${words.days}`, kind: "number" },
      );
    }
  async function* rows(): AsyncGenerator<Cell[]> {
    for (const du of found.dus) {
      const cells: Cell[] = new Array(heads.length).fill(null);
      for (const { slot, field, old, now, days } of found.changesOf(du)) {
        const at = 3 * places.get(`${slot} ${field}`)!;
        cells[at] = dayCell(old);
        cells[at + 1] = dayCell(now);
        cells[at + 2] = days;
      }
      yield [du.code, du.name, ...cells];
    }
  }
  return {
    title: `${found.left?.code ?? present} - ${found.right?.code ?? present}`,
    columns: [{ title: words.du, kind: "text" }, { title: words.name, kind: "text" }, ...heads],
    total: found.dus.length,
    rows,
  };
}

const dayCell = (day: number): Cell => (day === 0 ? null : { d: isoDay(day) as string });

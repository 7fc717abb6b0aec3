import type { Installation } from "./installation.ts";
import { line, pair } from "./measure.ts";

const dus = 200;
const activities = 10;

type Row = { id: number; planEnd: string };

/** Ends of 10 activities of 200 DUs shifted by a working day, preview and apply, against reading the rows, computing and writing them back with one packed change row each. */
export async function benchBatch({ sql, call, projectId }: Installation): Promise<void> {
  const library = await sql<{ id: number; slot: number }[]>`
    select l.id, l.slot from flow_activity n join activity_flow f on f.id = n.flow_id join activity_library l on l.id = n.activity_id
    where f.project_id = ${projectId} and f.name = 'Flow odd' and f.draft_of is null order by n.seq desc limit ${activities}`;
  // Behind the DUs the paste works on: these have moved by as many days as others.
  const ids = await sql<{ id: number }[]>`
    select b.du_id as id from du_flow b join activity_flow f on f.id = b.flow_id join du_plan p on p.du_id = b.du_id join du on du.id = b.du_id
    where f.project_id = ${projectId} and f.name = 'Flow odd' and b.unbound_at is null and du.rfc_number is null
      and coalesce(p.actual_end[${library.at(-1)!.slot}::int], 0) = 0
    order by b.du_id desc limit ${2 * dus}`;
  if (ids.length < 2 * dus) throw new Error(`${ids.length} DUs of one RFC number`);
  const left = ids.slice(0, dus).map(({ id }) => id);
  const right = ids.slice(dus).map(({ id }) => id);
  const input = { duIds: left, activityIds: library.map(({ id }) => id), field: "planEnd", mode: "shift", value: 1 };
  const shift = async (preview: boolean) => {
    const { changed } = await call<{ changed: number }>("rolloutPlan/batch/setDate", { ...input, preview });
    if (changed !== dus * activities) throw new Error(`${changed} cells were shifted`);
  };
  const product = async () => {
    await shift(true);
    await shift(false);
  };
  const bare = async () => {
    await sql.begin(async (tx) => {
      const rows = await tx<Row[]>`
        select du_id as id, plan_end::text as "planEnd" from du_plan where du_id = any(${right}) order by du_id for no key update`;
      const list = (values: number[]) => `{${values.join(",")}}`;
      const changed = rows.map((row) => {
        const ends = row.planEnd.slice(1, -1).split(",").map(Number);
        const old = library.map(({ slot }) => ends[slot - 1]!);
        for (const { slot } of library) ends[slot - 1]!++;
        return { id: row.id, ends: list(ends), old: list(old), now: list(old.map((day) => day + 1)) };
      });
      const of = (key: "ends" | "old" | "now") => changed.map((row) => row[key]);
      const named = changed.map(({ id }) => id);
      await tx`
        with w as (
          update du_plan p set plan_end = n.ends::smallint[], row_version = p.row_version + 1 from unnest(${named}::bigint[], ${of("ends")}::text[]) n(id, ends)
          where p.du_id = n.id
        ), b as (
          insert into plan_batch (project_id, seq, at, source, du_count, cell_count) select ${projectId}, -1 - count(*), now(), 'system', ${dus}, 0 from plan_batch returning id
        )
        insert into plan_log (du_id, batch_id, project_id, at, cells, old, new)
        select n.id, b.id, ${projectId}, now(), ${list(library.map(({ slot }) => slot * 16 + 2))}::smallint[], n.old::int[], n.now::int[]
        from b, unnest(${named}::bigint[], ${of("old")}::text[], ${of("now")}::text[]) n(id, old, now)`;
    });
  };
  const times = await pair(20, product, bare);
  line("batch set date, preview and apply", times.product, times.bare, "ms", "≤ 3");
}

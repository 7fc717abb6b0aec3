import type { Installation } from "./installation.ts";
import { line, pair } from "./measure.ts";

const dus = 100;
const activities = 20;

type Row = { id: number; planEnd: string };

/** 2,000 different dates pasted into 100 DUs × 20 activities, against reading the rows, computing and writing them back with one packed change row each. */
export async function benchPaste({ sql, call, projectId }: Installation): Promise<void> {
  const library = await sql<{ id: number; slot: number }[]>`
    select l.id, l.slot from flow_activity n join activity_flow f on f.id = n.flow_id join activity_library l on l.id = n.activity_id
    where f.project_id = ${projectId} and f.name = 'Flow odd' and f.draft_of is null order by n.seq desc limit ${activities}`;
  const ids = await sql<{ id: number }[]>`
    select b.du_id as id from du_flow b join activity_flow f on f.id = b.flow_id join du_plan p on p.du_id = b.du_id
    where f.project_id = ${projectId} and f.name = 'Flow odd' and b.unbound_at is null and coalesce(p.actual_end[${library.at(-1)!.slot}::int], 0) = 0
    order by b.du_id limit ${2 * dus}`;
  const read = (wanted: number[]) =>
    sql<Row[]>`select du_id as id, plan_end::text as "planEnd" from du_plan where du_id = any(${wanted}) order by du_id`;
  const days = (row: Row) => row.planEnd.slice(1, -1).split(",").map(Number);
  const text = (number: number) => new Date(Date.UTC(2000, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);
  const left = ids.slice(0, dus).map(({ id }) => id);
  const right = ids.slice(dus).map(({ id }) => id);

  let known: Row[] = [...(await read(left))];
  let pasted: { duIds: number[]; activityIds: number[]; values: string[]; bases: string[] };
  // The clipboard: what is pasted has been read and typed before.
  const prepare = () => {
    pasted = { duIds: [], activityIds: [], values: [], bases: [] };
    for (const row of known) {
      const ends = days(row);
      for (const { id, slot } of library) {
        pasted.duIds.push(row.id);
        pasted.activityIds.push(id);
        pasted.values.push(text(ends[slot - 1]! + 1));
        pasted.bases.push(text(ends[slot - 1]!));
      }
    }
    known = known.map((row) => {
      const ends = days(row);
      for (const { slot } of library) ends[slot - 1]!++;
      return { ...row, planEnd: `{${ends.join(",")}}` };
    });
  };
  const product = async () => {
    const { saved } = await call<{ saved: number }>("rolloutPlan/save", { columns: [{ field: "planEnd", ...pasted }] });
    if (saved !== dus * activities) throw new Error(`${saved} cells were saved`);
  };
  const bare = async () => {
    await sql.begin(async (tx) => {
      const rows = await tx<Row[]>`
        select du_id as id, plan_end::text as "planEnd" from du_plan where du_id = any(${right}) order by du_id for no key update`;
      const list = (values: number[]) => `{${values.join(",")}}`;
      const changed = rows.map((row) => {
        const ends = days(row);
        const old = library.map(({ slot }) => ends[slot - 1]!);
        for (const { slot } of library) ends[slot - 1]!++;
        return { id: row.id, ends: list(ends), old: list(old), now: list(old.map((day) => day + 1)) };
      });
      const of = (key: "ends" | "old" | "now") => changed.map((row) => row[key]);
      await tx`
        with w as (
          update du_plan p set plan_end = n.ends::smallint[], row_version = p.row_version + 1 from unnest(${right}::bigint[], ${of("ends")}::text[]) n(id, ends)
          where p.du_id = n.id
        ), b as (
          insert into plan_batch (project_id, seq, at, source, du_count, cell_count) select ${projectId}, -1 - count(*), now(), 'system', ${dus}, 0 from plan_batch returning id
        )
        insert into plan_log (du_id, batch_id, project_id, at, cells, old, new)
        select n.id, b.id, ${projectId}, now(), ${list(library.map(({ slot }) => slot * 16 + 2))}::smallint[], n.old::int[], n.now::int[]
        from b, unnest(${right}::bigint[], ${of("old")}::text[], ${of("now")}::text[]) n(id, old, now)`;
    });
  };
  // A server that has run for a while has its statements planned on every connection.
  for (let run = 0; run < 24; run++) {
    prepare();
    await product();
  }
  const times = await pair(20, product, bare, prepare);
  line("paste of 2,000 different dates", times.product, times.bare, "ms", "≤ 2");
}

import type { Installation } from "./installation.ts";
import { line, median, once, pair } from "./measure.ts";

const runs = 5;

type Row = { id: number; version: number; planStart: string; planEnd: string; actualEnd: string | null };

/** The schedule of all DUs computed and applied, against reading the rows it needs, and against reading, shifting and writing them with one packed change row each. */
export async function benchSchedule({ sql, call, projectId }: Installation): Promise<void> {
  const { queryId } = await call<{ queryId: string }>("wbs/filter", {});
  const anchors = await sql<{ id: number }[]>`
    select n.activity_id as id from flow_activity n join activity_flow f on f.id = n.flow_id
    where f.project_id = ${projectId} and f.draft_of is null and n.is_anchor`;
  let days = 0;
  const preview = () => {
    const day = (number: number) => new Date(Date.now() + number * 86_400_000).toISOString().slice(0, 10);
    days += 10;
    return call<{ previewId: string; counts: { moves: number } }>("rollout/schedule/preview", {
      queryId,
      mode: "BOTH",
      anchors: anchors.map(({ id }) => ({ activityId: id, start: day(days), end: day(days + 3) })),
    });
  };
  const read = () => sql`
    select du_id, row_version, release_state, plan_start::text, plan_end::text, actual_start::text, actual_end::text, state::text from du_plan where project_id = ${projectId}`;
  const computed = await pair(runs, preview, read);
  line("scheduling of all DUs: preview", computed.product, computed.bare, "ms", "≤ 4");

  // Each side writes as many cells as the other: all rows whose plan the run can move.
  const times: { product: number[]; bare: number[]; moves: number[] } = { product: [], bare: [], moves: [] };
  for (let run = -1; run < runs; run++) {
    const { previewId, counts } = await preview();
    const product = await once(() => call("rollout/schedule/apply", { previewId }));
    const bare = await once(() => shiftAll(sql, projectId));
    if (run < 0) continue;
    times.product.push(product);
    times.bare.push(bare);
    times.moves.push(counts.moves);
  }
  line(`scheduling: apply of ${median(times.moves)} moves`, median(times.product), median(times.bare), "ms", "≤ 3");
}

/** Reads plan dates of all DUs, moves every date that is still open by a day and writes them back with a packed change row per DU. */
export async function shiftAll(sql: Installation["sql"], projectId: number): Promise<void> {
  await sql.begin(async (tx) => {
    const rows = await tx<Row[]>`
      select p.du_id as id, p.row_version as version, p.plan_start::text as "planStart", p.plan_end::text as "planEnd",
        p.actual_end::text as "actualEnd"
      from du_plan p
      where p.project_id = ${projectId} and p.done_count < p.applicable_count order by p.du_id for no key update`;
    const shifted = rows.map(({ id, version, planStart, planEnd, actualEnd }) => {
      const starts = planStart.slice(1, -1).split(",").map(Number);
      const ends = planEnd.slice(1, -1).split(",").map(Number);
      const done = (actualEnd ?? "{}").slice(1, -1).split(",").map(Number);
      const cells: number[] = [];
      const old: number[] = [];
      const now: number[] = [];
      for (let slot = 0; slot < starts.length; slot++) {
        if (starts[slot] === 0 || (done[slot] ?? 0) !== 0) continue;
        cells.push(slot * 16 + 17, slot * 16 + 18);
        old.push(starts[slot]!, ends[slot]!);
        now.push(++starts[slot]!, ++ends[slot]!);
      }
      const text = (values: number[]) => `{${values.join(",")}}`;
      return { id, version, starts: text(starts), ends: text(ends), cells: text(cells), old: text(old), now: text(now) };
    });
    const column = (key: keyof (typeof shifted)[number]) => shifted.map((row) => row[key]).join("|");
    const [batch] = await tx<{ id: number }[]>`
      insert into plan_batch (project_id, seq, at, source, du_count, cell_count)
      select ${projectId}, -1 - count(*), now(), 'system', ${rows.length}, 0 from plan_batch returning id`;
    const rowsOf = (...keys: (keyof (typeof shifted)[number])[]) =>
      keys.reduce((parts, key, index) => tx`${parts}${index > 0 ? tx`, ` : tx``}string_to_array(${column(key)}, '|')`, tx``);
    await tx`
      update du_plan p set plan_start = n.starts::smallint[], plan_end = n.ends::smallint[], row_version = p.row_version + 1
      from unnest(${rowsOf("id", "version", "starts", "ends")}) n(id, version, starts, ends)
      where p.du_id = n.id::bigint and p.row_version = n.version::int`;
    await tx`
      insert into plan_log (du_id, batch_id, project_id, at, cells, old, new)
      select n.id::bigint, ${batch!.id}, ${projectId}, now(), n.cells::smallint[], n.old::int[], n.now::int[]
      from unnest(${rowsOf("id", "cells", "old", "now")}) n(id, cells, old, now)`;
  });
}

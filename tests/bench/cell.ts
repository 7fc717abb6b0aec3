import type { Installation } from "./installation.ts";
import { line, pair } from "./measure.ts";

/** One cell saved over HTTP, with right, rules and change row, against the bare statement that writes the array. */
export async function benchCell({ sql, call, projectId }: Installation): Promise<void> {
  const [activity] = await sql<
    { id: number; slot: number }[]
  >`select id, slot from activity_library where project_id = ${projectId} and slot = 119`;
  const rows = await sql<{ id: number; day: number }[]>`
    select du_id as id, plan_end[119] as day from du_plan where project_id = ${projectId} and plan_end[119] > 0 and coalesce(actual_end[119], 0) = 0 order by du_id limit 400`;
  const text = (number: number) => new Date(Date.UTC(2000, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);
  let at = 0;
  const product = async () => {
    const row = rows[at++ % 200]!;
    const { saved } = await call<{ saved: number }>("rolloutPlan/save", {
      edits: [{ duId: row.id, activityId: activity!.id, field: "planEnd", value: text(row.day + 1), base: text(row.day) }],
    });
    if (saved !== 1) throw new Error("the cell was not saved");
    row.day++;
  };
  let other = 200;
  const bare = async () => {
    const row = rows[200 + (other++ % 200)]!;
    await sql`update du_plan set plan_end[119] = ${row.day + 1}::int, row_version = row_version + 1 where du_id = ${row.id}`;
    row.day++;
  };
  // A server that runs for a minute has the code of a save compiled.
  for (let run = 0; run < 100; run++) {
    await product();
    await bare();
  }
  const times = await pair(100, product, bare);
  line("one cell saved", times.product, times.bare, "ms", "≤ 7");
}

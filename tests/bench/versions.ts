import type { Installation } from "./installation.ts";
import { settled } from "./installation.ts";
import { line, median, once, pair } from "./measure.ts";

const runs = 5;

type Started = { taskId: string } | { released: number };

/** Two versions of all DUs compared, against reading both; and all DUs released with a baseline, against computing, writing and copying them by hand. */
export async function benchVersions(installation: Installation): Promise<void> {
  const { sql, call, projectId } = installation;
  const { queryId } = await call<{ queryId: string }>("wbs/filter", {});
  let number = 0;
  const release = async () => {
    const name = `bench ${++number}`;
    const started = await call<Started>("rollout/release", { queryId, versionName: name, saveBaseline: true });
    if ("taskId" in started) await settled(installation, started.taskId);
  };

  // Both sides change as many cells: before every run each plan date has moved by a day.
  const shift = () => shiftPlan(sql, projectId);
  const times: { product: number[]; bare: number[] } = { product: [], bare: [] };
  for (let run = -1; run < runs; run++) {
    await shift();
    const product = await once(release);
    await shift();
    const bare = await once(() => releaseBare(sql, projectId));
    if (run < 0) continue;
    times.product.push(product);
    times.bare.push(bare);
  }
  const [version] = await sql<{ dus: number }[]>`
    select du_count as dus from plan_version where project_id = ${projectId} and source = 'release' and name = ${`bench ${number}`} limit 1`;
  console.log(`a release holds ${version?.dus ?? 0} DUs`);
  line("release of all DUs with baseline", median(times.product), median(times.bare), "ms", "≤ 3");

  const [left, right] = await sql<{ id: number }[]>`
    select id from plan_version where project_id = ${projectId} and code like 'B-%' order by id desc limit 2`;
  const compare = () => call("dataVersion/compare", { left: right!.id, right: left!.id, page: 1, size: 50, filters: [] });
  const read = () => sql`
    select version_id, du_id, du_code, flow_id, plan_end::text, state::text from plan_version_row where version_id in (${left!.id}, ${right!.id})`;
  const compared = await pair(runs, compare, read);
  line("compare two versions of all DUs", compared.product, compared.bare, "ms", "≤ 2");
}

/** Moves every plan date by a day: what a release finds changed. */
async function shiftPlan(sql: Installation["sql"], projectId: number): Promise<void> {
  await sql`
    update du_plan p set plan_start = (select array_agg(case when d > 0 then d + 1 else d end order by n)::smallint[] from unnest(p.plan_start) with ordinality u(d, n)),
      plan_end = (select array_agg(case when d > 0 then d + 1 else d end order by n)::smallint[] from unnest(p.plan_end) with ordinality u(d, n)),
      release_state = case when release_state = 1 then 2 else release_state end, row_version = row_version + 1
    where project_id = ${projectId}`;
}

type Row = { id: number; version: number; planStart: string; planEnd: string; state: string };

/** Reads the plan of all DUs, makes released and baseline dates of what applies, writes them with a log row each, and copies the rows into two versions. */
async function releaseBare(sql: Installation["sql"], projectId: number): Promise<void> {
  await sql.begin(async (tx) => {
    const rows = await tx<Row[]>`
      select p.du_id as id, p.row_version as version, p.plan_start::text as "planStart", p.plan_end::text as "planEnd", p.state::text as state
      from du_plan p join du_flow f on f.du_id = p.du_id and f.unbound_at is null where p.project_id = ${projectId} order by p.du_id for no key update of p`;
    const numbers = (text: string | null) => (text ?? "{}").slice(1, -1).split(",").map(Number);
    const done = rows.map(({ id, version, planStart, planEnd, state }) => {
      const bits = numbers(state);
      const kept = (days: number[]) => days.map((day, slot) => (((bits[slot] ?? 0) & 7) === 1 ? day : 0));
      const starts = kept(numbers(planStart));
      const ends = kept(numbers(planEnd));
      const orders = bits.map((bit, slot) => ((bit & 7) === 1 && (bit & 0x1c00) === 0 && starts[slot] && ends[slot] ? bit | 0x400 : bit));
      const text = (values: number[]) => `{${values.join(",")}}`;
      return { id, version, starts: text(starts), ends: text(ends), state: text(orders) };
    });
    const column = (key: keyof (typeof done)[number]) => done.map((row) => row[key]).join("|");
    const rowsOf = (...keys: (keyof (typeof done)[number])[]) =>
      keys.reduce((parts, key, index) => tx`${parts}${index > 0 ? tx`, ` : tx``}string_to_array(${column(key)}, '|')`, tx``);
    const versions = await tx<{ id: number }[]>`
      insert into plan_version (project_id, plan_id, kind, name, code, scope, in_force, slot_count, source, created_by, created_at)
      select ${projectId}, p.id, k.kind, gen_random_uuid()::text, left(gen_random_uuid()::text, 30), 'selection', true, 0, 'release',
        (select min(id) from app_user), now()
      from rollout_plan p, (values ('published'), ('baseline')) k(kind) where p.project_id = ${projectId} returning id`;
    const [batch] = await tx<{ id: number }[]>`
      insert into plan_batch (project_id, seq, at, source, du_count, cell_count)
      select ${projectId}, -1 - count(*), now(), 'system', ${rows.length}, 0 from plan_batch returning id`;
    await tx`
      update du_plan p set released_start = n.starts::smallint[], released_end = n.ends::smallint[], baseline_start = n.starts::smallint[],
        baseline_end = n.ends::smallint[], state = n.state::int[], release_state = 1, row_version = p.row_version + 1
      from unnest(${rowsOf("id", "version", "starts", "ends", "state")}) n(id, version, starts, ends, state)
      where p.du_id = n.id::bigint and p.row_version = n.version::int`;
    await tx`
      insert into plan_log (du_id, batch_id, project_id, at, cells, old, new, attrs)
      select n.id::bigint, ${batch!.id}, ${projectId}, now(), '{}', '{}', '{}', jsonb_build_object('released', ${versions[0]!.id}::int)
      from unnest(${rowsOf("id")}) n(id)`;
    for (const { id } of versions)
      await tx`
        insert into plan_version_row (version_id, project_id, du_id, du_code, du_name, flow_id, plan_start, plan_end, actual_start, actual_end,
          baseline_start, baseline_end, state, plan_owner, actual_owner)
        select ${id}, p.project_id, p.du_id, du.code, du.name, f.flow_id, p.plan_start, p.plan_end, p.actual_start, p.actual_end, p.baseline_start,
          p.baseline_end, p.state, p.plan_owner, p.actual_owner
        from du_plan p join du on du.id = p.du_id join du_flow f on f.du_id = p.du_id and f.unbound_at is null where p.project_id = ${projectId}`;
  });
}

import { startBareServer, startKeptServer } from "./bare-server.ts";
import { askJson } from "./http-client.ts";
import type { Installation } from "./installation.ts";
import { line, pair, throughput } from "./measure.ts";

const rows = 100;

/** A tile of 100 rows with all columns, over HTTP and signed in, against its bare statement and a bare server running it. */
export async function benchTile({ sql, call, projectId }: Installation): Promise<void> {
  const { queryId } = await call<{ queryId: string }>("wbs/filter", {});
  const attrs = Array.from({ length: 100 }, (_, index) => `a${index + 1}`);
  const input = (from: number) => ({
    queryId,
    from,
    count: rows,
    parts: { plan: true, fields: ["code", "name", "region", "subcontractor"], attrs },
  });
  const ids = (await sql<{ id: number }[]>`select id from du where project_id = ${projectId} order by code, id`).map(({ id }) => id);
  const read = (wanted: number[]) => sql<{ id: number }[]>`
    select d.id, d.code, d.name, d.region_id, d.subcontractor_id, d.ext::text as ext, p.row_version, p.release_state, p.state::text as state,
      p.plan_start::text as ps, p.plan_end::text as pe, p.actual_start::text as "as", p.actual_end::text as ae, p.baseline_start::text as bs, p.baseline_end::text as be,
      p.plan_owner::text as po, p.actual_owner::text as ao, p.attr_owner::text as oo
    from du d join du_plan p on p.du_id = d.id where d.id = any(${wanted}) order by d.code, d.id`;
  const bare = (from: number) => read(ids.slice(from, from + rows));
  let at = 0;
  const next = () => (at = (at + rows) % 9_900);
  const product = () => call("rolloutPlan/tile", input(next()));
  // A server that has run for a while has its statements planned on every connection; half of the tiles go into that.
  for (let tile = 0; tile < 45; tile++) await Promise.all([product(), bare(next())]);
  const first = await pair(48, product, () => bare(next()));
  line("tile of 100 rows × 60 × 6 + 100, first time", first.product, first.bare, "ms", "≤ 1.8");
  for (let tile = 0; tile < 99; tile++) await product();
  const latency = await pair(60, product, () => bare(next()));
  line("tile of 100 rows, read before", latency.product, latency.bare, "ms", "≤ 1.8");

  const tiles = 20;
  await sql`update du_plan set row_version = row_version + 1 where du_id = any(${ids.slice(0, tiles * rows)})`;
  let changedAt = 0;
  const changedTile = () => call("rolloutPlan/tile", input(rows * (changedAt++ % tiles)));
  const changed = await pair(tiles - 3, changedTile, () => bare(rows * (changedAt % tiles)));
  line("tile of 100 rows, all changed a moment ago", changed.product, changed.bare, "ms", "none");

  const load = await throughput(8, 5, product);
  const server = await startBareServer(() => bare(next()));
  const limit = await throughput(8, 5, () => askJson(server.address));
  server.close();
  line("tile, requests a second at 8 callers", load, limit, "/s", "≥ 0.7");

  const versions = (wanted: number[]) => sql<{ id: number; version: number }[]>`
    select d.id, d.row_version + p.row_version as version from du d join du_plan p on p.du_id = d.id where d.id = any(${wanted}) order by d.code, d.id`;
  const keeping = await startKeptServer(() => {
    const from = next();
    return versions(ids.slice(from, from + rows));
  }, read);
  const answer = () => askJson(keeping.address);
  for (let tile = 0; tile < 99; tile++) await answer();
  const keptLoad = await throughput(8, 5, answer);
  keeping.close();
  line("tile, against a server with rows in memory", load, keptLoad, "/s", "≥ 0.4");
}

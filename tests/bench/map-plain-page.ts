import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Sql } from "#db/client.ts";
import { root } from "../support/server.ts";

/** The page: the library with the same points, clusters and outline, drawn as its own examples do. Runs in the browser. */
const script = `
import { Map as LibraryMap, setWorkerUrl } from "/library.mjs";
setWorkerUrl("/worker.mjs");
const map = new LibraryMap({
  container: "map",
  attributionControl: false,
  fadeDuration: 0,
  center: [105, 33],
  zoom: 3,
  style: {
    version: 8,
    sources: {
      land: { type: "geojson", data: "/land.json", maxzoom: 6, tolerance: 0.5 },
      borders: { type: "geojson", data: "/borders.json", maxzoom: 6, tolerance: 0.5 },
      points: { type: "geojson", data: "/points.json", cluster: true, clusterMaxZoom: 13, clusterRadius: 60, maxzoom: 14 },
    },
    layers: [
      { id: "water", type: "background", paint: { "background-color": "#0b0c0e" } },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": "#101215", "fill-antialias": false } },
      { id: "coast", type: "line", source: "land", paint: { "line-color": "#2a2f36" } },
      { id: "borders", type: "line", source: "borders", paint: { "line-color": "#2a2f36" } },
      { id: "one", type: "circle", source: "points", filter: ["!", ["has", "point_count"]],
        paint: { "circle-radius": 9, "circle-color": ["match", ["get", "s"], 2, "#2aab7c", 4, "#ff6448", 5, "#f0c050", 6, "#a3cbf0", "#8a929e"] } },
      { id: "clusters", type: "circle", source: "points", filter: ["has", "point_count"],
        paint: { "circle-radius": ["step", ["get", "point_count"], 15, 100, 18, 1000, 20], "circle-color": "#1c2025", "circle-stroke-width": 4, "circle-stroke-color": "#3d444e" } },
      { id: "counts", type: "symbol", source: "points", filter: ["has", "point_count"],
        layout: { "text-field": ["number-format", ["get", "point_count"], { locale: "en" }], "text-font": ["sans-serif"], "text-size": 12, "text-allow-overlap": true, "text-ignore-placement": true },
        paint: { "text-color": "#e7e9ec" } },
    ],
  },
});
map.fitBounds(globalThis.bounds, { padding: 48, animate: false });
map.on("idle", () => {
  if (map.isSourceLoaded("points")) document.body.dataset.drawn = "true";
});`;

/** Serves the least a map of the same points can be. */
export async function startPlainMap(sql: Sql, projectId: number): Promise<{ address: string; close: () => void }> {
  const rows = await sql<{ x: number; y: number; s: number }[]>`
    select s.longitude::float8 as x, s.latitude::float8 as y, case when p.done_count = p.applicable_count then 2 else 4 + d.id % 3 end::int as s
    from du d join customer_site s on s.id = d.site_id join du_plan p on p.du_id = d.id where d.project_id = ${projectId}`;
  const points = JSON.stringify({
    type: "FeatureCollection",
    features: rows.map(({ x, y, s }, n) => ({
      type: "Feature",
      properties: { n, s },
      geometry: { type: "Point", coordinates: [x, y] },
    })),
  });
  const [xs, ys] = [rows.map(({ x }) => x), rows.map(({ y }) => y)];
  const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b));
  const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b));
  const bounds = JSON.stringify([least(xs), least(ys), most(xs), most(ys)]);
  const file = (path: string) => readFileSync(join(root, path));
  const files: Record<string, [type: string, body: string | Buffer]> = {
    "/": [
      "text/html",
      `<!doctype html><title>plain</title><style>html,body,#map{margin:0;height:100%}.maplibregl-canvas{position:absolute;left:0;top:0}</style>
<div id="map"></div><script>globalThis.bounds=${bounds}</script><script type="module">${script}</script>`,
    ],
    "/library.mjs": ["text/javascript", file("node_modules/maplibre-gl/dist/maplibre-gl.mjs")],
    "/worker.mjs": ["text/javascript", file("public/maplibre/worker.mjs")],
    "/land.json": ["application/json", file("public/maplibre/land.json")],
    "/borders.json": ["application/json", file("public/maplibre/borders.json")],
    "/points.json": ["application/json", points],
  };
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? "/"] ?? ["text/plain", ""];
    response.writeHead(200, { "content-type": type });
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  return { address: `http://localhost:${(server.address() as AddressInfo).port}/`, close: () => void server.close() };
}

// The files the map loads by address: its worker, and the outlines it draws without a server of tiles.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./runtime.mjs";

const folder = join(root, "public", "maplibre");
const packages = join(root, "node_modules");
const sources = "map-sources.mjs";
const worker = `import "./worker.mjs";
import { addSources } from "./${sources}";

addSources(self);
`;

// A hundred metres: more than a scale of 1:50,000,000 tells.
const decimals = 3;

// Raised when the way of making the files changes.
const making = 2;

/**
 * A line whose longitudes run on past 180 instead of jumping to the other edge: the map wraps what lies beyond an edge,
 * but draws a jump as a band across the world.
 */
function runOn(line) {
  let turns = 0;
  return line.map(([longitude, latitude], place) => {
    const step = place === 0 ? 0 : longitude - line[place - 1][0];
    if (Math.abs(step) > 180) turns -= Math.sign(step) * 360;
    return [longitude + turns, latitude];
  });
}

/** A ring that runs on; one that goes round the south pole ends a turn further and is closed along the lower edge. */
function closedRing(ring) {
  const line = runOn(ring);
  const first = line[0];
  const last = line.at(-1);
  return first[0] === last[0] ? line : [...line, [last[0], -90], [first[0], -90], first];
}

const redrawn = {
  Polygon: (rings) => rings.map(closedRing),
  MultiPolygon: (polygons) => polygons.map((rings) => rings.map(closedRing)),
  MultiLineString: (lines) => lines.map(runOn),
};

/** A GeoJSON shape none of whose lines jumps from one edge of the world to the other. */
export function withoutJumps(shape) {
  if (shape.type === "FeatureCollection") return { ...shape, features: shape.features.map(withoutJumps) };
  if (shape.type === "Feature") return { ...shape, geometry: withoutJumps(shape.geometry) };
  return { ...shape, coordinates: redrawn[shape.type](shape.coordinates) };
}

/** Writes a file of the folder only where it is another: an installation that runs may be serving it. */
function writeChanged(name, text) {
  const file = join(folder, name);
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

/** Makes `public/maplibre`: what is of the installed packages only where it is not of their versions already. */
export async function makeMapFiles() {
  mkdirSync(folder, { recursive: true });
  writeChanged(sources, readFileSync(join(root, "components", "ui", sources), "utf8"));
  writeChanged("map-worker.mjs", worker);
  const versions = ["maplibre-gl", "world-atlas"].map(
    (name) => JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")).version,
  );
  const stamp = join(folder, "versions.txt");
  const wanted = `${[...versions, making].join(" ")}\n`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  // Not at the top: the packages may not be installed yet when this file is read.
  const { feature, mesh } = await import("topojson-client");
  const world = JSON.parse(readFileSync(join(packages, "world-atlas", "countries-50m.json"), "utf8"));
  copyFileSync(join(packages, "maplibre-gl", "dist", "maplibre-gl-worker.mjs"), join(folder, "worker.mjs"));
  const write = (name, shape) =>
    writeFileSync(
      join(folder, name),
      JSON.stringify(withoutJumps(shape), (_, value) => (typeof value === "number" ? Number(value.toFixed(decimals)) : value)),
    );
  write("land.json", feature(world, world.objects.land));
  write(
    "borders.json",
    mesh(world, world.objects.countries, (one, other) => one !== other),
  );
  writeFileSync(stamp, wanted);
}

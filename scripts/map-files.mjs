// The files the map loads by address: the library's worker, and the outlines it draws without a server of tiles.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./runtime.mjs";

const folder = join(root, "public", "maplibre");
const packages = join(root, "node_modules");

// A hundred metres: more than a scale of 1:50,000,000 tells.
const decimals = 3;

/** Makes `public/maplibre` from the installed packages, unless it is of their versions already. */
export async function makeMapFiles() {
  const versions = ["maplibre-gl", "world-atlas"].map(
    (name) => JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")).version,
  );
  const stamp = join(folder, "versions.txt");
  const wanted = `${versions.join(" ")}\n`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  // Not at the top: the packages may not be installed yet when this file is read.
  const { feature, mesh } = await import("topojson-client");
  const world = JSON.parse(readFileSync(join(packages, "world-atlas", "countries-50m.json"), "utf8"));
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(packages, "maplibre-gl", "dist", "maplibre-gl-worker.mjs"), join(folder, "worker.mjs"));
  const write = (name, shape) =>
    writeFileSync(
      join(folder, name),
      JSON.stringify(shape, (_, value) => (typeof value === "number" ? Number(value.toFixed(decimals)) : value)),
    );
  write("land.json", feature(world, world.objects.land));
  write(
    "borders.json",
    mesh(world, world.objects.countries, (one, other) => one !== other),
  );
  writeFileSync(stamp, wanted);
}

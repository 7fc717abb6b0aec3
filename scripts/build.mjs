// Builds the web application when its sources have changed. Plain Node, no dependency.
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeMapFiles } from "./map-files.mjs";
import { packFiles } from "./packed-files.mjs";
import { exclusively, root, runToEnd } from "./runtime.mjs";

const FOLDERS = ["app", "components", "lib", "db", "messages", "public"];
const FILES = [
  "package-lock.json",
  "next.config.mjs",
  "postcss.config.mjs",
  "proxy.ts",
  "auth.ts",
  "instrumentation.ts",
  "tsconfig.json",
  "scripts/not-built.json",
  "scripts/packed-files.mjs",
];
const SIDE = ".next-build";
const OLD = ".next-old";
const TARGET = ".next";
const STAMP = "milepost-stamp";

/**
 * Builds into a side folder and renames it, unless the present build has the same sources. Returns what it did.
 * `TYPES_CHECKED=1` in `env` leaves the types to somebody who has checked them already.
 */
export async function build(env, signal) {
  await makeMapFiles();
  const wanted = sourceStamp();
  if (presentStamp() === wanted) return "up to date";
  return exclusively("build", async (record) => {
    if (presentStamp() === wanted) return "up to date";
    for (const name of [SIDE, OLD]) rmSync(join(root, name), { recursive: true, force: true });
    const cache = join(root, TARGET, "cache");
    if (existsSync(cache)) cpSync(cache, join(root, SIDE, "cache"), { recursive: true });
    await runToEnd(process.execPath, [join(root, "node_modules/next/dist/bin/next"), "build"], {
      env: { ...env, NODE_ENV: "production", NEXT_DIST_DIR: SIDE, NEXT_TELEMETRY_DISABLED: "1" },
      record,
      signal,
    });
    await packFiles(join(root, SIDE, "static"), join(root, TARGET, "static"), signal);
    writeFileSync(join(root, SIDE, STAMP), wanted);
    if (existsSync(join(root, TARGET))) renameSync(join(root, TARGET), join(root, OLD));
    renameSync(join(root, SIDE), join(root, TARGET));
    rmSync(join(root, OLD), { recursive: true, force: true });
    // The build wrote where its types are; they have moved with it.
    const types = join(root, "next-env.d.ts");
    if (existsSync(types)) writeFileSync(types, readFileSync(types, "utf8").replaceAll(`./${SIDE}/`, `./${TARGET}/`));
    return "built";
  });
}

function presentStamp() {
  try {
    return readFileSync(join(root, TARGET, STAMP), "utf8");
  } catch {
    return null;
  }
}

/** Hash of everything that goes into the build. */
export function sourceStamp() {
  const hash = createHash("sha256").update(process.version);
  for (const name of FILES) if (existsSync(join(root, name))) hash.update(name).update(readFileSync(join(root, name)));
  for (const folder of FOLDERS) {
    if (!existsSync(join(root, folder))) continue;
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
    for (const path of paths) hash.update(path.slice(root.length)).update(readFileSync(path));
  }
  return hash.digest("hex");
}

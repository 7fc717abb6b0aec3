// `npm run get-exact`: fetches the solver of the planning engine's exact step into DATA_DIR/exact. Plain Node, no dependency.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { Refusal } from "./refusal.mjs";
import { dataDirectory, guardVersion, report, runToEnd } from "./runtime.mjs";

/** The one version that is used. Its archive has to have this hash, as the registry published it. */
const PACKAGE = "or-tools-wasm@0.9.1";
const INTEGRITY = "sha512-z/B/teVbIOxIhMqolG21Hd/EljKEGJnZ5lg/5IZTLS8u8CWNT15/bkt4VHfT32jJfbnphMxXSKl5eX6vl/zyTg==";

/** What is kept of it: the solver (Apache-2.0). Other solvers in the archive are under other licences. */
const KEPT = {
  "package/build/javascript/node-wasm/cp_sat_runtime_node.js": "cp_sat_runtime_node.js",
  "package/build/javascript/node-wasm/cp_sat_runtime_node.wasm": "cp_sat_runtime_node.wasm",
  "package/LICENSE": "LICENSE",
};

/** The kept files of an archive by their new name. @throws Refusal when the archive is not the one expected, or lacks one of them */
export function keptFiles(archive, integrity = INTEGRITY, kept = KEPT) {
  const found = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  if (found !== integrity) throw new Refusal(`What the registry gave for ${PACKAGE} is not what was published: ${found}.`);
  const bytes = gunzipSync(archive);
  const files = new Map();
  for (let at = 0; at + 512 <= bytes.length; ) {
    const field = (start, length) => bytes.toString("latin1", at + start, at + start + length).replace(/\0.*$/s, "");
    const name = field(345, 155) ? `${field(345, 155)}/${field(0, 100)}` : field(0, 100);
    if (!name) break;
    const size = Number.parseInt(field(124, 12).trim() || "0", 8);
    if (Object.hasOwn(kept, name)) files.set(kept[name], bytes.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  const missing = Object.values(kept).filter((name) => !files.has(name));
  if (missing.length > 0) throw new Refusal(`${PACKAGE} has no ${missing.join(", ")}.`);
  return files;
}

/** Fetches, checks and puts the files into `<dataDir>/exact`, in the place of what was there. @returns the folder */
export async function getExact(dataDir) {
  const fetched = mkdtempSync(join(tmpdir(), "milepost-exact-"));
  const folder = join(dataDir, "exact");
  const side = `${folder}.part`;
  try {
    const name = (await runToEnd("npm", ["pack", PACKAGE, "--silent", "--pack-destination", fetched])).trim().split("\n").at(-1);
    const files = keptFiles(readFileSync(join(fetched, name)));
    rmSync(side, { recursive: true, force: true });
    mkdirSync(side, { recursive: true });
    // Whoever may read the folder loads it as what it is, whatever lies above.
    writeFileSync(join(side, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
    for (const [file, bytes] of files) writeFileSync(join(side, file), bytes);
    rmSync(folder, { recursive: true, force: true });
    renameSync(side, folder);
    return folder;
  } finally {
    rmSync(fetched, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  guardVersion();
  try {
    console.log(`${PACKAGE} is in ${await getExact(dataDirectory())}: the exact step is offered from the next start on.`);
  } catch (error) {
    report(error);
    process.exitCode = 1;
  }
}

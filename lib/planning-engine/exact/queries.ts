import "server-only";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Folder with the solver of the exact step; null where `npm run get-exact` has not put it, or this Node cannot run it. */
export function exactFolder(dataDir: string): string | null {
  const folder = join(dataDir, "exact");
  const there = ["cp_sat_runtime_node.js", "cp_sat_runtime_node.wasm"].every((name) => existsSync(join(folder, name)));
  return there && "promising" in WebAssembly ? folder : null;
}

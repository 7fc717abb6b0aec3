// `npm run check`: types, lint, structure. Plain Node, no dependency.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownNode, root, runInPlace } from "./runtime.mjs";

/** Runs every check, also after one has failed, and gives the exit code. */
export async function check(signal) {
  const node = (program, ...args) =>
    runInPlace(ownNode(), [join(root, "node_modules", program), ...args], {
      env: { ...process.env, TZ: "UTC", NEXT_TELEMETRY_DISABLED: "1" },
      signal,
    });
  let worst = 0;
  const stages = [
    // Next.js writes the types of its routes; the compiler needs them.
    ["next/dist/bin/next", "typegen"],
    ["typescript/bin/tsc", "--noEmit", "-p", "."],
    ["@biomejs/biome/bin/biome", "check", "."],
    ["vitest/vitest.mjs", "run", "tests/checks"],
  ];
  for (const stage of stages) if (!signal.aborted) worst = Math.max(worst, await node(...stage));
  const notBuilt = JSON.parse(readFileSync(join(root, "scripts/not-built.json"), "utf8"));
  console.log(`${notBuilt.length} screens are not built yet (scripts/not-built.json)`);
  return worst;
}

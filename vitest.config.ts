import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { longestFirst } from "./tests/support/longest-first.ts";

/** Pure functions: they keep nothing between two suites, so that one process may load them once for many. */
const pure = ["tests/lib/**/{logic,rules,schema}.test.ts"];

export default defineConfig({
  resolve: {
    alias: [
      { find: "server-only", replacement: fileURLToPath(new URL("./tests/support/server-only.ts", import.meta.url)) },
      { find: /^#(.*)$/, replacement: `${fileURLToPath(new URL("./", import.meta.url))}$1` },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "units",
          include: ["tests/{db,lib,jobs,checks,scripts}/**/*.test.{ts,tsx}"],
          exclude: [...configDefaults.exclude, ...pure],
          globalSetup: ["tests/support/global-setup.ts"],
        },
      },
      { extends: true, test: { name: "logic", include: pure, isolate: false } },
    ],
    pool: "forks",
    // Node parses its package.json, 179 kB of it, anew for each of its hundred files: 0.4 s of every suite that asks a database.
    server: { deps: { inline: ["drizzle-orm"] } },
    // Many files wait for a worker that was killed to be missed: a third lane on two cores works meanwhile.
    maxWorkers: 3,
    sequence: {
      sequencer: longestFirst([
        "own-rows-owners.test.ts",
        "own-rows-companies.test.ts",
        "checks/calls.test.ts",
        "own-rows-accounts.test.ts",
        "jobs/worker.test.ts",
      ]),
    },
    env: { MILEPOST_TEST: "1", TZ: "UTC" },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

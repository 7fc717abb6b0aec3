import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      { find: "server-only", replacement: fileURLToPath(new URL("./tests/support/server-only.ts", import.meta.url)) },
      { find: /^#(.*)$/, replacement: `${fileURLToPath(new URL("./", import.meta.url))}$1` },
    ],
  },
  test: {
    include: ["tests/{db,lib,jobs,checks,scripts}/**/*.test.{ts,tsx}"],
    globalSetup: ["tests/support/global-setup.ts"],
    pool: "forks",
    // Many files wait for a worker that was killed to be missed: a third lane on two cores works meanwhile.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

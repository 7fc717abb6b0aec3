import { defineConfig } from "vitest/config";
import { longestFirst } from "./tests/support/longest-first.ts";
import base from "./vitest.config.ts";

export default defineConfig({
  resolve: base.resolve,
  test: {
    include: ["tests/e2e/**/*.spec.ts"],
    globalSetup: ["tests/support/e2e-setup.ts"],
    pool: "forks",
    // Journeys mostly wait: two lanes side by side, each with a pair of web and worker of its own.
    maxWorkers: 2,
    sequence: { sequencer: longestFirst(["access.spec.ts", "screens.spec.ts"]) },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // What a person waits for without complaint on a busy machine; a state that never comes still fails.
    expect: { poll: { timeout: 20_000 } },
  },
});

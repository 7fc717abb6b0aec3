import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

export default defineConfig({
  resolve: base.resolve,
  test: {
    include: ["tests/e2e/**/*.spec.ts"],
    globalSetup: ["tests/support/e2e-setup.ts"],
    pool: "forks",
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // What a person waits for without complaint on a busy machine; a state that never comes still fails.
    expect: { poll: { timeout: 20_000 } },
  },
});

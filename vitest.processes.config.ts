import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

export default defineConfig({
  resolve: base.resolve,
  test: {
    include: ["tests/processes/**/*.spec.ts"],
    pool: "forks",
    // One after another, with processes of their own that they kill and mostly wait for: they run beside the journeys.
    maxWorkers: 1,
    env: { MILEPOST_TEST: "1", TZ: "UTC" },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "./vitest.config.ts";

// Their length is not seen by the size of their files: begun last, they would keep one lane busy alone.
const longest = ["access.spec.ts", "kill.spec.ts", "screens.spec.ts"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(`/${name}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: base.resolve,
  test: {
    include: ["tests/e2e/**/*.spec.ts"],
    globalSetup: ["tests/support/e2e-setup.ts"],
    pool: "forks",
    // Journeys mostly wait: two lanes side by side, each with a pair of web and worker of its own.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // What a person waits for without complaint on a busy machine; a state that never comes still fails.
    expect: { poll: { timeout: 20_000 } },
  },
});

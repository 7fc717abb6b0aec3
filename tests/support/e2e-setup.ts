import type { TestProject } from "vitest/node";
import { secrets } from "../../scripts/secrets.mjs";
import type { Lane } from "./lane.ts";
import { startPair } from "./pair.ts";

/** One pair of web and worker with the demo project for each lane of browser suites. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env.MILEPOST_TEST = "1";
  process.env.TZ = "UTC";
  const names = Array.from({ length: project.config.maxWorkers }, (_, at) => `e2e-${at + 1}`);
  const pairs = await Promise.all(names.map((name) => startPair({ name, demo: true })));
  project.provide(
    "lanes",
    pairs.map(
      ({ baseUrl, ownerUrl, dataDir }, at): Lane => ({ name: names[at]!, baseUrl, ownerUrl, authSecret: secrets(dataDir).AUTH_SECRET }),
    ),
  );
  return async () => {
    await Promise.all(pairs.map((pair) => pair.stop()));
  };
}

import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { secrets } from "../../scripts/secrets.mjs";
import type { Lane } from "./lane.ts";
import { startPair, type TestPair } from "./pair.ts";
import { testData } from "./server.ts";

/** One pair of web and worker with the demo project for each lane of browser suites. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env.MILEPOST_TEST = "1";
  process.env.TZ = "UTC";
  const pairs: TestPair[] = [];
  const lanes: Lane[] = [];
  for (let number = 1; number <= project.config.maxWorkers; number++) {
    const name = `e2e-${number}`;
    const pair = await startPair({ name, demo: true });
    pairs.push(pair);
    lanes.push({ name, baseUrl: pair.baseUrl, ownerUrl: pair.ownerUrl, authSecret: secrets(join(testData, name)).AUTH_SECRET });
  }
  project.provide("lanes", lanes);
  return async () => {
    await Promise.all(pairs.map((pair) => pair.stop()));
  };
}

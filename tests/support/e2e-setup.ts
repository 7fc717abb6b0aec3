import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { secrets } from "../../scripts/secrets.mjs";
import { startPair } from "./pair.ts";
import { testData } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the web process all browser suites share. */
    baseUrl: string;
    /** Owner login of its database: suites make their own projects there. */
    pairOwnerUrl: string;
    /** What its session cookies are sealed with. */
    authSecret: string;
  }
}

/** One pair of web and worker, with the demo project, for all browser suites. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env.MILEPOST_TEST = "1";
  process.env.TZ = "UTC";
  const pair = await startPair({ name: "e2e", demo: true });
  project.provide("baseUrl", pair.baseUrl);
  project.provide("pairOwnerUrl", pair.ownerUrl);
  project.provide("authSecret", secrets(join(testData, "e2e")).AUTH_SECRET);
  return pair.stop;
}

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate, migrationHash } from "#db/migrate.ts";
import { inDatabase, openTestServer, testData } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Owner login of the test server, database `postgres`. */
    serverUrl: string;
    /** Application login of the test server, without a database. */
    appLogin: string;
    /** Name of the migrated database to clone. */
    template: string;
  }
}

/** Gives every suite a server and a migrated template; both end with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env.MILEPOST_TEST = "1";
  process.env.TZ = "UTC";
  process.env.AUTH_SECRET ??= randomBytes(32).toString("base64url");
  // Threads and processes that suites start find their code compiled from the second one on.
  process.env.NODE_COMPILE_CACHE ??= join(testData, "compiled");
  const server = await openTestServer();
  const template = `milepost_template_${migrationHash().slice(0, 8)}_${process.pid}`;
  await server.sql.unsafe(`drop database if exists ${template} with (force)`);
  await server.sql.unsafe(`create database ${template}`);
  await migrate(inDatabase(server.url, template), inDatabase(server.appLogin, template));
  project.provide("serverUrl", server.url);
  project.provide("appLogin", server.appLogin);
  project.provide("template", template);
  return server.close;
}

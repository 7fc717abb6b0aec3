import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { connect, type Pool, putSql } from "#db/client.ts";

/** The moment tests live in: Wednesday 2026-10-14, 10:00 in a project on Beijing time. */
export const clock = new Date("2026-10-14T02:00:00.000Z");

/** The suite's own database: `app` with the rights of web and worker, `owner` for looking behind them. */
export type TestDatabase = { app: Pool; owner: Pool; url: string; ownerUrl: string; name: string };

function inDatabase(url: string, name: string): string {
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}

/** Clones the migrated template for the suite, points the process's pool at it, and drops it at the end. The members are there from the first `beforeAll` on. */
export function useDatabase(): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => {
    const template = inject("template");
    const run = template.split("_").at(-1);
    database.name = `milepost_test_${run}_${randomBytes(5).toString("hex")}`;
    const admin = postgres(inject("serverUrl"), { max: 1, onnotice: () => {} });
    await admin.unsafe(`create database ${database.name} template ${template} strategy file_copy`);
    await admin.end();
    database.url = inDatabase(inject("appLogin"), database.name);
    database.ownerUrl = inDatabase(inject("serverUrl"), database.name);
    process.env.DATABASE_URL = database.url;
    process.env.DATABASE_OWNER_URL = database.ownerUrl;
    database.app = connect(database.url, 8);
    database.owner = connect(database.ownerUrl, 2);
    putSql(database.app);
  });
  afterAll(async () => {
    putSql(undefined);
    await Promise.all([database.app?.end({ timeout: 2 }), database.owner?.end({ timeout: 2 })]);
    const admin = postgres(inject("serverUrl"), { max: 1, onnotice: () => {} });
    await admin.unsafe(`drop database if exists ${database.name} with (force)`);
    await admin.end();
  });
  return database;
}

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import postgres from "postgres";
import { queueDdl } from "#lib/core/queue-ddl.ts";

const folder = new URL("./migrations/", import.meta.url);
// One number for all processes that migrate the same database.
const lockKey = 4_815_162_342;
const appendOnly = ["audit_log", "plan_batch", "plan_log", "plan_change", "plan_change_item", "work_order_event"];

/** Migration files in the order they are applied. */
export function migrationFiles(): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort();
}

/** Hash of all migration texts: two equal hashes mean the same schema. */
export function migrationHash(): string {
  const hash = createHash("sha256");
  for (const name of migrationFiles()) hash.update(name).update(readFileSync(new URL(name, folder)));
  return hash.digest("hex").slice(0, 16);
}

/**
 * Brings the database up to the newest migration, each file in its own transaction, under a lock that lets several processes start at once.
 * @param ownerUrl login that owns the tables
 * @param appUrl login of web and worker; where it differs from the owner it gets rights on the rows but none to change or remove a log row
 * @param only the files to apply; all of them unless given
 * @returns names of the files applied now
 */
export async function migrate(ownerUrl: string, appUrl: string, only?: readonly string[]): Promise<string[]> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {}, connection: { TimeZone: "UTC" } });
  const applied: string[] = [];
  try {
    await sql`select pg_advisory_lock(${lockKey})`;
    await sql`create table if not exists schema_migration (name varchar(200) primary key, applied_at timestamptz not null default now())`;
    const known = new Set((await sql<{ name: string }[]>`select name from schema_migration`).map((row) => row.name));
    for (const name of migrationFiles()) {
      if (known.has(name) || (only && !only.includes(name))) continue;
      await sql.begin(async (tx) => {
        await tx.unsafe(readFileSync(new URL(name, folder), "utf8")).simple();
        await tx`insert into schema_migration (name) values (${name})`;
      });
      applied.push(name);
    }
    const [queue] = await sql`select 1 from pg_namespace where nspname = 'pgboss'`;
    if (!queue) {
      for (const text of queueDdl()) await sql.unsafe(text).simple();
      applied.push("pgboss");
    }
    await grant(sql, new URL(ownerUrl).username, new URL(appUrl).username);
    await sql`select pg_advisory_unlock(${lockKey})`;
  } finally {
    await sql.end({ timeout: 5 });
  }
  return applied;
}

async function grant(sql: postgres.Sql, owner: string, app: string): Promise<void> {
  if (decodeURIComponent(owner) === decodeURIComponent(app)) return;
  const login = sql(decodeURIComponent(app));
  for (const schema of ["public", "pgboss"]) {
    await sql`grant usage on schema ${sql(schema)} to ${login}`;
    await sql`grant select, insert, update, delete on all tables in schema ${sql(schema)} to ${login}`;
    await sql`grant usage, select on all sequences in schema ${sql(schema)} to ${login}`;
    await sql`grant execute on all functions in schema ${sql(schema)} to ${login}`;
  }
  for (const table of appendOnly) await sql`revoke update, delete, truncate on ${sql(table)} from ${login}`;
  await sql`revoke insert, update, delete on schema_migration from ${login}`;
}

// `npm run migrate`: brings the database up to date. With --json it answers for other scripts.
import { connect } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { env } from "#lib/core/env.ts";

const LEAST_POSTGRES = 15;

const { DATABASE_URL, DATABASE_OWNER_URL } = env();
const sql = connect(DATABASE_OWNER_URL, 1);
try {
  const [server] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int / 10000 as version`;
  if (server!.version < LEAST_POSTGRES)
    throw new Error(`PostgreSQL ${LEAST_POSTGRES} or newer is needed; this server is ${server!.version}.`);
  const applied = await migrate(DATABASE_OWNER_URL, DATABASE_URL);
  const [projects] = await sql<{ empty: boolean }[]>`select not exists (select from project) as empty`;
  if (process.argv.includes("--json")) console.log(JSON.stringify({ applied, empty: projects!.empty }));
  else console.log(applied.length > 0 ? `Applied:\n${applied.map((name) => `  ${name}`).join("\n")}` : "The database is up to date.");
} catch (error) {
  const { host, pathname } = new URL(DATABASE_OWNER_URL);
  console.error(`The database ${host}${pathname} cannot be prepared: ${(error as Error).message || String(error)}`);
  process.exitCode = 1;
} finally {
  await sql.end({ timeout: 5 });
}

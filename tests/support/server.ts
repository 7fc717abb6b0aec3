import { join, resolve } from "node:path";
import postgres from "postgres";
import { startPostgres } from "../../scripts/postgres.mjs";

/** The checkout. */
export const root = resolve(import.meta.dirname, "../..");

/** Where tests keep clusters, files and results; never part of the repository. */
export const testData = join(root, ".data-test");

/** Settings of a server whose data nobody needs after a crash of the machine. */
export const quickSettings = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "200" };

const appLogin = "milepost_app";
const appPassword = "test";

/** A database server for tests. */
export type TestServer = {
  /** Owner login, database `postgres`. */
  url: string;
  /** Application login, without a database. */
  appLogin: string;
  sql: postgres.Sql;
  /** Drops the databases of this run and ends the server when nobody else uses it. */
  close(): Promise<void>;
};

/** How often this process has the server open: it is one user of it. */
let opened = 0;

/** Opens the server of `TEST_DATABASE_URL`, else the embedded one of the tests; makes the application login; clears what dead runs left. */
export async function openTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  const cluster = given
    ? null
    : await startPostgres({ dataDir: testData, passwords: { owner: "test", app: appPassword }, settings: quickSettings });
  const url = given ?? inDatabase(cluster!.ownerUrl, "postgres");
  opened++;
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await makeAppLogin(sql);
  await dropDatabases(sql, (pid) => !isAlive(pid));
  const login = new URL(url);
  login.username = appLogin;
  login.password = appPassword;
  login.pathname = "";
  return {
    url,
    appLogin: login.href,
    sql,
    close: async () => {
      const isLast = --opened === 0;
      if (isLast) await dropDatabases(sql, (pid) => pid === process.pid);
      await sql.end();
      if (isLast) await cluster?.release();
    },
  };
}

/** The same login in another database. */
export function inDatabase(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function makeAppLogin(sql: postgres.Sql): Promise<void> {
  // Roles belong to the server, not to a database: runs that start together must not both make it.
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('milepost test login'))`;
    const [role] = await tx`select 1 from pg_roles where rolname = ${appLogin}`;
    await tx.unsafe(`${role ? "alter" : "create"} role ${appLogin} login password '${appPassword}'`);
  });
}

/** Databases are named by the process that made them, so that those of processes that have gone can be removed. */
async function dropDatabases(sql: postgres.Sql, ofRun: (pid: number) => boolean): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select datname as name from pg_database where datname like 'milepost\\_template\\_%' or datname like 'milepost\\_test\\_%'`;
  for (const { name } of rows) {
    const pid = Number(/^milepost_(?:template_[0-9a-f]+|test)_(\d+)/.exec(name)?.[1]);
    if (pid && ofRun(pid)) await sql.unsafe(`drop database if exists "${name}" with (force)`);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { migrate } from "#db/migrate.ts";
import { type EmbeddedPostgres, keepPostgres, startPostgres } from "../../scripts/postgres.mjs";
import { freePort } from "../../scripts/processes.mjs";
import { secrets } from "../../scripts/secrets.mjs";
import { clearLeftOvers, serve } from "../../scripts/serve.mjs";
import { inDatabase, openTestServer, quickSettings, root, testData } from "./server.ts";

/** A running web and worker on a database of their own. */
export type TestPair = {
  /** Folder of files, logs and secrets. */
  dataDir: string;
  /** `http://localhost:<port>`; sign-in needs this name, not the number. */
  baseUrl: string;
  /** Application login of the pair's database. */
  databaseUrl: string;
  /** Owner login of the pair's database. */
  ownerUrl: string;
  /** Process id at this moment; a killed one is started again. "database" is there with `ownCluster` only. */
  pid(name: "web" | "worker" | "database"): number;
  /** Waits until web, database, migrations and worker are ready (again). */
  ready(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the production build and a worker, as `npm start` does, with data of their own.
 * @param options.name names the folder below `.data-test`; two pairs at once need two names
 * @param options.ownCluster a database server of its own, for tests that kill it
 * @param options.demo makes the demo project
 * @param options.beside another pair whose database, secrets and files this one shares, as a second machine does; it must end first
 * @param options.env settings beside those of every pair
 */
export async function startPair(options: {
  name: string;
  ownCluster?: boolean;
  demo?: boolean;
  beside?: TestPair;
  env?: Record<string, string>;
}): Promise<TestPair> {
  const dataDir = join(testData, options.name);
  mkdirSync(dataDir, { recursive: true });
  await clearLeftOvers(dataDir);
  const { beside } = options;
  const database = beside ? databaseOf(beside) : options.ownCluster ? await ownDatabase(dataDir) : await sharedDatabase(options.name);
  const port = await freePort();
  const environment = () => ({
    ...process.env,
    // What two machines of one installation share: secrets, files, database.
    ...secrets(beside?.dataDir ?? dataDir),
    ...(beside && { STORAGE_URL: pathToFileURL(join(beside.dataDir, "files")).href }),
    MILEPOST_TEST: "1",
    TZ: "UTC",
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url(),
    DATABASE_OWNER_URL: database.ownerUrl(),
    ...options.env,
  });
  if (!beside) await migrate(database.ownerUrl(), database.url());
  if (options.demo) {
    const seed = ["--conditions=react-server", join(root, "db/seed/run.ts"), "demo"];
    await promisify(execFile)(process.execPath, seed, { cwd: root, env: { ...environment(), DEMO: "1" } });
  }
  const pair = serve({ dataDir, port, env: environment(), say: () => {} });
  const keep = database.keep(() => pair.restart(environment()));
  const stop = async () => {
    await keep();
    await pair.stop();
    await database.close();
  };
  const ready = async () => {
    if (await pair.ready()) return;
    const missing = await pair.missing();
    await stop();
    throw new Error(`Web and worker do not become ready: ${missing.join(", ")}. See ${join(dataDir, "logs")}.`);
  };
  await ready();
  return {
    baseUrl: pair.address,
    dataDir,
    get databaseUrl() {
      return database.url();
    },
    get ownerUrl() {
      return database.ownerUrl();
    },
    pid: (name) => {
      const pid = name === "database" ? database.pid() : pair.pid(name);
      if (!pid) throw new Error(`${name} does not run as a process of this pair.`);
      return pid;
    },
    ready,
    stop,
  };
}

type PairDatabase = {
  url(): string;
  ownerUrl(): string;
  pid(): number | undefined;
  keep(moved: () => void): () => Promise<void>;
  close(): Promise<unknown>;
};

function databaseOf(pair: TestPair): PairDatabase {
  return {
    url: () => pair.databaseUrl,
    ownerUrl: () => pair.ownerUrl,
    pid: () => pair.pid("database"),
    keep: () => async () => {},
    close: async () => {},
  };
}

async function sharedDatabase(name: string): Promise<PairDatabase> {
  const server = await openTestServer();
  const database = `milepost_test_${process.pid}_${name.replaceAll("-", "_")}`;
  await server.sql.unsafe(`drop database if exists ${database} with (force)`);
  await server.sql.unsafe(`create database ${database}`);
  return {
    url: () => inDatabase(server.appLogin, database),
    ownerUrl: () => inDatabase(server.url, database),
    pid: () => undefined,
    keep: () => async () => {},
    close: async () => {
      await server.sql.unsafe(`drop database if exists ${database} with (force)`);
      await server.close();
    },
  };
}

async function ownDatabase(dataDir: string): Promise<PairDatabase> {
  // What was acknowledged must survive a kill of the server: only the disk may lag behind.
  const settings = { ...quickSettings, synchronous_commit: "on", max_connections: "100" };
  let cluster: EmbeddedPostgres = await startPostgres({ dataDir, settings });
  const name = `milepost_pair_${process.pid}`;
  const { default: postgres } = await import("postgres");
  const sql = postgres(inDatabase(cluster.ownerUrl, "postgres"), { max: 1, onnotice: () => {} });
  // The cluster is kept between runs, its databases are not.
  for (const { datname } of await sql`select datname from pg_database where datname like 'milepost\\_pair\\_%'`) {
    await sql.unsafe(`drop database if exists ${datname} with (force)`);
  }
  await sql.unsafe(`create database ${name}`);
  await sql.end();
  return {
    url: () => inDatabase(cluster.appUrl, name),
    ownerUrl: () => inDatabase(cluster.ownerUrl, name),
    pid: () => cluster.pid,
    keep: (moved) =>
      keepPostgres(
        () => cluster,
        { dataDir, settings },
        (now) => {
          const elsewhere = now.port !== cluster.port;
          cluster = now;
          if (elsewhere) moved();
        },
      ),
    close: () => cluster.release(),
  };
}

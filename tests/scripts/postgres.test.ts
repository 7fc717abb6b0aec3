import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedPostgres, endUnusedPostgres, findPostgres, keepPostgres, startPostgres } from "../../scripts/postgres.mjs";
import { isAlive, processesIn, waitFor } from "../../scripts/processes.mjs";

const script = pathToFileURL(resolve(import.meta.dirname, "../../scripts/postgres.mjs")).href;
const settings = { fsync: "off", max_connections: "20", shared_buffers: "32MB" };
const isRoot = process.getuid?.() === 0;

let folder: string;
let open: EmbeddedPostgres[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "milepost-pg-"));
  chmodSync(folder, 0o755);
});

afterEach(async () => {
  for (const cluster of open) await cluster.release();
  open = [];
});

afterAll(() => {
  expect(processesIn(join(folder, "one/pg"))).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

async function start(name = "one"): Promise<EmbeddedPostgres> {
  const cluster = await startPostgres({ dataDir: join(folder, name), settings });
  open.push(cluster);
  return cluster;
}

async function ask<T>(url: string, query: string): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [row] = await sql.unsafe(query);
    return row as T;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Another process that starts or adopts the server and then waits to be killed. */
async function startElsewhere(
  name: string,
  options: { uid?: number; gid?: number } = {},
): Promise<{ kill(): Promise<void>; text: string }> {
  const source = `
    const { startPostgres } = await import(${JSON.stringify(script)});
    const { adopted, port, pid } = await startPostgres({ dataDir: ${JSON.stringify(join(folder, name))}, settings: ${JSON.stringify(settings)} });
    console.log(JSON.stringify({ adopted, port, pid }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], { ...options, cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  await Promise.race([waitFor(() => text.includes("\n"), 30_000), ended]);
  return {
    text,
    kill: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

describe("a cluster", () => {
  test("is made with two logins, one database, sorting for every language, in UTC, for this machine only", async () => {
    const cluster = await start();
    expect(cluster).toMatchObject({ created: true, adopted: false });
    const owner = await ask<Record<string, string>>(
      cluster.ownerUrl,
      `select current_user as login, current_database() as database, current_setting('listen_addresses') as listens, current_setting('TimeZone') as zone,
         current_setting('password_encryption') as passwords, current_setting('unix_socket_directories') as sockets,
         (select datlocprovider::text || ' ' || datlocale || ' ' || datctype from pg_database where datname = current_database()) as locale`,
    );
    expect(owner).toEqual({
      login: "milepost_owner",
      database: "milepost",
      listens: "127.0.0.1",
      zone: "UTC",
      passwords: "scram-sha-256",
      sockets: "",
      locale: "i und C.UTF-8",
    });
    const app = await ask<Record<string, unknown>>(
      cluster.appUrl,
      "select current_user as login, rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user",
    );
    expect(app).toEqual({ login: "milepost_app", rolsuper: false, rolcreatedb: false, rolcreaterole: false });
  });

  test("refuses a wrong password", async () => {
    const cluster = await start();
    const url = new URL(cluster.appUrl);
    url.password = "wrong";
    await expect(ask(url.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  test("keeps its passwords where only its own user reads them", async () => {
    const cluster = await start();
    expect(statSync(cluster.directory).mode & 0o077).toBe(0);
    expect(statSync(join(cluster.directory, "milepost.json")).mode & 0o077).toBe(0);
    expect(existsSync(`${cluster.directory}.password`)).toBe(false);
  });

  test.runIf(isRoot)("does not run as root, when root starts it", async () => {
    const cluster = await start();
    const status = readFileSync(`/proc/${cluster.pid}/status`, "utf8");
    expect(Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])).toBe(statSync(cluster.directory).uid);
    expect(statSync(cluster.directory).uid).not.toBe(0);
  });

  test("keeps data and port over a stop", async () => {
    const first = await start();
    await ask(first.ownerUrl, "create table if not exists kept (n int)");
    await ask(first.ownerUrl, "insert into kept values (7)");
    expect(await first.release()).toBe(true);
    open = [];
    expect(isAlive(first.pid)).toBe(false);
    const second = await start();
    expect(second).toMatchObject({ created: false, adopted: false, port: first.port });
    expect(await ask(second.appUrl, "select 1 as one")).toEqual({ one: 1 });
    expect(await ask(second.ownerUrl, "select n from kept")).toEqual({ n: 7 });
  });

  test("left half-made by a killed start is made anew", async () => {
    const home = join(folder, "half");
    mkdirSync(join(home, "pg.new"), { recursive: true });
    writeFileSync(join(home, "pg.new/PG_VERSION"), "18\n");
    writeFileSync(join(home, "pg.password"), "old\n");
    const cluster = await start("half");
    expect(cluster.created).toBe(true);
    expect(existsSync(join(home, "pg.new"))).toBe(false);
    expect(existsSync(join(home, "pg.password"))).toBe(false);
  });
});

describe("after kill -9", () => {
  test("of the supervisor, the next one adopts the server and ends it", async () => {
    const killed = await startElsewhere("one");
    await killed.kill();
    const left = JSON.parse(killed.text) as { pid: number; port: number };
    expect(isAlive(left.pid)).toBe(true);
    const cluster = await start();
    expect(cluster).toMatchObject({ adopted: true, pid: left.pid, port: left.port });
    expect(await cluster.release()).toBe(true);
    open = [];
    expect(isAlive(left.pid)).toBe(false);
  });

  test("of the server, the next start recovers what was committed", async () => {
    const first = await start();
    await ask(first.ownerUrl, "create table if not exists crash (n int)");
    await ask(first.ownerUrl, "insert into crash values (1)");
    process.kill(first.pid, "SIGKILL");
    const second = await start();
    expect(second).toMatchObject({ adopted: false, port: first.port });
    expect(second.pid).not.toBe(first.pid);
    expect(await ask(second.ownerUrl, "select count(*)::int as n from crash")).toEqual({ n: 1 });
  });

  test("a watched server comes back by itself", async () => {
    let cluster = await start();
    const before = cluster.pid;
    const end = keepPostgres(
      () => cluster,
      { dataDir: join(folder, "one"), settings },
      (now) => {
        cluster = now;
      },
    );
    process.kill(before, "SIGKILL");
    expect(await waitFor(() => cluster.pid !== before, 20_000)).toBe(true);
    await end();
    expect(await ask(cluster.appUrl, "select 1 as one")).toEqual({ one: 1 });
  });

  test("a process number that now belongs to somebody else does not stand in the way", async () => {
    const first = await start();
    await first.release();
    open = [];
    const stranger = spawn("sleep", ["60"], { stdio: "ignore" });
    try {
      writeFileSync(
        join(first.directory, "postmaster.pid"),
        `${stranger.pid}\n${first.directory}\n0\n${first.port}\n\n127.0.0.1\n\nready   \n`,
      );
      const second = await start();
      expect(second.adopted).toBe(false);
      expect(isAlive(stranger.pid!)).toBe(true);
    } finally {
      stranger.kill("SIGKILL");
    }
  });
});

describe("several users of one server", () => {
  test("the last one ends it", async () => {
    const first = await start();
    const other = await startElsewhere("one");
    expect(JSON.parse(other.text)).toMatchObject({ adopted: true, pid: first.pid });
    expect(await first.release()).toBe(false);
    open = [];
    expect(isAlive(first.pid)).toBe(true);
    await other.kill();
    expect(await findPostgres(join(folder, "one"))).toMatchObject({ pid: first.pid });
    await endUnusedPostgres(join(folder, "one"));
    expect(isAlive(first.pid)).toBe(false);
    expect(await findPostgres(join(folder, "one"))).toBeNull();
  });

  test("two that start at once share one server", async () => {
    const [a, b] = await Promise.all([startElsewhere("both"), startElsewhere("both")]);
    const answers = [a, b].map(({ text }) => JSON.parse(text) as { adopted: boolean; pid: number });
    expect(answers.map((answer) => answer.adopted).sort()).toEqual([false, true]);
    expect(answers[0]!.pid).toBe(answers[1]!.pid);
    await Promise.all([a.kill(), b.kill()]);
    await endUnusedPostgres(join(folder, "both"));
  });
});

describe("ports", () => {
  test("a remembered port somebody else took is given up", async () => {
    const first = await start();
    const { port } = first;
    await first.release();
    open = [];
    const { createServer } = await import("node:net");
    const stranger = createServer().listen(port, "127.0.0.1");
    await new Promise((done) => stranger.once("listening", done));
    try {
      const second = await start();
      expect(second.port).not.toBe(port);
    } finally {
      await new Promise((done) => stranger.close(done));
    }
  });
});

describe.runIf(isRoot)("users and folders, started by root", () => {
  test("an ordinary user starts it as himself, and root keeps to that user afterwards", async () => {
    const home = join(folder, "ordinary");
    mkdirSync(home);
    execFileSync("chown", ["65534:65534", home]);
    const ordinary = await startElsewhere("ordinary", { uid: 65_534, gid: 65_534 });
    expect(JSON.parse(ordinary.text)).toMatchObject({ adopted: false });
    await ordinary.kill();
    const byRoot = await start("ordinary");
    expect(byRoot.adopted).toBe(true);
    expect(statSync(byRoot.directory).uid).toBe(65_534);
  });

  test("another user's cluster is refused with a sentence", async () => {
    await (await start()).release();
    open = [];
    execFileSync("chmod", ["777", join(folder, "one"), join(folder, "one/pg-users")]);
    const refused = await startElsewhere("one", { uid: 65_534, gid: 65_534 });
    expect(refused.text).toContain("belongs to another user");
  });

  test("below a folder only root may enter, the cluster goes elsewhere and is found again", async () => {
    const said: string[] = [];
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o700 });
    const dataDir = join(closed, "data");
    const first = await startPostgres({ dataDir, settings, say: (text) => said.push(text) });
    open.push(first);
    expect(said.join()).toContain("cannot enter");
    expect(first.directory.startsWith(closed)).toBe(false);
    await first.release();
    const second = await startPostgres({ dataDir, settings });
    open.push(second);
    expect(second).toMatchObject({ created: false, directory: first.directory });
    await second.release();
    rmSync(dirname(first.directory), { recursive: true });
  });
});

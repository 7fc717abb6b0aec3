// What every command needs first: a good Node, installed packages, steps that say how long they took. Plain Node, no dependency.
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isAlive, livingProcess, send, waitFor, withLock, writePidFile } from "./processes.mjs";
import { Refusal } from "./refusal.mjs";

/** The checkout. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const LEAST_NODE = 20;
const OWN_NODE = 24;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Ends the process with a plain sentence when Node is too old to go on. */
export function guardVersion() {
  if (nodeMajor() >= LEAST_NODE) return;
  console.error(`Milepost needs Node ${LEAST_NODE} or newer to start; this is ${process.version}.`);
  process.exit(1);
}

/** The Node that runs the product: the one of the packages, else this one when it is new enough. */
export function ownNode() {
  const own = join(root, "node_modules/.bin/node");
  if (existsSync(own)) return own;
  if (nodeMajor() >= OWN_NODE) return process.execPath;
  throw new Refusal(
    `Milepost runs on Node ${OWN_NODE}, and none is packaged for ${process.platform}-${process.arch}: install Node ${OWN_NODE} or newer.`,
  );
}

/** Goes on as the same script under the product's Node. Returns only when this process already runs on it. */
export async function continueOnOwnNode() {
  const program = ownNode();
  if (nodeMajor() === OWN_NODE || program === process.execPath) return;
  process.exit(await runInPlace(program, process.argv.slice(1)));
}

/** Runs a program on this terminal, passes signals on, and gives its exit code. Its channel closes when this process ends. */
export async function runInPlace(program, args, { env = process.env, signal } = {}) {
  signal?.throwIfAborted();
  const child = spawn(program, args, { cwd: root, env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
  const forward = (name) => child.kill(name);
  for (const name of SIGNALS) process.on(name, forward);
  const abort = () => child.kill("SIGTERM");
  signal?.addEventListener("abort", abort, { once: true });
  const code = await new Promise((done) => {
    child.once("error", (error) => {
      console.error(error.message);
      done(1);
    });
    child.once("exit", (status, ended) => done(ended ? 128 : status));
  });
  signal?.removeEventListener("abort", abort);
  for (const name of SIGNALS) process.off(name, forward);
  return code;
}

/** Calls `stop` once when the process is asked to end, or when the one that started it has gone. */
export function onEnd(stop) {
  let asked = false;
  const once = (reason) => {
    if (asked) return;
    asked = true;
    stop(reason);
  };
  for (const signal of SIGNALS) process.on(signal, () => once(signal));
  if (process.channel) {
    process.on("disconnect", () => once("parent ended"));
    process.channel.unref();
  }
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && once("npm ended"), 1000).unref();
  }
}

/** Runs one step and prints its name, what came of it and its seconds. `work` may return a short text. */
export async function step(name, work, { quiet = false } = {}) {
  const begin = performance.now();
  const say = (text) => console.log(`  ${"".padEnd(14)} ${text}`);
  try {
    const result = await work(say);
    if (quiet) return;
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`  ${name.padEnd(14)} ${String(result ?? "done").padEnd(44)} ${seconds.padStart(6)} s`);
  } catch (error) {
    console.log(`  ${name.padEnd(14)} failed`);
    throw error;
  }
}

/** Prints an error the way a command ends with: a refusal as its sentence, anything else in full. */
export function report(error) {
  console.error(error instanceof Refusal ? `\n${error.message}` : error);
}

/**
 * Runs a program to its end and gives what it printed; throws with the end of its output when it fails.
 * It is a group of its own: `signal` ends all of it, and the record lets a later start end it when this process was killed.
 */
export async function runToEnd(program, args, { env = process.env, record, signal } = {}) {
  signal?.throwIfAborted();
  const child = spawn(program, args, { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  if (record && child.pid) writePidFile(record, child.pid);
  let out = "";
  let all = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
    all = (all + chunk).slice(-20_000);
  });
  child.stderr.on("data", (chunk) => {
    all = (all + chunk).slice(-20_000);
  });
  const abort = () => child.pid && send(-child.pid, "SIGTERM");
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const ended = await new Promise((done, fail) => {
      child.once("error", fail);
      child.once("close", (code, by) => done(by ?? code));
    });
    signal?.throwIfAborted();
    if (ended === 0) return out;
    throw new Refusal(`${[program, ...args].join(" ").replaceAll(`${root}/`, "")} ended with ${ended}.\n${all.trimEnd()}`);
  } finally {
    signal?.removeEventListener("abort", abort);
    if (record) rmSync(record, { force: true });
  }
}

/**
 * One process of the checkout at a time does `work`, which runs programs under `record`; what a killed one left running is ended first.
 * The locks lie in the checkout, because DATA_DIR may be elsewhere.
 */
export async function exclusively(name, work) {
  const record = join(root, `.next-locks/${name}.json`);
  return withLock(join(root, `.next-locks/${name}.lock`), async () => {
    const left = livingProcess(record);
    if (left) {
      send(-left.pid, "SIGKILL");
      await waitFor(() => !isAlive(left.pid), 10_000);
    }
    return work(record);
  });
}

/** Installs the packages of the lock file unless they are there. Returns what it did. */
export async function install(signal) {
  if (isInstalled()) return "up to date";
  return exclusively("install", async (record) => {
    if (isInstalled()) return "up to date";
    await runToEnd("npm", ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"], {
      env: systemEnvironment(),
      record,
      signal,
    });
    if (!isInstalled()) throw new Refusal("npm ci ended well, but packages of package-lock.json are missing in node_modules.");
    return "packages installed";
  });
}

/** True when node_modules holds what package-lock.json names. npm writes its hidden lock file last, so a broken-off install does not count. */
export function isInstalled() {
  let wanted;
  let present;
  try {
    wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
    present = JSON.parse(readFileSync(join(root, "node_modules/.package-lock.json"), "utf8")).packages;
  } catch {
    return false;
  }
  const fits = ({ os, cpu }) => (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch));
  const direct = Object.keys(wanted[""].optionalDependencies ?? {}).map((name) => `node_modules/${name}`);
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || entry.link) return true;
    if (present[path]) return present[path].version === entry.version;
    if (direct.includes(path)) return !fits(entry);
    // npm leaves out what does not fit the machine, and optional packages it could not install.
    return Boolean(entry.optional || entry.devOptional || entry.peer);
  });
}

/** The environment with the checkout's own programs out of PATH: npm must not delete the Node it runs on. */
function systemEnvironment() {
  const own = join(root, "node_modules");
  const path = (process.env.PATH ?? "").split(delimiter).filter((entry) => !resolve(entry).startsWith(own));
  const { NODE_ENV, NODE_OPTIONS, ...rest } = process.env;
  return { ...rest, PATH: path.join(delimiter) };
}

/** The folder of settings and data: `DATA_DIR`, else `.data` in the checkout; made when absent. */
export function dataDirectory(fallback = ".data") {
  const path = resolve(root, process.env.DATA_DIR || fallback);
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new Refusal(
      `DATA_DIR ${path} cannot be written (${error.code}). Start as the user it belongs to, or set DATA_DIR to another folder.`,
    );
  }
  return realpathSync(path);
}

/** The version of a program, or null when it does not run. */
export function versionOf(program) {
  const result = spawnSync(program, ["--version"], { encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : null;
}

function nodeMajor() {
  return Number(process.versions.node.split(".")[0]);
}

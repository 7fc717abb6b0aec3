// Small tools about processes and the files that name them. Plain Node, no dependency.
import { linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** True when the system knows a process of this id, whoever owns it; a zombie counts. */
export function exists(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** True when a process with this id runs, whoever owns it. */
export function isAlive(pid) {
  return exists(pid) && processState(pid) !== "Z";
}

/** The command line of a process as one string, or "" when it cannot be read. */
export function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

/** Ids of the processes whose working directory is `directory`. */
export function processesIn(directory) {
  const found = [];
  let names = [];
  try {
    names = readdirSync("/proc");
  } catch {
    return found;
  }
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (readlinkSync(`/proc/${name}/cwd`) === directory) found.push(Number(name));
    } catch {
      // ended meanwhile, or another user's
    }
  }
  return found.filter(isAlive);
}

/** Ids of the living processes of a group that work in `directory`. */
export function processesOfGroup(group, directory) {
  return processesIn(directory).filter((pid) => Number(statFields(pid)?.[2]) === group);
}

/** Waits until `test` gives a truthy value and returns it; null after `milliseconds`. */
export async function waitFor(test, milliseconds, every = 25) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await test();
    if (value) return value;
    if (Date.now() >= end) return null;
    await pause(every);
  }
}

/** Sends the signal, waits, and kills what has not ended after `milliseconds`. True when the process ended by itself. */
export async function endProcess(pid, signal, milliseconds) {
  send(pid, signal);
  if (await waitFor(() => !isAlive(pid), milliseconds)) return true;
  send(pid, "SIGKILL");
  await waitFor(() => !isAlive(pid), 5000);
  return false;
}

/** Sends a signal to a process (a negative id: to its group); a process that has gone is no error. */
export function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Writes `{ pid, started, ...facts }` for a process, so that a later start can tell it from a reused id. */
export function writePidFile(path, pid, facts = {}) {
  mkdirSync(dirname(path), { recursive: true });
  writeAside(path, `${JSON.stringify({ pid, started: startedAt(pid), ...facts })}\n`, 0o644);
}

/** What a pid file says when its very process still lives, else null. */
export function livingProcess(path) {
  let record;
  try {
    record = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
  if (!record || !isAlive(record.pid)) return null;
  return record.started === startedAt(record.pid) ? record : null;
}

/** Takes the lock file for this process, over from a dead holder if need be. Null when it is ours, else what the living holder wrote. */
export function takeLock(path, facts = {}) {
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    if (createLock(path, facts)) return null;
    const holder = livingProcess(path);
    if (holder) return holder;
    // Only one of several waiters may clear a dead holder's file: the rename succeeds once.
    const dead = `${path}.dead-${process.pid}`;
    try {
      renameSync(path, dead);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      continue;
    }
    // Between the look and the rename another waiter may have taken the lock: give it back.
    if (livingProcess(dead)) renameSync(dead, path);
    rmSync(dead, { force: true });
  }
}

/** Gives a lock back. */
export function dropLock(path) {
  rmSync(path, { force: true });
}

/** Runs `work` while holding the lock file; waits for another holder. */
export async function withLock(path, work, milliseconds = 600_000) {
  let holder = null;
  const taken = await waitFor(
    () => {
      holder = takeLock(path);
      return holder === null;
    },
    milliseconds,
    100,
  );
  if (!taken) throw new Error(`Process ${holder.pid} still holds ${path}.`);
  try {
    return await work();
  } finally {
    dropLock(path);
  }
}

/** A TCP port of 127.0.0.1 nobody listens on: `wanted` when it is free, else one the system picks. */
export async function freePort(wanted = 0) {
  const open = (port) =>
    new Promise((resolve) => {
      const server = createServer();
      server.once("error", () => resolve(0));
      server.listen(port, "127.0.0.1", () => {
        const { port: got } = server.address();
        server.close(() => resolve(got));
      });
    });
  return (wanted && (await open(wanted))) || open(0);
}

/** Writes a file under a side name and renames it, so that nobody ever reads half of it. */
export function writeAside(path, text, mode = 0o600) {
  const side = `${path}.${process.pid}`;
  rmSync(side, { force: true });
  writeFileSync(side, text, { mode });
  renameSync(side, path);
}

function createLock(path, facts) {
  // The record is complete before it gets its name; a link, unlike a rename, fails when the name exists.
  const side = `${path}.new-${process.pid}`;
  writePidFile(side, process.pid, facts);
  try {
    linkSync(side, path);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(side, { force: true });
  }
}

function processState(pid) {
  return statFields(pid)?.[0] ?? "";
}

function startedAt(pid) {
  return statFields(pid)?.[19] ?? "";
}

function statFields(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold spaces; the fields after it do not.
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

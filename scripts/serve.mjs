// Keeps web and worker running: starts them, restarts what dies, ends both. Plain Node, no dependency.
import { spawn } from "node:child_process";
import { closeSync, copyFileSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { heapLimits, nodeArguments, processEnvironment } from "./process-settings.mjs";
import { endProcess, isAlive, livingProcess, processesOfGroup, send, waitFor, writePidFile } from "./processes.mjs";
import { root } from "./runtime.mjs";

const STOP_MILLISECONDS = 10_000;
const LONGEST_PAUSE = 30_000;
const STEADY_MILLISECONDS = 60_000;
const LOG_BYTES = 20 * 2 ** 20;

/**
 * Starts one web and one worker process and keeps them running until `stop()`.
 *
 * @param {object} options
 * @param {string} options.dataDir pid files go to `run`, logs to `logs`
 * @param {number} options.port of the web process
 * @param {NodeJS.ProcessEnv} options.env of both; `DATABASE_OWNER_URL` reaches the worker only
 * @param {boolean} [options.dev] development server, output on the terminal
 * @param {(text: string) => void} [options.say] told when something was restarted
 */
export function serve({ dataDir, port, env, dev = false, say = console.error }) {
  const preload = ["--import", join(root, "scripts/leave-with-parent.mjs")];
  const program = dev ? [join(root, "node_modules/next/dist/bin/next"), "dev"] : [join(root, "scripts/web.mjs")];
  const children = {
    web: keep({
      name: "web",
      args: [...(dev ? [] : heapLimits("web")), ...preload, ...nodeArguments.web, ...program, "--port", String(port)],
    }),
    worker: keep({
      name: "worker",
      args: [...(dev ? ["--watch"] : heapLimits("worker")), ...preload, ...nodeArguments.worker, join(root, "jobs/worker.ts")],
    }),
  };

  function environmentOf(name, all) {
    return processEnvironment(name, { ...all, PORT: String(port), NODE_ENV: dev ? "development" : "production" }, dataDir);
  }

  /** One child: started, watched, started again with growing pauses. */
  function keep({ name, args }) {
    const child = { name, env: environmentOf(name, env), process: null, stopping: false, pause: 0, restarts: 0, ended: Promise.resolve() };
    const start = () => {
      if (child.stopping) return;
      const begin = Date.now();
      const output = dev ? "inherit" : openLog(dataDir, name);
      // A group of its own: a Ctrl-C of the terminal must not reach it before the supervisor decides, and what it started ends with it.
      child.process = spawn(process.execPath, args, {
        cwd: root,
        detached: true,
        env: { ...child.env, MILEPOST_SUPERVISOR: String(process.pid) },
        stdio: ["ignore", output, output, "ipc"],
      });
      if (output !== "inherit") closeSync(output);
      const { pid } = child.process;
      if (pid) writePidFile(pidFile(dataDir, name), pid, { name });
      child.ended = new Promise((done) => {
        child.process.once("error", (error) => {
          say(`${name}: ${error.message}`);
          done();
        });
        child.process.once("exit", async (code, signal) => {
          if (pid) await endGroup(pid);
          done();
          if (child.stopping) return;
          child.restarts++;
          child.pause = Date.now() - begin > STEADY_MILLISECONDS ? 0 : Math.min(LONGEST_PAUSE, child.pause * 2 || 1000);
          say(`${name} ended (${signal ?? code}); it starts again in ${child.pause / 1000} s${tail(dataDir, name, dev)}`);
          setTimeout(start, child.pause);
        });
      });
    };
    start();
    return child;
  }

  const logs = setInterval(() => {
    if (!dev) for (const name of Object.keys(children)) trimLog(dataDir, name);
  }, 60_000);
  logs.unref();

  return {
    address: `http://localhost:${port}`,
    /** Process id of "web" or "worker" at this moment. */
    pid: (name) => children[name].process?.pid,
    restarts: (name) => children[name].restarts,
    /** Waits until the installation says it is ready; false after `milliseconds`, or when a child dies again and again. */
    async ready({ milliseconds = 120_000, signal } = {}) {
      // What died before is no sign that it cannot start.
      const before = new Map(Object.values(children).map((child) => [child, child.restarts]));
      const answer = await waitFor(
        async () => {
          if (signal?.aborted || Object.values(children).some((child) => child.stopping || child.restarts - before.get(child) > 3))
            return "no";
          return (await missingParts(port)).length === 0 && "yes";
        },
        milliseconds,
        200,
      );
      return answer === "yes";
    },
    /** Ends both children; they start again at once with another environment. */
    restart(other) {
      for (const child of Object.values(children)) {
        child.env = environmentOf(child.name, other);
        if (child.process?.pid) send(child.process.pid, "SIGTERM");
      }
    },
    /** What the health call says is missing, for a message. */
    missing: () => missingParts(port),
    async stop() {
      clearInterval(logs);
      await Promise.all(
        Object.values(children).map(async (child) => {
          child.stopping = true;
          const pid = child.process?.pid;
          if (pid && isAlive(pid)) await endProcess(pid, "SIGTERM", STOP_MILLISECONDS);
          await Promise.race([child.ended, pause(2000)]);
          if (pid) await endGroup(pid);
          rmSync(pidFile(dataDir, child.name), { force: true });
        }),
      );
    },
  };
}

/** Ends what an earlier, killed supervisor left running. Returns how many processes that were. */
export async function clearLeftOvers(dataDir) {
  const folder = join(dataDir, "run");
  mkdirSync(folder, { recursive: true });
  let count = 0;
  for (const file of readdirSync(folder)) {
    const path = join(folder, file);
    const record = livingProcess(path);
    if (record) {
      count++;
      await endProcess(record.pid, "SIGTERM", STOP_MILLISECONDS);
    }
    await endGroup(readPid(path));
    rmSync(path, { force: true });
  }
  return count;
}

function pidFile(dataDir, name) {
  return join(dataDir, "run", `${name}.json`);
}

function readPid(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).pid;
  } catch {
    return 0;
  }
}

/** Kills what is left of a child's process group. */
async function endGroup(pid) {
  const left = () => (pid ? processesOfGroup(pid, root) : []);
  if (left().length === 0) return;
  await waitFor(() => left().length === 0, 1_000);
  for (const member of left()) send(member, "SIGKILL");
}

async function missingParts(port) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(5_000) });
    const body = await answer.json();
    return answer.status === 200 ? [] : body.missing;
  } catch {
    return ["web"];
  }
}

function logFile(dataDir, name) {
  return join(dataDir, "logs", `${name}.log`);
}

function openLog(dataDir, name) {
  mkdirSync(join(dataDir, "logs"), { recursive: true });
  return openSync(logFile(dataDir, name), "a", 0o600);
}

/** Keeps one earlier file. The processes append, so they go on in the emptied one. */
function trimLog(dataDir, name) {
  const path = logFile(dataDir, name);
  if (statSync(path, { throwIfNoEntry: false })?.size > LOG_BYTES) {
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
  }
}

function tail(dataDir, name, dev) {
  if (dev) return "";
  const lines = readFileSync(logFile(dataDir, name), "utf8").split("\n").filter(Boolean).slice(-5);
  if (lines.length === 0) return "";
  return `; the end of ${logFile(dataDir, name)}:\n${lines.map((line) => `    ${line.slice(0, 300)}`).join("\n")}`;
}

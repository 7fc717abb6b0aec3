// What a container runs: `web`, `worker`, `migrate`, or `health`, the check of a running web or worker. Plain Node, no dependency.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { heapLimits, nodeArguments, processEnvironment } from "./process-settings.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const port = process.env.PORT || "3000";
const programs = {
  web: [...heapLimits("web"), ...nodeArguments.web, join(root, "scripts/web.mjs"), "--port", port],
  worker: [...heapLimits("worker"), ...nodeArguments.worker, join(root, "jobs/worker.ts")],
  migrate: [...nodeArguments.worker, join(root, "scripts/migrate.ts")],
};

const [name = "web"] = process.argv.slice(2);
if (name === "health") process.exit((await healthy()) ? 0 : 1);
if (!programs[name]) {
  console.error(`Give one of: ${[...Object.keys(programs), "health"].join(", ")}`);
  process.exit(2);
}
const env = { ...processEnvironment(name, process.env, process.env.DATA_DIR), NODE_ENV: "production" };
const child = spawn(process.execPath, programs[name], { cwd: root, env, stdio: "inherit" });
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
child.once("exit", (code, signal) => process.exit(signal ? 1 : code));

/** A web answers for the whole installation; a worker is well while its process is there, and the web says when its signs of life stop. */
async function healthy() {
  if (readFileSync("/proc/1/cmdline", "utf8").split("\0").includes("worker")) return true;
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

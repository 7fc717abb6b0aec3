// `npm test`: everything that can be proved about this checkout, from a fresh clone. Plain Node, no dependency.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ensureBrowser, ensureFonts } from "./browser.mjs";
import { build } from "./build.mjs";
import { endUnusedPostgres, startPostgres } from "./postgres.mjs";
import { dropLock, send, takeLock, writePidFile } from "./processes.mjs";
import { Refusal } from "./refusal.mjs";
import { continueOnOwnNode, guardVersion, install, onEnd, report, root, step } from "./runtime.mjs";
import { secrets } from "./secrets.mjs";
import { clearLeftOvers } from "./serve.mjs";

const dataDir = join(root, ".data-test");
const QUICK = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "200" };

guardVersion();
const asked = new AbortController();
const { signal } = asked;
onEnd(() => asked.abort());
const total = { passed: 0, failed: 0, skipped: 0 };
/** What failed, a line each: repeated at the end, which is all some logs keep of a long run. */
const failures = [];
const running = [];
try {
  await main();
} catch (error) {
  total.failed++;
  if (!signal.aborted) report(error);
}
for (const end of running.reverse()) await end().catch(report);
if (signal.aborted) {
  console.log("Stopped.");
  process.exit(130);
}
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exit(total.failed > 0 ? 1 : 0);

async function main() {
  mkdirSync(dataDir, { recursive: true });
  const firstRound = !process.channel;
  await step("packages", () => install(signal), { quiet: !firstRound });
  await continueOnOwnNode();
  const lock = join(dataDir, "test.lock");
  const holder = takeLock(lock);
  if (holder) throw new Refusal(`The tests already run in this folder (process ${holder.pid}).`);
  running.push(async () => dropLock(lock));
  running.push(clearPairs);
  await clearPairs();

  const env = { ...process.env, TZ: "UTC", NEXT_TELEMETRY_DISABLED: "1", MILEPOST_TEST: "1" };
  // Settings of a running installation must not reach the tests.
  for (const name of ["DATABASE_URL", "DATABASE_OWNER_URL", "DATA_DIR", "PORT", "AUTH_URL", "SMTP_URL", "STORAGE_URL", "DEMO", "NODE_ENV"])
    delete env[name];
  let browser = null;
  await step("browser", async () => {
    browser = await ensureBrowser(signal);
    Object.assign(env, { CHROMIUM_PATH: browser.path }, ensureFonts(dataDir));
    return browser.version.split(" built")[0];
  });
  if (!env.TEST_DATABASE_URL) {
    await step("database", async (say) => {
      const cluster = await startPostgres({ dataDir, passwords: { owner: "test", app: "test" }, settings: QUICK, say });
      running.push(() => cluster.release());
      const address = new URL(cluster.ownerUrl);
      address.pathname = "/postgres";
      env.TEST_DATABASE_URL = address.href;
      return `port ${cluster.port}`;
    });
  }

  await one("types", async () => {
    await program(env, "next/dist/bin/next", "typegen");
    await program(env, "typescript/bin/tsc", "--noEmit", "-p", ".");
  });
  await one("lint", () => program(env, "@biomejs/biome/bin/biome", "check", "."));
  await suites("checks and units", env, []);
  const built = await one("build", () => build({ ...env, ...secrets(dataDir), TYPES_CHECKED: "1" }, signal));
  if (built)
    await beside(
      suites("browser tests", env, ["--config", "vitest.e2e.config.ts"]),
      suites("processes", env, ["--config", "vitest.processes.config.ts"]),
    );
  else console.log("  browser tests  not run: there is no build");
  const samples = resolve(root, process.env.SAMPLE_DATA || "../shared/data");
  if (!existsSync(samples)) console.log(`\nNo sample data in ${samples} (SAMPLE_DATA): tests on real data were skipped.`);
}

/** Ends what pairs of web and worker, and their database servers, left running. */
async function clearPairs() {
  await clearLeftOvers(dataDir);
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    const folder = join(dataDir, entry.name);
    if (entry.isDirectory() && existsSync(join(folder, "run"))) await clearLeftOvers(folder);
    if (entry.isDirectory() && existsSync(join(folder, "pg.log"))) await endUnusedPostgres(folder);
  }
}

/** A stage that counts as one test. True when it passed. */
async function one(name, work) {
  signal.throwIfAborted();
  try {
    await step(name, async () => {
      const result = await work();
      total.passed++;
      return typeof result === "string" ? result : "passed";
    });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    total.failed++;
    failures.push(name);
    console.error(error instanceof Refusal ? error.message : error);
    return false;
  }
}

/** Stages beside each other: all come to their end before one that could not go on is told. */
async function beside(...stages) {
  for (const { reason } of await Promise.allSettled(stages)) if (reason) throw reason;
}

/** A stage of test files: counted from what vitest writes down. */
async function suites(name, env, args) {
  signal.throwIfAborted();
  const file = join(dataDir, "results", `${name.replaceAll(" ", "-")}.json`);
  rmSync(file, { force: true });
  await step(name, async () => {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`, "--silent=passed-only"];
    const code = await run(env, "vitest/vitest.mjs", "run", ...args, ...reporters);
    const found = count(file);
    // Something outside of any test failed: an import, the setup, an error nobody caught.
    if (code !== 0 && found.failed === 0) {
      found.failed = 1;
      failures.push(`${name}: something outside of any test`);
    }
    for (const key of Object.keys(total)) total[key] += found[key];
    return `${found.passed} passed, ${found.failed} failed${found.skipped ? `, ${found.skipped} skipped` : ""}`;
  });
}

/** Counts what vitest wrote down, and remembers what failed. */
function count(file) {
  const found = { passed: 0, failed: 0, skipped: 0 };
  if (!existsSync(file)) return found;
  for (const suite of JSON.parse(readFileSync(file, "utf8")).testResults) {
    const place = relative(root, suite.name);
    if (suite.status === "failed" && !suite.assertionResults.some((test) => test.status === "failed")) {
      found.failed++;
      failures.push(`${place}: ${suite.message.split("\n")[0]}`);
    }
    for (const { status, fullName, failureMessages } of suite.assertionResults) {
      if (status === "passed" || status === "failed") found[status]++;
      else found.skipped++;
      if (status === "failed") failures.push(`${place}: ${fullName}: ${failureMessages[0]?.slice(0, 600)}`);
    }
  }
  return found;
}

/** Runs a program of the packages; throws when it fails. */
async function program(env, path, ...args) {
  const code = await run(env, path, ...args);
  if (code !== 0) throw new Refusal(`${path.split("/").at(-1)} found problems (see above).`);
}

/** Runs a program of the packages on this terminal, as a group of its own, so that nothing of it outlives the run. */
async function run(env, path, ...args) {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [join(root, "node_modules", path), ...args], {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const record = join(dataDir, `run/stage-${child.pid}.json`);
  writePidFile(record, child.pid);
  const abort = () => {
    send(-child.pid, "SIGTERM");
    setTimeout(() => send(-child.pid, "SIGKILL"), 10_000).unref();
  };
  signal.addEventListener("abort", abort, { once: true });
  const code = await new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (status, ended) => done(ended ? 1 : status));
  });
  signal.removeEventListener("abort", abort);
  rmSync(record, { force: true });
  signal.throwIfAborted();
  return code;
}

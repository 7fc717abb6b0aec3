// `npm start` and `npm run dev`: from a fresh clone to a running Milepost, and nothing left running afterwards. Plain Node, no dependency.
import { createServer } from "node:net";
import { join } from "node:path";
import { build } from "./build.mjs";
import { makeMapFiles } from "./map-files.mjs";
import { keepPostgres, startPostgres } from "./postgres.mjs";
import { dropLock, livingProcess, takeLock } from "./processes.mjs";
import { Refusal } from "./refusal.mjs";
import { continueOnOwnNode, dataDirectory, guardVersion, install, onEnd, report, root, runToEnd, step } from "./runtime.mjs";
import { secrets } from "./secrets.mjs";
import { clearLeftOvers, serve } from "./serve.mjs";

const DEMO_ACCOUNTS = "pm pcm td tl pd dqa scheduler subcon customer etm viewer admin";
const DEMO_PASSWORD = "milepost-demo";

guardVersion();
const dev = process.argv.includes("--dev");
const asked = new AbortController();
onEnd(() => asked.abort());
/** What must be ended, in the order it was started. */
const running = [];
let failed = false;
try {
  await main();
} catch (error) {
  if (!asked.signal.aborted) {
    failed = true;
    report(error);
  }
}
for (const end of running.reverse()) {
  try {
    await end();
  } catch (error) {
    failed = true;
    report(error);
  }
}
if (asked.signal.aborted) console.log("Milepost has stopped.");
process.exit(failed ? 1 : 0);

async function main() {
  const { signal } = asked;
  const dataDir = dataDirectory();
  const lock = join(dataDir, "start.lock");
  refuseSecond(livingProcess(lock));
  const firstRound = !process.channel;
  if (firstRound) console.log(dev ? "Milepost, development" : "Milepost");
  await step("packages", () => install(signal), { quiet: !firstRound });
  await continueOnOwnNode();

  refuseSecond(takeLock(lock, { port: Number(process.env.PORT) || 3000 }));
  running.push(() => dropLock(lock));
  const cleared = await clearLeftOvers(dataDir);
  if (cleared > 0) console.log(`  ${cleared} process(es) of an earlier run were ended`);

  const external = Boolean(process.env.DATABASE_URL);
  const { readEnv } = await import("../lib/core/env.ts");
  const made = { ...secrets(dataDir), DATA_DIR: dataDir, DEMO: process.env.DEMO || (external ? "0" : "1") };
  const settings = checked(readEnv, { DATABASE_URL: "postgres://localhost/check", ...process.env, ...made });
  await refuseBusyPort(settings.PORT);

  if (!dev) await step("build", () => build({ ...process.env, ...made }, signal));
  else await makeMapFiles();

  let cluster = null;
  if (!external) {
    await step("database", async (say) => {
      cluster = await startPostgres({ dataDir, say });
      running.push(() => cluster.release());
      return `${cluster.created ? "made" : cluster.adopted ? "adopted" : "started"}, port ${cluster.port}`;
    });
  }
  const environment = () => ({
    ...process.env,
    ...made,
    ...(cluster && { DATABASE_URL: cluster.appUrl, DATABASE_OWNER_URL: cluster.ownerUrl }),
    TZ: "UTC",
  });
  const typescript = (script, ...args) => ["--conditions=react-server", join(root, script), ...args];

  let empty = false;
  await step("migrations", async () => {
    const record = join(dataDir, "run/migrate.json");
    const answer = JSON.parse(
      await runToEnd(process.execPath, typescript("scripts/migrate.ts", "--json"), { env: environment(), record, signal }),
    );
    empty = answer.empty;
    return answer.applied.length > 0 ? `${answer.applied.length} applied` : "up to date";
  });

  if (settings.DEMO && empty) {
    await step("demo project", async () => {
      await runToEnd(process.execPath, typescript("db/seed/run.ts", "demo"), {
        env: environment(),
        record: join(dataDir, "run/seed.json"),
        signal,
      });
      return "made";
    });
  }

  let pair = null;
  await step("web and worker", async () => {
    signal.throwIfAborted();
    pair = serve({ dataDir, port: settings.PORT, env: environment(), dev });
    running.push(() => pair.stop());
    if (await pair.ready({ milliseconds: dev ? 300_000 : 120_000, signal })) return "ready";
    signal.throwIfAborted();
    throw new Refusal(`Not ready: ${(await pair.missing()).join(", ")}. See ${join(dataDir, "logs")}.`);
  });
  console.log(`\nMilepost runs at http://localhost:${settings.PORT}`);
  if (settings.DEMO) console.log(`Demo accounts: ${DEMO_ACCOUNTS}\nTheir password: ${DEMO_PASSWORD}`);
  console.log(`${dev ? "" : `Logs: ${join(dataDir, "logs")}. `}Ctrl-C ends everything.\n`);

  if (cluster) {
    const keep = keepPostgres(
      () => cluster,
      { dataDir, say: console.error },
      (now) => {
        // Web and worker reconnect by themselves; on another port they must start anew.
        const moved = now.port !== cluster.port;
        cluster = now;
        if (moved) pair.restart(environment());
      },
    );
    running.push(keep);
  }
  await new Promise((done) => signal.addEventListener("abort", done, { once: true }));
}

function refuseSecond(holder) {
  if (!holder) return;
  throw new Refusal(
    `Milepost already runs from this folder (process ${holder.pid}, http://localhost:${holder.port}). Press Ctrl-C there or run: kill ${holder.pid}`,
  );
}

function checked(readEnv, source) {
  try {
    return readEnv(source);
  } catch (error) {
    throw new Refusal(error.message);
  }
}

async function refuseBusyPort(port) {
  const error = await new Promise((done) => {
    const server = createServer();
    server.once("error", done);
    server.listen(port, () => server.close(() => done(null)));
  });
  if (error?.code === "EADDRINUSE")
    throw new Refusal(`Port ${port} is used by another program. Set PORT to a free one, for example: PORT=3001 npm start`);
  if (error) throw new Refusal(`Port ${port} cannot be used: ${error.message}`);
}

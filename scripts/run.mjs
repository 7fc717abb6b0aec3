// `npm run build|check|worker|seed|bench|token|account|project|migrate|backup|restore|drill`: gives each command its Node, its database and its secrets. Plain Node, no dependency.
import { join } from "node:path";
import { build } from "./build.mjs";
import { check } from "./check.mjs";
import { drill } from "./drill.mjs";
import { startPostgres } from "./postgres.mjs";
import { Refusal } from "./refusal.mjs";
import { continueOnOwnNode, dataDirectory, guardVersion, install, onEnd, ownNode, report, root, runInPlace, runToEnd } from "./runtime.mjs";
import { secrets } from "./secrets.mjs";

const COMMANDS = {
  worker: "jobs/worker.ts",
  seed: "db/seed/run.ts",
  bench: "tests/bench/run.ts",
  token: "scripts/token.ts",
  account: "scripts/account.ts",
  project: "scripts/project.ts",
  migrate: "scripts/migrate.ts",
  backup: "scripts/backup.ts",
  restore: "scripts/restore.ts",
};
/** Commands that take the database as it is. */
const AS_IT_IS = ["migrate", "backup", "restore", "drill"];

guardVersion();
const asked = new AbortController();
const { signal } = asked;
onEnd(() => asked.abort());
const [command, ...args] = process.argv.slice(2);
try {
  process.exitCode = await main();
} catch (error) {
  if (!signal.aborted) report(error);
  process.exitCode = 1;
}

async function main() {
  if (!["build", "check", "drill"].includes(command) && !COMMANDS[command]) {
    throw new Refusal(`Usage: npm run <${["build", "check", "drill", ...Object.keys(COMMANDS)].join("|")}> -- [arguments]`);
  }
  if (command === "seed" && process.env.DATABASE_URL && process.env.DEMO !== "1") {
    throw new Refusal(
      "Scenarios bring accounts whose password everybody knows. To make one in the database of DATABASE_URL all the same, set DEMO=1.",
    );
  }
  if ((await install(signal)) !== "up to date") console.log("Packages installed.");
  if (command === "check") return check(signal);
  // The build belongs to the Node that made it.
  if (command === "drill" || command === "build") await continueOnOwnNode();
  if (command === "build") {
    console.log(await build(process.env, signal));
    return 0;
  }
  return withDatabase(async (env) => {
    if (!AS_IT_IS.includes(command)) await runToEnd(ownNode(), typescript("migrate"), { env, signal });
    if (command === "drill") return drill({ dataDir: env.DATA_DIR, env, node: ownNode(), typescript, signal });
    return runInPlace(ownNode(), [...typescript(command), ...args], { env, signal });
  });
}

function typescript(name) {
  return ["--conditions=react-server", join(root, COMMANDS[name])];
}

/** Runs the command on the database of `DATABASE_URL`, else on that of the embedded server, which ends afterwards unless something else uses it. */
async function withDatabase(work) {
  const dataDir = dataDirectory();
  const env = { ...process.env, ...secrets(dataDir), DATA_DIR: dataDir, TZ: "UTC", MILEPOST_PROCESS: command };
  if (process.env.DATABASE_URL) return work(env);
  const cluster = await startPostgres({ dataDir });
  try {
    return await work({ ...env, DATABASE_URL: cluster.appUrl, DATABASE_OWNER_URL: cluster.ownerUrl, DEMO: process.env.DEMO || "1" });
  } finally {
    await cluster.release();
  }
}

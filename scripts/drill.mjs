// `npm run drill`: takes a backup of the installation, restores it beside it, starts it there and says how long that took. Plain Node, no dependency.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { startPostgres } from "./postgres.mjs";
import { freePort } from "./processes.mjs";
import { Refusal } from "./refusal.mjs";
import { runToEnd } from "./runtime.mjs";
import { serve } from "./serve.mjs";

const SERVERS = ["DATABASE_URL", "DATABASE_OWNER_URL", "STORAGE_URL", "AUTH_SECRET", "NEXT_SERVER_ACTIONS_ENCRYPTION_KEY", "AUTH_URL"];

/**
 * The installation itself is only read. The restored one is a database server, a folder of files, a web and a worker of their own below
 * `<dataDir>/drill`, without mail; everything of it is removed at the end.
 */
export async function drill({ dataDir, env, node, typescript, signal }) {
  const home = join(dataDir, "drill");
  const backup = join(home, "backup");
  const ends = [];
  const times = [];
  const timed = async (name, work) => {
    const begin = performance.now();
    const said = await work();
    const seconds = (performance.now() - begin) / 1000;
    times.push(seconds);
    console.log(`${name.padEnd(12)}${seconds.toFixed(1).padStart(7)} s${said ? `\n${said.trimEnd().replace(/^/gm, "    ")}` : ""}`);
  };
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  try {
    await timed("build", () => build(env, signal).then(() => ""));
    times.length = 0;
    await timed("backup", () => runToEnd(node, [...typescript("backup"), backup], { env, signal }));
    const restored = { ...env, DATA_DIR: join(home, "data") };
    for (const name of [...SERVERS, "SMTP_URL"]) delete restored[name];
    const { secrets } = await import("./secrets.mjs");
    await timed("new server", async () => {
      const cluster = await startPostgres({ dataDir: restored.DATA_DIR });
      ends.push(() => cluster.release());
      Object.assign(restored, { DATABASE_URL: cluster.appUrl, DATABASE_OWNER_URL: cluster.ownerUrl });
    });
    await timed("restore", () =>
      runToEnd(node, [...typescript("restore"), backup], { env: { ...restored, AUTH_SECRET: env.AUTH_SECRET }, signal }),
    );
    await timed("start", async () => {
      const port = await freePort();
      const pair = serve({
        dataDir: restored.DATA_DIR,
        port,
        env: { ...restored, ...withoutEnvironment(() => secrets(restored.DATA_DIR)), PORT: String(port) },
      });
      ends.push(() => pair.stop());
      if (!(await pair.ready({ signal })))
        throw new Refusal(`The restored installation is not ready: ${(await pair.missing()).join(", ")}.`);
      const page = await fetch(`${pair.address}/sign-in`);
      if (page.status !== 200) throw new Refusal(`The restored installation answers ${page.status} at /sign-in.`);
      return "health: web, database, migrations and worker are ready; the sign-in page answers";
    });
    console.log(
      `\nThe drill passed: ${times.reduce((sum, seconds) => sum + seconds, 0).toFixed(1)} s from the backup to a healthy installation.`,
    );
    return 0;
  } finally {
    for (const end of ends.reverse()) await end();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The restored secrets are those of the folder, whatever the environment says. */
function withoutEnvironment(work) {
  const kept = {};
  for (const name of SERVERS) {
    kept[name] = process.env[name];
    delete process.env[name];
  }
  try {
    return work();
  } finally {
    for (const name of SERVERS) if (kept[name] !== undefined) process.env[name] = kept[name];
  }
}
